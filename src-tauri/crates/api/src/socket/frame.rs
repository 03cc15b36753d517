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
    match length(stream, limit).await? {
        Some(len) => body(stream, len).await.map(Some),
        None => Ok(None),
    }
}

/// How many bytes the next frame has; none at the end of the stream.
///
/// # Errors
/// When the stream fails, or the frame is over `limit`.
pub(crate) async fn length(stream: &mut (impl AsyncRead + Unpin), limit: u32) -> io::Result<Option<u32>> {
    match stream.read_u32().await {
        Ok(len) if len > limit => Err(io::Error::new(io::ErrorKind::InvalidData, "the frame is too large")),
        Ok(len) => Ok(Some(len)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// A frame whose [`length`] has been read.
///
/// # Errors
/// When the stream fails or ends, or it is not the JSON of a `T`.
pub(crate) async fn body<T: DeserializeOwned>(
    stream: &mut (impl AsyncRead + Unpin),
    len: u32,
) -> io::Result<T> {
    // Grows with what really arrives: a length alone allocates nothing.
    let mut bytes = Vec::new();
    stream.take(len.into()).read_to_end(&mut bytes).await?;
    if bytes.len() < len as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_slice(&bytes).map_err(io::Error::from)
}

/// How many bytes `message` has in a frame, without making it.
///
/// # Errors
/// When they are more than [`LIMIT`].
pub(crate) fn size(message: &impl Serialize) -> io::Result<u32> {
    struct Counted(usize);

    impl io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut counted = Counted(0);
    serde_json::to_writer(&mut counted, message)?;
    within_limit(counted.0)
}

fn within_limit(bytes: usize) -> io::Result<u32> {
    let len = u32::try_from(bytes).ok().filter(|len| *len <= LIMIT);
    len.ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, "the frame is too large"))
}

/// `message` as a frame.
///
/// # Errors
/// When it is larger than [`LIMIT`].
pub(crate) fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let len = within_limit(frame.len() - 4)?;
    frame[..4].copy_from_slice(&len.to_be_bytes());
    Ok(frame)
}

/// Writes a frame made by [`encode`].
pub(crate) async fn send(stream: &mut (impl AsyncWrite + Unpin), frame: &[u8]) -> io::Result<()> {
    stream.write_all(frame).await?;
    stream.flush().await
}
