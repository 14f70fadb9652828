//! Maps the HTTP library's errors to ours by their chain of causes.

use std::error::Error as StdError;
use std::io;

use super::{Error, ResponsePart, resources::is_out_of_resources};
use crate::guard::Refusal;
use crate::resolve::LookupFailed;

/// The limit of the HTTP/1 parser, which has no setting.
const HEAD_LIMIT_BYTES: usize = 8192 + 4096 * 100;

impl Error {
    /// Maps a library error. `None` is a time-out of the library.
    pub(crate) fn from_transport(error: reqwest::Error) -> Option<Self> {
        if error.is_timeout() {
            return None;
        }
        // The library's message contains the URL, which may contain a key.
        let error = error.without_url();
        Some(match classify(&error) {
            Class::Ours(ours) => ours,
            Class::OutOfResources(source) => Self::OutOfResources { source },
            Class::Tls => Self::Tls { source: error.into() },
            Class::HeadTooLarge => Self::TooLarge { what: ResponsePart::Head, limit_bytes: HEAD_LIMIT_BYTES },
            Class::Protocol => Self::Protocol { source: error.into() },
            Class::Cut => Self::Connect { source: error.into() },
            Class::Unknown if error.is_builder() => Self::InvalidUrl { reason: error.to_string() },
            Class::Unknown => Self::Connect { source: error.into() },
        })
    }

    /// Whether the connection was closed before the first byte of the response.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self, Self::Connect { source } if matches!(classify(source.as_ref()), Class::Cut))
    }
}

enum Class {
    Ours(Error),
    OutOfResources(io::Error),
    Tls,
    HeadTooLarge,
    Protocol,
    Cut,
    Unknown,
}

/// The innermost known cause wins: a TLS alert is wrapped in an I/O error, which is wrapped in an HTTP error.
fn classify(error: &(dyn StdError + 'static)) -> Class {
    let mut found = Class::Unknown;
    let mut next = Some(error);
    while let Some(cause) = next {
        match classify_cause(cause) {
            Class::Unknown => {}
            decided @ (Class::Ours(_) | Class::OutOfResources(_) | Class::Tls | Class::HeadTooLarge) => {
                return decided;
            }
            other => found = other,
        }
        next = cause.source();
    }
    found
}

fn classify_cause(cause: &(dyn StdError + 'static)) -> Class {
    if let Some(refusal) = cause.downcast_ref::<Refusal>() {
        return Class::Ours(refusal.clone().into());
    }
    if let Some(failed) = cause.downcast_ref::<LookupFailed>() {
        return Class::Ours(failed.clone().into());
    }
    if cause.is::<rustls::Error>() {
        return Class::Tls;
    }
    if let Some(http) = cause.downcast_ref::<hyper::Error>() {
        return check_http(http);
    }
    match cause.downcast_ref::<io::Error>() {
        Some(io) => check_io(io),
        None => Class::Unknown,
    }
}

fn check_http(http: &hyper::Error) -> Class {
    if http.is_parse_too_large() {
        Class::HeadTooLarge
    } else if http.is_parse() {
        Class::Protocol
    } else if http.is_incomplete_message() || http.is_canceled() || http.is_closed() {
        Class::Cut
    } else if http.source().is_some_and(|source| !source.is::<io::Error>()) {
        // What is left with a cause that is no I/O error comes from HTTP/2.
        Class::Protocol
    } else {
        Class::Unknown
    }
}

fn check_io(io: &io::Error) -> Class {
    if let Some(code) = io.raw_os_error().filter(|_| is_out_of_resources(io)) {
        return Class::OutOfResources(io::Error::from_raw_os_error(code));
    }
    // An I/O error does not list the error it wraps among its sources, only that error's own.
    if let Some(inner) = io.get_ref() {
        match classify_cause(inner) {
            Class::Unknown => {}
            decided => return decided,
        }
    }
    match io.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Class::Protocol,
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::NotConnected => Class::Cut,
        _ => Class::Unknown,
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
    fn local_shortages_are_not_faults_of_the_host() {
        for errno in [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::NOBUFS, Errno::NOSPC] {
            let found = classify(&Wrapped(io::Error::from(errno)));
            assert!(matches!(&found, Class::OutOfResources(io) if Errno::from_io_error(io) == Some(errno)), "{errno}");
            // As it comes out of a TLS stream.
            let nested = io::Error::other(Wrapped(io::Error::from(errno)));
            assert!(matches!(classify(&nested), Class::OutOfResources(_)), "{errno}");
        }
        for errno in [Errno::CONNREFUSED, Errno::NETUNREACH, Errno::HOSTUNREACH, Errno::ADDRNOTAVAIL, Errno::TIMEDOUT] {
            assert!(matches!(classify(&Wrapped(io::Error::from(errno))), Class::Unknown), "{errno}");
        }
    }
}
