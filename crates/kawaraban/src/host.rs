//! The name of this machine.

/// The host name of this machine or container.
pub fn name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
