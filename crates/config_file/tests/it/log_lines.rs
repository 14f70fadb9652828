//! The log lines of a test.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use tracing::subscriber::DefaultGuard;

/// Collects the log lines of this thread while it exists.
pub struct LogLines {
    bytes: SharedBytes,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct SharedBytes(Arc<Mutex<Vec<u8>>>);

impl LogLines {
    pub fn collect() -> LogLines {
        let bytes = SharedBytes::default();
        let writer = bytes.clone();
        let subscriber = tracing_subscriber::fmt()
            .without_time()
            .with_target(false)
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        LogLines { bytes, _guard: tracing::subscriber::set_default(subscriber) }
    }

    /// The lines since the last call, without the path of the file.
    pub fn take(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.bytes.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines()
            .map(|line| line.split(" path=").map(without_first_word).collect::<String>().trim().to_owned())
            .collect()
    }
}

/// The rest of a line after the path.
fn without_first_word(part: &str) -> &str {
    if part.trim_start().starts_with('/') { part.find(' ').map_or("", |space| &part[space..]) } else { part }
}

impl Write for SharedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
