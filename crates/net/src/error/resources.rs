//! A lack of our own resources, told apart from faults of the other end.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};

use rustix::io::Errno;

use super::Error;

/// Whether this process or machine has run out of files, memory, buffers or disk space.
///
/// `EADDRNOTAVAIL` is left out: it can mean that all local ports are in use, but where IPv6 is turned off, every connection to
/// an IPv6 address fails with it.
pub(super) fn is_lack(error: &io::Error) -> bool {
    const LACKS: [Errno; 5] = [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::NOBUFS, Errno::NOSPC];
    Errno::from_io_error(error).is_some_and(|errno| LACKS.contains(&errno))
}

/// The error of a look-up that failed.
///
/// The C library reports an unknown name or a resolver that does not answer when it cannot open a file or a socket, so
/// this opens a socket to find out.
pub(crate) fn of_lookup(host: &str, source: io::Error) -> Error {
    if is_lack(&source) {
        return Error::OutOfResources { source };
    }
    match UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)) {
        Err(lack) if is_lack(&lack) => Error::OutOfResources { source: lack },
        _ => Error::Dns { host: host.to_owned(), source },
    }
}
