//! The documents of `import`.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::NewTransport;
use signalbox_api::import::{Candidate, NotImported};

use super::server::origin;

/// `{"servers":[…],"skipped":[{"name","from","why"}]}`: of servers that were imported, or would be.
#[derive(Serialize)]
pub(crate) struct Imported<S> {
    pub(crate) servers: Vec<S>,
    pub(crate) skipped: Vec<NotImported>,
}

/// `name from origin|command cwd headers|env`: of headers and variables the names.
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
}

impl From<&Candidate> for Importable {
    fn from(candidate: &Candidate) -> Self {
        let names = |of: &[(String, _)]| Some(of.iter().map(|(name, _)| name.clone()).collect());
        let (name, from) = (candidate.name.clone(), candidate.from.clone());
        let empty = Self { name, from, origin: None, command: None, cwd: None, headers: None, env: None };
        match &candidate.transport {
            NewTransport::Http { url, headers } => {
                Self { origin: Some(origin(url)), headers: names(headers), ..empty }
            }
            NewTransport::Stdio { env, cwd, .. } => {
                Self { command: Some(candidate.shown().place), cwd: cwd.clone(), env: names(env), ..empty }
            }
        }
    }
}
