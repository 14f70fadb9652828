//! The state of a connection. To make room, the server closes only connections that are not answering a request.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::Instant,
};

/// The activity of one connection, shared by its task and the table of connections.
pub(super) struct Activity {
    accepted_at: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No complete request head has arrived.
    Silent,
    /// A request is being handled, or its response is being written.
    Answering,
    /// The response is complete, but part of it is still in the buffer of the connection.
    Flushing,
    /// The last response is sent; the next request has not arrived.
    Idle(Instant),
    /// The server closes the connection.
    Closing,
}

/// Connections that wait for a request, in the order in which they are closed to make room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WaitingSince {
    /// Accepted at this time; has never sent a request.
    Silent(Instant),
    /// Idle since this time.
    Idle(Instant),
}

impl Activity {
    pub fn new() -> Arc<Activity> {
        Arc::new(Activity { accepted_at: Instant::now(), state: Mutex::new(State::Silent) })
    }

    /// Since when the connection waits for a request; `None` while it answers one.
    pub fn waiting(&self) -> Option<WaitingSince> {
        match *self.state() {
            State::Silent => Some(WaitingSince::Silent(self.accepted_at)),
            State::Idle(since) => Some(WaitingSince::Idle(since)),
            State::Answering | State::Flushing | State::Closing => None,
        }
    }

    /// Reserves a waiting connection for closing; false if a request has arrived meanwhile.
    pub fn close(&self) -> bool {
        self.close_if(|state| matches!(state, State::Silent | State::Idle(_)))
    }

    /// Reserves the connection for closing if it has never sent a request.
    pub fn close_silent(&self) -> bool {
        self.close_if(|state| state == State::Silent)
    }

    fn close_if(&self, condition: impl Fn(State) -> bool) -> bool {
        let mut state = self.state();
        let closes = condition(*state);
        if closes {
            *state = State::Closing;
        }
        closes
    }

    /// A request head has arrived; false if the connection is being closed.
    pub fn begin(&self) -> bool {
        let mut state = self.state();
        let is_open = *state != State::Closing;
        if is_open {
            *state = State::Answering;
        }
        is_open
    }

    fn answered(&self) {
        let mut state = self.state();
        if *state == State::Answering {
            *state = State::Flushing;
        }
    }

    fn flushed(&self) {
        let mut state = self.state();
        if *state == State::Flushing {
            *state = State::Idle(Instant::now());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body of a response. hyper drops it when the last byte is in the buffer of the connection.
pub(super) struct TrackedBody {
    pub body: Body,
    pub activity: Arc<Activity>,
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for TrackedBody {
    fn drop(&mut self) {
        self.activity.answered();
    }
}

/// The socket of a connection. hyper flushes it when its own buffer is empty, so the response is sent then.
pub(super) struct TrackedSocket {
    pub stream: TcpStream,
    pub activity: Arc<Activity>,
}

impl AsyncRead for TrackedSocket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for TrackedSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        if let Poll::Ready(Ok(())) = flushed {
            self.activity.flushed();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
