//! What is logged on this thread, kept in memory.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

use tracing::{Dispatch, subscriber::DefaultGuard};
use tracing_subscriber::{fmt::MakeWriter, util::SubscriberInitExt};

/// A log that is kept in memory: the lines of this thread, as JSON. It ends when it is dropped.
pub struct Log {
    bytes: Bytes,
    _guard: DefaultGuard,
    /// With one subscriber alone, tracing lets threads that have none decide for all which lines are wanted.
    _another: Dispatch,
}

impl Log {
    /// Keeps what this thread logs from now on and what passes the filter, such as `trace,sqlx=info`.
    pub fn start(filter: &str) -> Log {
        let bytes = Bytes::default();
        let _another = Dispatch::new(tracing_subscriber::registry());
        let _guard =
            tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(bytes.clone()).finish().set_default();
        Log { bytes, _guard, _another }
    }

    /// The lines since the last call.
    pub fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.bytes.0.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8(bytes).expect("a log of UTF-8")
    }
}

#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl io::Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Bytes {
    type Writer = Bytes;

    fn make_writer(&'a self) -> Bytes {
        self.clone()
    }
}
