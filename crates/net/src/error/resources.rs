//! Distinguishes a lack of local resources from failures of the server.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};

use rustix::io::Errno;

use super::Error;

/// Whether this process or machine has run out of files, memory, buffers or disk space.
///
/// `EADDRNOTAVAIL` is left out: it can mean that all local ports are in use, but where IPv6 is turned off, every connection to
/// an IPv6 address fails with it.
pub(super) fn is_out_of_resources(error: &io::Error) -> bool {
    const LACKS: [Errno; 5] = [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::NOBUFS, Errno::NOSPC];
    Errno::from_io_error(error).is_some_and(|errno| LACKS.contains(&errno))
}

/// The error of a look-up that failed.
///
/// The C library reports an unknown name or a resolver that does not answer when it cannot open a file or a socket, so
/// this opens sockets to find out: more than a look-up needs, because other files may have been closed since it failed.
pub(crate) fn of_lookup(host: &str, source: io::Error) -> Error {
    if is_out_of_resources(&source) || is_out_of_memory(&source) {
        return Error::OutOfResources { source };
    }
    let spare: io::Result<Vec<_>> = (0..SPARE_FILES).map(|_| UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))).collect();
    match spare {
        Err(lack) if is_out_of_resources(&lack) => Error::OutOfResources { source: lack },
        _ => Error::Dns { host: host.to_owned(), source },
    }
}

/// A failed look-up with fewer free files than this counts as a lack of files.
const SPARE_FILES: usize = 8;

/// `EAI_MEMORY`, of which the standard library keeps only the message of the C library.
fn is_out_of_memory(error: &io::Error) -> bool {
    error.raw_os_error().is_none() && error.to_string().to_ascii_lowercase().contains("memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_up_without_memory_is_out_of_resources() {
        for (words, kind) in [
            ("failed to lookup address information: Memory allocation failure", "out_of_resources"),
            ("failed to lookup address information: Out of memory", "out_of_resources"),
            ("failed to lookup address information: Name or service not known", "dns"),
        ] {
            assert_eq!(of_lookup("a.test", io::Error::other(words)).kind(), kind, "{words}");
        }
    }
}
