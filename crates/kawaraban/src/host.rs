//! The name of this machine.

/// The name that tells workers apart by machine; a container has its own.
pub fn name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
