//! A client whose memory is measured. It requests the URL of its first argument, then that of its second with a deadline in
//! milliseconds, its third, and prints the result of the second request and the growth of the process in kB.

use std::time::Duration;

use net::{Client, ClientSettings, Error, Request, Urgency};

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [warm_up, url, deadline_ms] = &arguments[..] else {
        return Err("usage: disposable_client WARM_UP_URL URL DEADLINE_MS".into());
    };
    let settings = ClientSettings { allow_nets: vec!["127.0.0.0/8".parse()?], ..ClientSettings::default() };
    let client = Client::new(settings)?;
    let get = |url: &str| Ok::<_, Error>(Request::get(net::parse_url(url)?).urgency(Urgency::Interactive));
    client.send(get(warm_up)?).await?;
    let before = peak_kb()?;
    let result = client.send(get(url)?.timeout(Duration::from_millis(deadline_ms.parse()?))).await;
    let outcome = result.as_ref().map_or_else(Error::kind, |_| "answered");
    println!("{outcome} {}", peak_kb()? - before);
    Ok(())
}

fn peak_kb() -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM in /proc/self/status")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
