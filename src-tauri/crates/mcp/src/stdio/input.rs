//! A child's standard input.

#[cfg(unix)]
pub(super) use unix::Input;

#[cfg(not(unix))]
pub(super) use other::Input;

#[cfg(unix)]
mod unix {
    use std::io;

    use tokio::{
        io::{AsyncWriteExt as _, Interest},
        net::unix::pipe::Sender,
        process::ChildStdin,
    };

    pub(crate) struct Input(Sender);

    impl Input {
        pub(crate) fn of(stdin: ChildStdin) -> io::Result<Self> {
            Sender::from_owned_fd(stdin.into_owned_fd()?).map(Self)
        }

        pub(crate) async fn write(&mut self, message: &[u8]) -> io::Result<()> {
            self.0.write_all(message).await
        }

        /// Returns once nobody can read from it any more: what was written may never have been read, and no write would
        /// tell, for there may be no other.
        pub(crate) async fn closed(&self) {
            if let Err(error) = self.0.ready(Interest::ERROR).await {
                tracing::debug!(kind = ?error.kind(), "a child's input is not watched");
                std::future::pending().await
            }
        }
    }
}

/// Elsewhere only the next write tells that nobody reads.
#[cfg(not(unix))]
mod other {
    use std::io;

    use tokio::{io::AsyncWriteExt as _, process::ChildStdin};

    pub(crate) struct Input(ChildStdin);

    impl Input {
        pub(crate) fn of(stdin: ChildStdin) -> io::Result<Self> {
            Ok(Self(stdin))
        }

        pub(crate) async fn write(&mut self, message: &[u8]) -> io::Result<()> {
            self.0.write_all(message).await
        }

        pub(crate) async fn closed(&self) {
            std::future::pending().await
        }
    }
}
