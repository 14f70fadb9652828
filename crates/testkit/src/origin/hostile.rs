//! Misbehaving servers. None of them holds its response in memory.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Origin, read_request};

/// Closes every connection at once.
pub async fn cut_at_accept() -> Origin {
    Origin::raw(|stream| async move { drop(stream) }).await
}

/// Reads the request and never answers.
pub async fn silent() -> Origin {
    Origin::raw(|mut stream| async move {
        let mut sink = [0; 1024];
        while stream.read(&mut sink).await.is_ok_and(|count| count > 0) {}
    })
    .await
}

/// Answers with these bytes and closes.
pub async fn cut_after(bytes: impl Into<Vec<u8>>) -> Origin {
    repeating(Vec::new(), bytes, 1).await
}

/// Answers with a head, then with a piece over and over, then closes.
pub async fn repeating(head: impl Into<Vec<u8>>, piece: impl Into<Vec<u8>>, times: usize) -> Origin {
    let (head, piece) = (head.into(), piece.into());
    Origin::raw(move |mut stream| {
        let (head, piece) = (head.clone(), piece.clone());
        async move {
            if read_request(&mut stream).await.is_none() || stream.write_all(&head).await.is_err() {
                return;
            }
            for _ in 0..times {
                if stream.write_all(&piece).await.is_err() {
                    return;
                }
            }
            // Closing with unread input would be a reset; this is an orderly end.
            let _ = stream.shutdown().await;
        }
    })
    .await
}

/// Answers with a head, then with single bytes and pauses in between, until the client closes the connection.
pub async fn trickle(head: impl Into<Vec<u8>>, byte: u8, pause: Duration) -> Origin {
    let head = head.into();
    Origin::raw(move |mut stream| {
        let head = head.clone();
        async move {
            let mut alive = read_request(&mut stream).await.is_some() && stream.write_all(&head).await.is_ok();
            while alive {
                tokio::time::sleep(pause).await;
                alive = stream.write_all(&[byte]).await.is_ok();
            }
        }
    })
    .await
}

/// Answers with headers that never end.
pub async fn endless_headers() -> Origin {
    repeating("HTTP/1.1 200 OK\r\n", format!("X-Filler: {}\r\n", "x".repeat(1000)), usize::MAX).await
}

/// Answers the request with a reset.
pub async fn reset() -> Origin {
    Origin::raw(|mut stream| async move {
        // Unread input turns the close into a reset.
        let _ = stream.read_u8().await;
        drop(stream);
    })
    .await
}
