//! Requests of a process that cannot open another file. It is a child of the test: the limit holds for a whole process.

use std::process::Command;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use testkit::origin::{Origin, ok};

use crate::support::{Result, fetch, kind};

#[test]
fn a_lack_of_files_is_not_a_fault_of_the_host() -> Result {
    let child = Command::new(std::env::current_exe()?)
        .args(["--exact", "resources::requests_without_files", "--ignored", "--test-threads=1"])
        .output()?;
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&child.stderr));
    Ok(())
}

#[tokio::test]
#[ignore = "changes the limit of the whole process; the test above runs it in a child"]
async fn requests_without_files() -> Result {
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
