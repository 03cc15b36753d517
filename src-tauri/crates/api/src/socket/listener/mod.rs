//! The platform's side of the socket: who may connect, and whom we connect to.

#[cfg(windows)]
pub(crate) use pipe::{Listener, Stream, check, connect};
#[cfg(unix)]
pub(crate) use unix::{Listener, Stream, check, connect};

#[cfg(unix)]
mod unix {
    use std::{
        fs, io,
        os::unix::fs::{MetadataExt, PermissionsExt},
        path::{Path, PathBuf},
        time::Duration,
    };

    use tokio::{net::UnixListener, time};

    use crate::{
        ApiError,
        home::{storage, whoami},
    };

    pub(crate) type Stream = tokio::net::UnixStream;

    /// How long to wait when the system has no file descriptor left for one more connection.
    const SHORTAGE: Duration = Duration::from_millis(200);

    /// A bound socket. Its file goes when this is dropped.
    pub(crate) struct Listener {
        inner: UnixListener,
        path: PathBuf,
        inode: u64,
    }

    impl Listener {
        /// Only the holder of the owner lock may call this: what lies at `path` is then left from an owner that died.
        pub(crate) fn bind(path: &Path) -> Result<Self, ApiError> {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(storage(path, &error)),
                _ => {}
            }
            let bind = || {
                let inner = UnixListener::bind(path)?;
                fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
                let inode = fs::symlink_metadata(path)?.ino();
                Ok(Self { inner, path: path.to_owned(), inode })
            };
            bind().map_err(|error: io::Error| storage(path, &error))
        }

        /// The next connection of a program of the same person; others are dropped without a word.
        pub(crate) async fn accept(&self) -> Stream {
            loop {
                match self.inner.accept().await {
                    Ok((stream, _)) if ours(&stream) => return stream,
                    Ok(_) => tracing::warn!("a program of another user tried the owner's socket"),
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

    impl Drop for Listener {
        fn drop(&mut self) {
            // The next owner may have put its own there already.
            if fs::symlink_metadata(&self.path).is_ok_and(|meta| meta.ino() == self.inode) {
                let _ = fs::remove_file(&self.path);
            }
        }
    }

    /// Whether what lies at `path` is a socket that we made: whoever else could put one there could answer for the owner.
    ///
    /// # Errors
    /// When it is not, or is not there.
    pub(crate) fn check(path: &Path) -> io::Result<()> {
        use std::os::unix::fs::FileTypeExt;

        let meta = fs::symlink_metadata(path)?;
        let ours = meta.file_type().is_socket() && meta.uid() == whoami();
        if ours { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    }

    pub(crate) async fn connect(path: &Path) -> io::Result<Stream> {
        check(path)?;
        let stream = Stream::connect(path).await?;
        if ours(&stream) { Ok(stream) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    }

    fn ours(stream: &Stream) -> bool {
        stream.peer_cred().is_ok_and(|peer| peer.uid() == whoami())
    }
}

#[cfg(any(windows, test))]
mod pipe;
