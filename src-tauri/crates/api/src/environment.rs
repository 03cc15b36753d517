//! What programs were given before they were given a chosen part of our environment: all of it. Of the servers that were
//! known then the names they lose are said until their person has seen them; of later ones there is nothing to say.

use std::{collections::BTreeSet, env, ffi::OsString, sync::mpsc};

use serde::{Deserialize, Serialize};
use signalbox_model::{Json, Server, ServerId, Transport, variables_of_others};
use signalbox_store::{Batch, BatchKind, ReadError, Reads, Store, Write};
use ts_rs::TS;

/// The name of the setting that holds [`Unseen`].
pub(crate) const ENVIRONMENT: &str = "environment";

/// The most names that are told of one program.
const MOST: usize = 20;

/// Set anew by every shell and for every program, or our own affair: nobody misses them.
const NOT_MISSED: [&str; 5] = ["_", "PWD", "OLDPWD", "SHLVL", "CREDENTIALS_DIRECTORY"];

/// Names of variables of ours that the program of a server got before an update, and gets no longer. Never their values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Withheld {
    /// The first of them, in order.
    pub names: Vec<String>,
    /// How many there are beside these.
    pub more: u32,
}

/// The servers that were known before, and whose person has not seen what they lose.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Unseen(BTreeSet<ServerId>);

impl Unseen {
    pub(crate) fn read(reads: &Reads) -> Result<Self, ReadError> {
        Ok(reads.setting(ENVIRONMENT)?.and_then(|json| json.read().ok()).unwrap_or_default())
    }

    /// At the first start after the update: whoever is known now was known before. Blocks for one commit. Where that
    /// fails the next start does it.
    pub(crate) fn begin(store: &Store) -> Result<(), ReadError> {
        let reads = store.reads();
        if reads.setting(ENVIRONMENT)?.is_some() {
            return Ok(());
        }
        let known = reads.servers()?.into_iter().map(|(server, _)| server).filter(is_program);
        let unseen = Self(known.map(|server| server.id).collect());
        let writes = vec![Write::PutSetting { key: ENVIRONMENT.to_owned(), value: Json::of(&unseen) }];
        let (done, committed) = mpsc::channel();
        let done = Box::new(move |result| drop(done.send(result)));
        let queued = store.submit(Batch { writes, kind: BatchKind::Intent, done });
        if queued.is_err() || !matches!(committed.recv(), Ok(Ok(_))) {
            tracing::warn!("which programs were known before is noted at the next start");
        }
        Ok(())
    }

    /// What the program of this server no longer gets, where there is anything to say of it.
    pub(crate) fn withheld(&self, server: &Server, all: &[&Server]) -> Option<Withheld> {
        let Transport::Stdio { env: own, .. } = &server.transport else { return None };
        if !self.0.contains(&server.id) {
            return None;
        }
        let own = own.iter().map(|(name, _)| name.as_str()).collect();
        withheld(env::vars_os(), &own, &variables_of_others(all.iter().copied(), server.id))
    }

    /// The same without this server; none when it is not among them.
    pub(crate) fn without(mut self, server: ServerId) -> Option<Self> {
        self.0.remove(&server).then_some(self)
    }
}

fn is_program(server: &Server) -> bool {
    matches!(server.transport, Transport::Stdio { .. }) && server.removed_at.is_none()
}

/// What of ours a program does not get, with its own variables and those that are meant for others.
fn withheld(
    ours: impl IntoIterator<Item = (OsString, OsString)>,
    own: &BTreeSet<&str>,
    of_others: &BTreeSet<String>,
) -> Option<Withheld> {
    let ours: Vec<(OsString, OsString)> = ours.into_iter().collect();
    let passed = signalbox_mcp::inherited(ours.iter().cloned(), of_others);
    let passed: BTreeSet<&str> = passed.iter().filter_map(|(name, _)| name.to_str()).collect();
    let missed: BTreeSet<&str> = ours
        .iter()
        .filter(|(_, value)| !signalbox_mcp::is_function(value))
        .filter_map(|(name, _)| name.to_str())
        .filter(|name| !name.is_empty() && !name.contains('=') && !name.starts_with("SIGNALBOX_"))
        .filter(|name| !NOT_MISSED.contains(name) && !passed.contains(name) && !own.contains(name))
        .collect();
    let more = u32::try_from(missed.len().saturating_sub(MOST)).unwrap_or(u32::MAX);
    let names: Vec<String> = missed.into_iter().take(MOST).map(str::to_owned).collect();
    (!names.is_empty()).then_some(Withheld { names, more })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ours: &[(&str, &str)], own: &[&str], of_others: &[&str]) -> Option<Withheld> {
        let ours = ours.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let of_others = of_others.iter().map(|&name| name.to_owned()).collect();
        withheld(ours, &own.iter().copied().collect(), &of_others)
    }

    fn names(names: &[&str]) -> Option<Withheld> {
        Some(Withheld { names: names.iter().map(|&name| name.to_owned()).collect(), more: 0 })
    }

    #[test]
    fn the_names_that_a_program_loses() {
        let ours = [
            ("PYTHONPATH", "/x"),
            ("HOME", "/home/me"),
            ("LC_ALL", "C"),
            ("API_KEY", "k"),
            ("PWD", "/"),
            ("_", "/bin/x"),
            ("SIGNALBOX_HOME", "/data"),
            ("CREDENTIALS_DIRECTORY", "/run/c"),
            ("BASH_FUNC_f%%", "() { :; }"),
            ("HTTP_PROXY", "http://me:pw@proxy"),
        ];
        assert_eq!(of(&ours, &[], &[]), names(&["API_KEY", "PYTHONPATH"]), "in order");
        assert_eq!(of(&ours, &["API_KEY"], &[]), names(&["PYTHONPATH"]), "one was given back");
        assert_eq!(of(&ours, &["API_KEY", "PYTHONPATH"], &[]), None);
        let of_others = ["LC_ALL", "API_KEY"];
        assert_eq!(of(&ours, &[], &of_others), names(&["API_KEY", "LC_ALL", "PYTHONPATH"]));
    }

    #[test]
    fn a_long_list_is_a_beginning_and_a_count() {
        let ours: Vec<(String, &str)> = (0..300).map(|n| (format!("VAR_{n:03}"), "x")).collect();
        let ours: Vec<(&str, &str)> = ours.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let withheld = of(&ours, &[], &[]).expect("none of them passes");
        assert_eq!((withheld.names.len(), withheld.more), (MOST, 280));
        assert_eq!(withheld.names[0], "VAR_000");
    }
}
