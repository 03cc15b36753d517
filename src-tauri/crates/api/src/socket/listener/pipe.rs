//! A named pipe. Compiled on every system for its tests, where the library puts another kind of socket in its place; never run
//! on Windows so far.

#![cfg_attr(not(windows), expect(dead_code, reason = "unix has sockets of its own"))]

use std::{io, path::Path, time::Duration};

use interprocess::local_socket::{
    GenericNamespaced, ListenerOptions, Name, ToNsName as _,
    tokio::Listener as Inner,
    traits::tokio::{Listener as _, Stream as _},
};
use tokio::time;

use crate::{ApiError, home::storage};

pub(crate) type Stream = interprocess::local_socket::tokio::Stream;

/// How long to wait when the system cannot make one more connection.
const SHORTAGE: Duration = Duration::from_millis(200);

/// An open pipe. It goes when this is dropped.
pub(crate) struct Listener(Inner);

impl Listener {
    /// Only the holder of the owner lock may call this. Fails when somebody else has made a pipe of that name.
    pub(crate) fn bind(path: &Path) -> Result<Self, ApiError> {
        let bind = || private(ListenerOptions::new().name(name(path)?))?.create_tokio();
        bind().map(Self).map_err(|error| storage(path, &error))
    }

    /// The next connection. The pipe's access list lets in only programs of the same person.
    pub(crate) async fn accept(&self) -> Stream {
        loop {
            match self.0.accept().await {
                Ok(stream) => return stream,
                Err(error) => {
                    tracing::warn!(%error, "no connection could be accepted");
                    #[expect(
                        clippy::disallowed_methods,
                        reason = "the system does not tell when it can accept again"
                    )]
                    time::sleep(SHORTAGE).await;
                }
            }
        }
    }
}

/// The name is made of the data directory's fingerprint, and pipes are no files: there is nothing to look at before
/// connecting.
pub(crate) fn check(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) async fn connect(path: &Path) -> io::Result<Stream> {
    Stream::connect(name(path)?).await
}

fn name(path: &Path) -> io::Result<Name<'static>> {
    path.to_string_lossy().into_owned().to_ns_name::<GenericNamespaced>()
}

/// For its owner alone, and not over the network.
#[cfg(windows)]
fn private(options: ListenerOptions<'_>) -> io::Result<ListenerOptions<'_>> {
    use interprocess::os::windows::{
        local_socket::ListenerOptionsExt as _, security_descriptor::SecurityDescriptor,
    };

    let access = SecurityDescriptor::deserialize(widestring::u16cstr!("D:P(D;;GA;;;NU)(A;;GA;;;OW)"))?;
    Ok(options.security_descriptor(access))
}

#[cfg(not(windows))]
fn private(options: ListenerOptions<'_>) -> io::Result<ListenerOptions<'_>> {
    Ok(options)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn what_one_side_says_the_other_hears() {
        let dir = tempfile::tempdir().unwrap();
        let name = Path::new(dir.path().file_name().unwrap());
        assert!(connect(name).await.is_err(), "nobody listens yet");
        let listener = Listener::bind(name).unwrap();
        let (mut there, mut here) = tokio::join!(async { connect(name).await.unwrap() }, listener.accept());
        there.write_all(b"ask").await.unwrap();
        let mut said = [0; 3];
        here.read_exact(&mut said).await.unwrap();
        assert_eq!(&said, b"ask");
        drop((there, here, listener));
        assert!(connect(name).await.is_err(), "it went with its owner");
    }
}
