//! The demo server: our own program, started as a scripted MCP server. It is never looked for on the search path, so
//! that it works from a build, a package, an AppImage and an application folder alike. What makes a server the demo is
//! that we registered it as that ([`Ours`]): anybody can give a server its name, and write a configuration that starts
//! one alike.
//!
//! The program is `signalbox demo stdio` or `signalbox-desktop demo stdio`, whichever runs. In a build tree one of the
//! two may not be built, an AppImage has one entry (`$APPIMAGE`, since what is mounted goes with the run), an
//! application folder has one executable, and a package has both.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use signalbox_model::{Server, ServerId, Transport};
use signalbox_store::{ReadError, Reads};

use crate::{ApiError, Code, NewTransport};

/// The name of the setting that holds [`Ours`].
pub(crate) const DEMO: &str = "demo";

/// What it is called, unless a person's own server is.
pub(crate) const NAME: &str = "demo";

/// What is started by itself: a tool, and its arguments as JSON.
pub(crate) const CALLS: [(&str, &str); 2] = [
    ("deploy", r#"{"service":"api-gateway","version":"4.18.2","region":"eu-west"}"#),
    ("build", r#"{"ref":"main"}"#),
];

const STATE: &str = "demo-state.jsonl";
const ARGS: [&str; 3] = ["demo", "stdio", "--state"];

/// Where it keeps its tasks: they survive its restarts, as those of a real server do.
pub(crate) fn state_file(home: &Path) -> PathBuf {
    home.join(STATE)
}

/// How it is reached.
///
/// # Errors
/// [`Code::NotSupported`] where a path is no Unicode: it could not be kept.
pub(crate) fn transport(program: &Path, home: &Path) -> Result<NewTransport, ApiError> {
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| {
            let message = format!("The demo cannot be started: {} is not Unicode", path.display());
            ApiError::new(Code::NotSupported, message)
        })
    };
    let state = text(&state_file(home))?;
    let args = ARGS.iter().map(|arg| (*arg).to_owned()).chain([state]).collect();
    Ok(NewTransport::Stdio { command: text(program)?, args, env: Vec::new(), cwd: None })
}

/// The server that was registered as the demo, and how. Once a person has it reached otherwise, it is a server of their
/// own.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ours {
    server: ServerId,
    transport: Transport,
}

impl Ours {
    pub(crate) fn of(server: &Server) -> Self {
        Self { server: server.id, transport: server.transport.clone() }
    }

    /// What is kept of it; none before the first demo.
    pub(crate) fn read(reads: &Reads) -> Result<Option<Self>, ReadError> {
        Ok(reads.setting(DEMO)?.and_then(|json| json.read().ok()))
    }

    /// Whether this is it.
    pub(crate) fn is(&self, server: &Server) -> bool {
        self.server == server.id && self.transport == server.transport
    }
}

/// Whether it is reached just so.
pub(crate) fn is_current(transport: &Transport, wanted: &NewTransport) -> bool {
    match (transport, wanted) {
        (
            Transport::Stdio { command, args, env, cwd },
            NewTransport::Stdio { command: program, args: wanted, .. },
        ) => command == program && args == wanted && env.is_empty() && cwd.is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::Secret;

    use super::*;

    fn stdio(command: &str, args: &[&str]) -> Transport {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Transport::Stdio { command: command.into(), args, env: Vec::new(), cwd: None }
    }

    #[test]
    fn the_demo_is_the_server_that_was_registered_as_it() {
        let ours = ["demo", "stdio", "--state", "/home/demo-state.jsonl"];
        let demo = Server::new(ServerId(3), "demo", stdio("/usr/bin/signalbox", &ours));
        let kept = Ours::of(&demo);
        assert!(kept.is(&demo));
        assert!(kept.is(&Server { name: "tour".into(), ..demo.clone() }), "a name decides nothing");
        assert!(!kept.is(&Server { id: ServerId(4), ..demo.clone() }), "another one that is started alike");
        for other in [
            stdio("/opt/evil", &ours),
            stdio("/usr/bin/signalbox", &["demo", "stdio", "--state", "/mine/demo-state.jsonl"]),
            Transport::Http { url: "http://127.0.0.1/demo".into(), headers: Vec::new() },
        ] {
            let edited = Server { transport: other, ..demo.clone() };
            assert!(!kept.is(&edited), "a person made something else of it: {edited:?}");
        }
        let json = signalbox_model::Json::of(&kept);
        assert_eq!(json.read::<Ours>().unwrap(), kept);
    }

    #[test]
    fn what_is_registered_is_compared_with_what_would_be() {
        let wanted = transport(Path::new("/new/signalbox"), Path::new("/home")).unwrap();
        let args = ["demo", "stdio", "--state", "/home/demo-state.jsonl"];
        assert!(is_current(&stdio("/new/signalbox", &args), &wanted));
        assert!(!is_current(&stdio("/old/signalbox", &args), &wanted), "another program");
        let moved = ["demo", "stdio", "--state", "/old/demo-state.jsonl"];
        assert!(!is_current(&stdio("/new/signalbox", &moved), &wanted), "another data directory");
        let given = ("LD_PRELOAD".to_owned(), Secret::Plain { value: "/tmp/evil.so".into() });
        let Transport::Stdio { command, args, .. } = stdio("/new/signalbox", &args) else { unreachable!() };
        let laden = Transport::Stdio { command, args, env: vec![given], cwd: None };
        assert!(!is_current(&laden, &wanted), "it is given more than we give it");
    }
}
