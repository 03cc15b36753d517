//! Frames: a length, and that many bytes of JSON.

use std::io;

use serde::{Serialize, de::DeserializeOwned};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The largest frame, in bytes: a whole payload (64 MiB unless the person raised that) as a JSON string fits.
pub(crate) const LIMIT: u32 = 256 * 1024 * 1024;

/// The largest first frame, in bytes: nobody has shown yet that they speak our language.
pub(crate) const HELLO_LIMIT: u32 = 4 * 1024;

/// The next frame; none at the end of the stream.
///
/// # Errors
/// When the stream fails, the frame is over `limit`, or it is not the JSON of a `T`.
pub(crate) async fn read<T: DeserializeOwned>(
    stream: &mut (impl AsyncRead + Unpin),
    limit: u32,
) -> io::Result<Option<T>> {
    let len = match stream.read_u32().await {
        Ok(len) => len,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    };
    if len > limit {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the frame is too large"));
    }
    // Grows with what really arrives: a length alone allocates nothing.
    let mut bytes = Vec::new();
    stream.take(len.into()).read_to_end(&mut bytes).await?;
    if bytes.len() < len as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_slice(&bytes).map(Some).map_err(io::Error::from)
}

/// `message` as a frame.
///
/// # Errors
/// When it is larger than [`LIMIT`].
pub(crate) fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let len = u32::try_from(frame.len() - 4).ok().filter(|len| *len <= LIMIT);
    let len = len.ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, "the frame is too large"))?;
    frame[..4].copy_from_slice(&len.to_be_bytes());
    Ok(frame)
}

/// Writes a frame made by [`encode`].
pub(crate) async fn send(stream: &mut (impl AsyncWrite + Unpin), frame: &[u8]) -> io::Result<()> {
    stream.write_all(frame).await?;
    stream.flush().await
}
