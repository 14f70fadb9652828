//! Requests of a process that cannot open another file. It is a child of the test: the limit holds for a whole process.

use std::process::Command;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use testkit::origin::{Origin, ok};

use crate::support::{Result, fetch, kind};

/// A name that the system's resolver is asked for and that has no address (RFC 6761).
const UNKNOWN: &str = "http://kawaraban.invalid/";

/// An argument that tells the child that it is the child. The test harness skips the tests of this name: there are none.
const CHILD: &str = "--skip=this-is-the-child";

#[tokio::test]
async fn a_lack_of_files_is_not_a_fault_of_the_host() -> Result {
    if std::env::args().any(|argument| argument == CHILD) {
        return fetch_without_files().await;
    }
    let child = Command::new(std::env::current_exe()?)
        .args(["--exact", "resources::a_lack_of_files_is_not_a_fault_of_the_host", CHILD])
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
    // Enough for the look-up itself by now, but hardly when it failed.
    let open = std::fs::read_dir("/proc/self/fd")?.count() as u64;
    setrlimit(Resource::Nofile, Rlimit { current: Some(open + 4), ..limit })?;
    let nearly_out = fetch(UNKNOWN).await?;
    setrlimit(Resource::Nofile, limit)?;
    assert_eq!(kind(&nearly_out), "out_of_resources", "{nearly_out:?}");
    assert_eq!(kind(&fetch(&origin.url("/")).await?), "answered");
    Ok(())
}
