//! An owner of an older version for tests: `other-version HOME` owns the data directory as `serve` does, speaks a protocol that
//! nobody speaks any more, and prints `ready`. It ends as the system asks it to.

#![cfg_attr(not(unix), allow(unused))]

use std::error::Error;

#[cfg(unix)]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    use std::{io::Write as _, path::Path};

    use signalbox_api::{Home, OwnerKind, Ownership};
    use tokio::{io::AsyncWriteExt as _, net::UnixListener};

    const HELLO: &[u8] = br#"{"signalbox":1,"version":"0.0.1"}"#;

    let home = std::env::args_os().nth(1).ok_or("usage: other-version HOME")?;
    let home = Home::at(Path::new(&home))?;
    let _ownership = Ownership::take(&home, OwnerKind::Serve)?;
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(home.dir().join("owner.lock"))?)?;
    let socket = record["socket"].as_str().ok_or("the lock file says where the socket is")?;
    let _ = std::fs::remove_file(socket);
    let listener = UnixListener::bind(socket)?;
    writeln!(std::io::stdout(), "ready")?;
    loop {
        let (mut stream, _) = listener.accept().await?;
        let hello = [&u32::try_from(HELLO.len())?.to_be_bytes()[..], HELLO].concat();
        // Who hangs up is none of its business.
        let _ = stream.write_all(&hello).await;
    }
}

#[cfg(not(unix))]
fn main() {}
