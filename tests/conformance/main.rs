//! The client that the conformance tool of the MCP project examines (`cargo xtask conformance`): our `mcp`, `forms` and
//! `signin` crates as the engine uses them, with a person in front who accepts every question as it is proposed.
//!
//! The tool starts it once per scenario: the URL of the scenario's server is the last argument, its name and what belongs
//! to it are in the environment. It does the same for nearly all of them: connect, list the tools, call them. The wire
//! is found by asking, as always; nobody tells us.

// The tool shows what is written here when a scenario fails.
#![allow(clippy::print_stderr)]

mod account;
mod asked;
mod calls;
mod scenario;
mod visit;

use std::process::ExitCode;
use std::time::Duration;

use scenario::Scenario;

/// The tool gives up after 30 s and kills; a message of ours says more.
const LONGEST: Duration = Duration::from_secs(25);

/// Why a scenario ended early. Some scenarios want just that.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("started without {0}")]
    Started(&'static str),
    #[error(transparent)]
    Mcp(#[from] signalbox_mcp::Error),
    #[error(transparent)]
    SignIn(#[from] signalbox_signin::oauth::SignInError),
    #[error(transparent)]
    Secret(#[from] signalbox_signin::SecretError),
    #[error("the server does not stop asking")]
    Rounds,
    #[error("no end within {LONGEST:?}")]
    Time,
}

#[tokio::main]
async fn main() -> ExitCode {
    let visited = match Scenario::read() {
        Ok(scenario) => {
            let visit = Box::pin(visit::visit(&scenario));
            tokio::time::timeout(LONGEST, visit).await.unwrap_or(Err(Failure::Time))
        }
        Err(failure) => Err(failure),
    };
    match visited {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
