//! Requests of a process that cannot open another file. It is a child of the test: the limit holds for a whole process.

use std::process::Command;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use testkit::origin::{Origin, ok};

use crate::support::{Result, fetch, kind};

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
    let by_name = fetch(&origin.url_as("localhost", "/")).await?;
    setrlimit(Resource::Nofile, limit)?;
    assert_eq!(kind(&by_address), "out_of_resources", "{by_address:?}");
    assert_eq!(kind(&by_name), "out_of_resources", "{by_name:?}");
    assert_eq!(kind(&fetch(&origin.url("/")).await?), "answered");
    Ok(())
}
