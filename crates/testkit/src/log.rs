//! The log of a thread, in memory.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

use tracing::{Dispatch, subscriber::DefaultGuard};
use tracing_subscriber::{fmt::MakeWriter, util::SubscriberInitExt};

/// Captures the log of this thread as JSON lines until it is dropped.
pub struct CapturedLog {
    bytes: Bytes,
    _guard: DefaultGuard,
    /// With a single subscriber, tracing lets threads without one decide which lines are enabled.
    _another: Dispatch,
}

impl CapturedLog {
    /// Captures the lines of this thread that pass the filter, such as `trace,sqlx=info`.
    pub fn start(filter: &str) -> CapturedLog {
        let bytes = Bytes::default();
        let _another = Dispatch::new(tracing_subscriber::registry());
        let _guard =
            tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(bytes.clone()).finish().set_default();
        CapturedLog { bytes, _guard, _another }
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
