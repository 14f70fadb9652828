//! From the HTTP library's errors to ours, by walking the chain of causes.

use std::error::Error as StdError;
use std::io;

use super::{Error, Part, resources::is_lack};
use crate::guard::Refusal;
use crate::resolve::LookupFailed;

/// The size that the HTTP/1 parser gives up at; the library has no setting for it.
const HEAD_LIMIT_BYTES: usize = 8192 + 4096 * 100;

impl Error {
    /// Names a library error for what can be done about it; `None` is a deadline of the library's own.
    pub(crate) fn from_transport(error: reqwest::Error) -> Option<Self> {
        if error.is_timeout() {
            return None;
        }
        // The message of the library repeats the URL, and a URL may hold a key.
        let error = error.without_url();
        Some(match verdict(&error) {
            Verdict::Ours(ours) => ours,
            Verdict::OutOfResources(source) => Self::OutOfResources { source },
            Verdict::Tls => Self::Tls { source: error.into() },
            Verdict::HeadTooLarge => Self::TooLarge { what: Part::Head, limit_bytes: HEAD_LIMIT_BYTES },
            Verdict::Protocol => Self::Protocol { source: error.into() },
            Verdict::Cut => Self::Connect { source: error.into() },
            Verdict::Unknown if error.is_builder() => Self::InvalidUrl { reason: error.to_string() },
            Verdict::Unknown => Self::Connect { source: error.into() },
        })
    }

    /// Whether the connection went away before a byte of the answer was seen.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self, Self::Connect { source } if matches!(verdict(source.as_ref()), Verdict::Cut))
    }
}

enum Verdict {
    Ours(Error),
    OutOfResources(io::Error),
    Tls,
    HeadTooLarge,
    Protocol,
    Cut,
    Unknown,
}

/// The innermost cause that says something wins: a TLS alert arrives wrapped in an I/O error wrapped in an HTTP error.
fn verdict(error: &(dyn StdError + 'static)) -> Verdict {
    let mut found = Verdict::Unknown;
    let mut next = Some(error);
    while let Some(cause) = next {
        match judge(cause) {
            Verdict::Unknown => {}
            decided @ (Verdict::Ours(_) | Verdict::OutOfResources(_) | Verdict::Tls | Verdict::HeadTooLarge) => {
                return decided;
            }
            other => found = other,
        }
        next = cause.source();
    }
    found
}

fn judge(cause: &(dyn StdError + 'static)) -> Verdict {
    if let Some(refusal) = cause.downcast_ref::<Refusal>() {
        return Verdict::Ours(refusal.clone().into());
    }
    if let Some(failed) = cause.downcast_ref::<LookupFailed>() {
        return Verdict::Ours(failed.clone().into());
    }
    if cause.is::<rustls::Error>() {
        return Verdict::Tls;
    }
    if let Some(http) = cause.downcast_ref::<hyper::Error>() {
        return judge_http(http);
    }
    match cause.downcast_ref::<io::Error>() {
        Some(io) => judge_io(io),
        None => Verdict::Unknown,
    }
}

fn judge_http(http: &hyper::Error) -> Verdict {
    if http.is_parse_too_large() {
        Verdict::HeadTooLarge
    } else if http.is_parse() {
        Verdict::Protocol
    } else if http.is_incomplete_message() || http.is_canceled() || http.is_closed() {
        Verdict::Cut
    } else if http.source().is_some_and(|source| !source.is::<io::Error>()) {
        // What is left with a cause that is no I/O error comes from HTTP/2.
        Verdict::Protocol
    } else {
        Verdict::Unknown
    }
}

fn judge_io(io: &io::Error) -> Verdict {
    if let Some(code) = io.raw_os_error().filter(|_| is_lack(io)) {
        return Verdict::OutOfResources(io::Error::from_raw_os_error(code));
    }
    // An I/O error does not list the error it wraps among its sources, only that error's own.
    if let Some(inner) = io.get_ref() {
        match judge(inner) {
            Verdict::Unknown => {}
            decided => return decided,
        }
    }
    match io.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Verdict::Protocol,
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::NotConnected => Verdict::Cut,
        _ => Verdict::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    /// An error as the HTTP library wraps it.
    #[derive(Debug, thiserror::Error)]
    #[error("tcp connect error")]
    struct Wrapped(#[source] io::Error);

    #[test]
    fn a_lack_of_our_own_is_told_apart_from_faults_of_the_host() {
        for errno in [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::NOBUFS, Errno::NOSPC] {
            let found = verdict(&Wrapped(io::Error::from(errno)));
            assert!(
                matches!(&found, Verdict::OutOfResources(io) if Errno::from_io_error(io) == Some(errno)),
                "{errno}"
            );
            // As it comes out of a TLS stream.
            let nested = io::Error::other(Wrapped(io::Error::from(errno)));
            assert!(matches!(verdict(&nested), Verdict::OutOfResources(_)), "{errno}");
        }
        for errno in [Errno::CONNREFUSED, Errno::NETUNREACH, Errno::HOSTUNREACH, Errno::ADDRNOTAVAIL, Errno::TIMEDOUT] {
            assert!(matches!(verdict(&Wrapped(io::Error::from(errno))), Verdict::Unknown), "{errno}");
        }
    }
}
