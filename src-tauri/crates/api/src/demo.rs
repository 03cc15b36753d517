//! The demo server: our own program, started as a scripted MCP server. It is never looked for on the search path, so that it
//! works from a build, a package, an AppImage and an application folder alike. What makes a server the demo is how it is
//! started, and nothing else: a person's own server may have its name.

use std::{
    env,
    path::{Path, PathBuf},
};

use signalbox_model::Transport;

use crate::{ApiError, Code, NewTransport};

/// What it is called, unless a person's own server is.
pub(crate) const NAME: &str = "demo";

/// What is started by itself: a tool, and its arguments as JSON.
pub(crate) const CALLS: [(&str, &str); 2] = [
    ("deploy", r#"{"service":"api-gateway","version":"4.18.2","region":"eu-west"}"#),
    ("build", r#"{"ref":"main"}"#),
];

const STATE: &str = "demo-state.jsonl";
const ARGS: [&str; 3] = ["demo", "stdio", "--state"];

/// The program of this process, as it can be started again later: of an AppImage its file, since what is mounted goes with us.
/// None where the system does not say.
#[must_use]
pub fn own_program() -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    let mounted = env::var_os("APPDIR").is_some_and(|dir| !dir.is_empty() && own.starts_with(dir));
    // Whoever was started by another AppImage inherits its variables.
    let image = env::var_os("APPIMAGE").map(PathBuf::from).filter(|image| mounted && image.is_file());
    Some(image.unwrap_or(own))
}

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

/// Whether this is our demo server, of this data directory or of where that was before it moved. Which program plays it may
/// have changed as well.
pub(crate) fn is_demo(transport: &Transport) -> bool {
    let Transport::Stdio { args, .. } = transport else { return false };
    matches!(args.as_slice(), [args @ .., state] if args == ARGS && Path::new(state).ends_with(STATE))
}

/// Whether it is reached just so.
pub(crate) fn is_current(transport: &Transport, wanted: &NewTransport) -> bool {
    match (transport, wanted) {
        (
            Transport::Stdio { command, args, .. },
            NewTransport::Stdio { command: program, args: wanted, .. },
        ) => command == program && args == wanted,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stdio(command: &str, args: &[&str]) -> Transport {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Transport::Stdio { command: command.into(), args, env: Vec::new(), cwd: None }
    }

    #[test]
    fn the_demo_is_known_by_how_it_is_started() {
        let ours = ["demo", "stdio", "--state", "/home/demo-state.jsonl"];
        assert!(is_demo(&stdio("/usr/bin/signalbox", &ours)));
        assert!(is_demo(&stdio("/old/place/signalbox-desktop", &ours)), "the program may have moved");
        let moved = ["demo", "stdio", "--state", "/old/home/demo-state.jsonl"];
        assert!(is_demo(&stdio("/usr/bin/signalbox", &moved)), "the data directory may have moved");
    }

    #[test]
    fn a_server_of_a_persons_own_is_not_the_demo() {
        for args in [
            &["demo", "stdio"][..],
            &["demo", "stdio", "--state"],
            &["demo", "stdio", "--state", "/home/mine.jsonl"],
            &["demo", "stdio", "--state", "/home/demo-state.jsonl", "--speed", "9"],
            &[],
        ] {
            assert!(!is_demo(&stdio("/usr/bin/signalbox", args)), "{args:?} was typed by a person");
        }
        assert!(!is_demo(&Transport::Http { url: "http://127.0.0.1/demo".into(), headers: Vec::new() }));
    }

    #[test]
    fn what_is_registered_is_compared_with_what_would_be() {
        let wanted = transport(Path::new("/new/signalbox"), Path::new("/home")).unwrap();
        let args = ["demo", "stdio", "--state", "/home/demo-state.jsonl"];
        assert!(is_current(&stdio("/new/signalbox", &args), &wanted));
        assert!(!is_current(&stdio("/old/signalbox", &args), &wanted), "another program");
        let moved = ["demo", "stdio", "--state", "/old/demo-state.jsonl"];
        assert!(!is_current(&stdio("/new/signalbox", &moved), &wanted), "another data directory");
    }
}
