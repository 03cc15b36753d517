//! The demo server, played by the window's own program: it lies wherever that was installed, and nothing has to be found.

use std::process::ExitCode;

use signalbox_demo::{Demo as Server, DemoError, ScriptOptions};

use crate::args::Demo;

/// Why it ended early.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Demo(#[from] DemoError),
    #[error("the demo server cannot read or write: {0}")]
    Io(#[from] std::io::Error),
}

/// Serves until the desk closes its end. No window, no display.
pub(crate) fn serve(Demo::Stdio { state }: Demo) -> ExitCode {
    match tauri::async_runtime::block_on(stdio(ScriptOptions { state, ..ScriptOptions::default() })) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

async fn stdio(options: ScriptOptions) -> Result<(), Failed> {
    Ok(Server::open(options)?.serve_stdio(tokio::io::stdin(), tokio::io::stdout()).await?)
}

/// The desk shows what a server's program says last on stderr.
#[allow(clippy::print_stderr)]
fn report(error: &Failed) {
    eprintln!("signalbox-desktop: {error}");
}
