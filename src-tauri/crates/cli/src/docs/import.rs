//! The documents of `import`.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::NewTransport;
use signalbox_api::import::{Candidate, NotImported};

/// `{"servers":[…],"skipped":[{"name","from","why"}]}`: of servers that were imported, or would be.
#[derive(Serialize)]
pub(crate) struct Imported<S> {
    pub(crate) servers: Vec<S>,
    pub(crate) skipped: Vec<NotImported>,
}

/// `name from origin|command cwd headers|env plain`: of headers and variables the names; in `plain` the values of those that
/// change what the program loads or runs.
#[skip_serializing_none]
#[derive(Serialize)]
pub(crate) struct Importable {
    pub(crate) name: String,
    pub(crate) from: String,
    pub(crate) origin: Option<String>,
    pub(crate) command: Option<String>,
    cwd: Option<String>,
    headers: Option<Vec<String>>,
    env: Option<Vec<String>>,
    plain: Option<Vec<Plain>>,
}

/// A header or variable in the clear, with its value.
#[derive(Serialize)]
struct Plain {
    name: String,
    value: String,
}

impl From<&Candidate> for Importable {
    fn from(candidate: &Candidate) -> Self {
        let names = |of: &[(String, _)]| Some(of.iter().map(|(name, _)| name.clone()).collect());
        let (name, from) = (candidate.name.clone(), candidate.from.clone());
        let (origin, command, cwd, headers, env, plain) = (None, None, None, None, None, None);
        let empty = Self { name, from, origin, command, cwd, headers, env, plain };
        match &candidate.transport {
            NewTransport::Http { url, headers } => {
                Self { origin: Some(super::server::origin(url)), headers: names(headers), ..empty }
            }
            NewTransport::Stdio { env, cwd, .. } => {
                let shown = candidate.shown();
                let plain = shown.given.into_iter().filter_map(|given| {
                    let (name, value) = (given.name, given.value?);
                    Some(Plain { name, value })
                });
                let plain = Some(plain.collect::<Vec<_>>()).filter(|plain| !plain.is_empty());
                Self { command: Some(shown.place), cwd: cwd.clone(), env: names(env), plain, ..empty }
            }
        }
    }
}
