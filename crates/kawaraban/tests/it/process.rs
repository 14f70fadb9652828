//! The binary as a process: run to its end, or started and asked over HTTP.

use std::{
    fs,
    net::SocketAddr,
    path::PathBuf,
    process::{Output, Stdio},
    sync::Arc,
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;
use tempfile::TempDir;
use testkit::TestDb;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    net::TcpStream,
    process::{Child, ChildStdout, Command},
    time::timeout,
};

/// Far longer than any wait takes.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The binary with its own environment: a new data folder, loopback, any free port, nothing else.
pub struct Program {
    home: Arc<TempDir>,
    variables: Vec<(String, String)>,
    /// Arguments of `ulimit` that it runs under.
    ulimit: Option<&'static str>,
}

/// The result of a command.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    async fn of(output: impl Future<Output = std::io::Result<Output>>) -> Self {
        let output = timeout(PATIENCE, output).await.expect("an end in time").unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Finished { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Its standard output and standard error.
    pub fn output(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    #[track_caller]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }
}

impl Program {
    pub fn new() -> Self {
        let home = Arc::new(TempDir::new().unwrap());
        let data = home.path().join("data").display().to_string();
        Program { home, variables: Vec::new(), ulimit: None }
            .with("KAWARABAN_DATA_DIR", &data)
            .with("SERVER_HOST", "127.0.0.1")
            .with("SERVER_PORT", "0")
    }

    pub fn on(db: &TestDb) -> Self {
        Program::new().with("DATABASE_URL", db.url())
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs it under these limits of the shell, such as `-Sn 1024` for the soft limit on open files.
    pub fn under(mut self, ulimit: &'static str) -> Self {
        self.ulimit = Some(ulimit);
        self
    }

    /// A path in the folder that belongs to this program.
    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let binary = env!("CARGO_BIN_EXE_kawaraban");
        let mut command = match self.ulimit {
            None => Command::new(binary),
            Some(ulimit) => {
                let mut shell = Command::new("/bin/sh");
                shell.args(["-c", &format!("ulimit {ulimit} && exec \"$0\" \"$@\""), binary]);
                shell
            }
        };
        command.args(arguments).env_clear().envs(self.variables.iter().cloned());
        command.stdin(Stdio::null()).kill_on_drop(true);
        command
    }

    pub async fn run(&self, arguments: &[&str]) -> Finished {
        Finished::of(self.command(arguments).output()).await
    }

    /// Runs a command to its end that reads this from its standard input.
    pub async fn run_with_input(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Finished {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        let writing = tokio::spawn(async move {
            // A program need not read all of its input.
            let _ = stdin.write_all(&input).await;
        });
        let finished = Finished::of(child.wait_with_output()).await;
        writing.await.unwrap();
        finished
    }

    /// Starts a long-running command and waits until it is ready.
    pub async fn start(&self, arguments: &[&str]) -> Running {
        let mut running = self.start_without_waiting(arguments);
        timeout(PATIENCE, running.wait_until_ready()).await.expect("ready in time");
        running
    }

    /// The same by way of a shell script that ends with `exec "$0" "$@"`.
    pub async fn start_in_shell(&self, script: &str, arguments: &[&str]) -> Running {
        let program = self.command(arguments);
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(program.as_std().get_program()).args(arguments);
        command.env_clear().envs(self.variables.iter().cloned()).stdin(Stdio::null()).kill_on_drop(true);
        let mut running = self.spawn(command);
        timeout(PATIENCE, running.wait_until_ready()).await.expect("ready in time");
        running
    }

    pub fn start_without_waiting(&self, arguments: &[&str]) -> Running {
        self.spawn(self.command(arguments))
    }

    fn spawn(&self, mut command: Command) -> Running {
        // Unique names, since several may run at once.
        let log = self.path(&format!("stderr-{}", uuid::Uuid::new_v4()));
        let stderr = fs::File::create(&log).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap()).lines();
        Running { child, stdout, log, main: None, metrics: None, setup_link: None, _home: self.home.clone() }
    }
}

/// A process that runs. Killed when dropped.
pub struct Running {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    log: PathBuf,
    main: Option<SocketAddr>,
    metrics: Option<SocketAddr>,
    setup_link: Option<String>,
    _home: Arc<TempDir>,
}

impl Running {
    async fn wait_until_ready(&mut self) {
        while let Some(line) = self.stdout.next_line().await.unwrap() {
            if let Some((_, rest)) = line.split_once("listening on ") {
                self.main = Some(rest.trim_end_matches(')').parse().unwrap());
            }
            if let Some(rest) = line.strip_prefix("metrics on http://") {
                self.metrics = Some(rest.trim_end_matches("/metrics").parse().unwrap());
            }
            if let Some(link) = line.strip_prefix("set up your account at ") {
                self.setup_link = Some(link.to_owned());
            }
            if line.starts_with("ready") {
                return;
            }
        }
        panic!("it ended before it was ready:\n{}", self.log());
    }

    pub fn main(&self) -> SocketAddr {
        self.main.expect("a main port")
    }

    pub fn metrics(&self) -> SocketAddr {
        self.metrics.expect("a port for metrics")
    }

    /// The set-up link that it printed before it was ready.
    pub fn setup_link(&self) -> Option<&str> {
        self.setup_link.as_deref()
    }

    /// Its log so far.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Its log so far, as JSON objects.
    pub fn log_lines(&self) -> Vec<Value> {
        let log = self.log();
        log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
    }

    pub async fn wait_for_log(&self, text: &str) {
        until(async || self.log().contains(text)).await;
    }

    pub fn pid(&self) -> Pid {
        let pid = self.child.id().expect("a running process");
        Pid::from_raw(i32::try_from(pid).unwrap())
    }

    pub fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).unwrap();
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Its code, once it has ended.
    pub async fn code(&mut self) -> Option<i32> {
        timeout(PATIENCE, self.child.wait()).await.expect("an end in time").unwrap().code()
    }

    pub async fn stop(mut self) -> Option<i32> {
        self.signal(Signal::SIGTERM);
        self.code().await
    }
}

/// Waits until `condition` holds.
pub async fn until(mut condition: impl AsyncFnMut() -> bool) {
    let held = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, held).await.expect("the condition in time");
}

/// An HTTP response.
#[derive(Debug)]
pub struct HttpResponse {
    pub status: u16,
    pub head: String,
    pub body: String,
    /// The cookies that it sets, as they are sent back.
    pub cookies: Vec<String>,
}

impl HttpResponse {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub async fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)]) -> HttpResponse {
    send(address, method, path, headers, "").await
}

pub async fn get(address: SocketAddr, path: &str) -> HttpResponse {
    ask(address, "GET", path, &[]).await
}

/// Sends a request with a body on a new connection.
pub async fn send(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> HttpResponse {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await.expect("an answer in time").unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("not HTTP: {answer}"));
    let set_cookie = head.lines().filter_map(|line| line.split_once(": ")).filter(|(name, _)| *name == "set-cookie");
    let cookies = set_cookie.map(|(_, value)| value.split(';').next().unwrap_or_default().to_owned()).collect();
    HttpResponse {
        status: head[9..12].parse().unwrap(),
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
        cookies,
    }
}
