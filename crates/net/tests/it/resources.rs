//! Requests of a process that cannot open another file. It is a child of the test, because the limit applies to a process.

use std::process::Command;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use testkit::origin::{Origin, ok};

use crate::support::{Result, fetch, kind};

/// A name without an address (RFC 6761), which is looked up by the system's resolver.
const UNKNOWN: &str = "http://kawaraban.invalid/";

/// The argument that marks the child. The test harness takes it as a test to skip, which does not exist.
const CHILD: &str = "--skip=this-is-the-child";

#[tokio::test]
async fn lack_of_files_is_out_of_resources() -> Result {
    if std::env::args().any(|argument| argument == CHILD) {
        return fetch_without_files().await;
    }
    let child = Command::new(std::env::current_exe()?)
        .args(["--exact", "resources::lack_of_files_is_out_of_resources", CHILD])
        .output()?;
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&child.stderr));
    Ok(())
}

async fn fetch_without_files() -> Result {
    let origin = Origin::serve(|_| ok("here")).await;
    assert_eq!(kind(&fetch(&origin.url("/")).await?), "answered");
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(0), ..limit })?;
    let by_address = fetch(&origin.url("/")).await?;
    let by_name = fetch(UNKNOWN).await?;
    setrlimit(Resource::Nofile, limit)?;
    assert_eq!(kind(&by_address), "out_of_resources", "{by_address:?}");
    assert_eq!(kind(&by_name), "out_of_resources", "{by_name:?}");
    // Enough files for a look-up now, but not when it failed.
    let open = std::fs::read_dir("/proc/self/fd")?.count() as u64;
    setrlimit(Resource::Nofile, Rlimit { current: Some(open + 4), ..limit })?;
    let nearly_out = fetch(UNKNOWN).await?;
    setrlimit(Resource::Nofile, limit)?;
    assert_eq!(kind(&nearly_out), "out_of_resources", "{nearly_out:?}");
    assert_eq!(kind(&fetch(&origin.url("/")).await?), "answered");
    Ok(())
}
