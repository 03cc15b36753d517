//! What programs were given before they were given a chosen part of our environment: all of it. Of the servers that were
//! known then the names they lose are said until their person has seen them; of later ones there is nothing to say.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::OsString,
    sync::mpsc,
};

use serde::{Deserialize, Serialize};
use signalbox_model::{Json, Server, ServerId, Transport, variables_of_others};
use signalbox_store::{Batch, BatchKind, ReadError, Reads, Store, Write};

/// The name of the setting that holds [`Unseen`].
pub(crate) const ENVIRONMENT: &str = "environment";

/// The most names that are told of one program. Hosts show some of them, and all when asked.
const MOST: usize = 1_000;

/// Set anew by every shell and for every program, or our own affair: nobody misses them.
const NOT_MISSED: [&str; 5] = ["_", "PWD", "OLDPWD", "SHLVL", "CREDENTIALS_DIRECTORY"];

/// Names of variables of ours that the program of a server got before an update, and gets no longer or not as they are.
/// Never their values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Withheld {
    /// The first of them, in order.
    pub names: Vec<String>,
    /// How many there are beside these.
    pub more: u32,
    /// Proxies that it gets without the user name and the password in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub changed: Vec<String>,
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
    let passed: BTreeMap<&str, &OsString> =
        passed.iter().filter_map(|(name, value)| Some((name.to_str()?, value))).collect();
    let changed: BTreeSet<&str> = ours
        .iter()
        .filter_map(|(name, value)| Some((name.to_str()?, value)))
        .filter(|(name, value)| !own.contains(name) && passed.get(name).is_some_and(|given| given != value))
        .map(|(name, _)| name)
        .collect();
    let missed: BTreeSet<&str> = ours
        .iter()
        .filter(|(_, value)| !signalbox_mcp::is_function(value))
        .filter_map(|(name, _)| name.to_str())
        .filter(|name| !name.is_empty() && !name.contains('=') && !name.starts_with("SIGNALBOX_"))
        .filter(|name| !NOT_MISSED.contains(name) && !passed.contains_key(name) && !own.contains(name))
        .collect();
    let more = u32::try_from(missed.len().saturating_sub(MOST)).unwrap_or(u32::MAX);
    let told = |names: BTreeSet<&str>| names.into_iter().take(MOST).map(str::to_owned).collect::<Vec<_>>();
    let withheld = Withheld { names: told(missed), more, changed: told(changed) };
    (!withheld.names.is_empty() || !withheld.changed.is_empty()).then_some(withheld)
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
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Some(Withheld { names, more: 0, changed: Vec::new() })
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
            ("HTTP_PROXY", "http://proxy"),
        ];
        assert_eq!(of(&ours, &[], &[]), names(&["API_KEY", "PYTHONPATH"]), "in order");
        assert_eq!(of(&ours, &["API_KEY"], &[]), names(&["PYTHONPATH"]), "one was given back");
        assert_eq!(of(&ours, &["API_KEY", "PYTHONPATH"], &[]), None);
        let of_others = ["LC_ALL", "API_KEY"];
        assert_eq!(of(&ours, &[], &of_others), names(&["API_KEY", "LC_ALL", "PYTHONPATH"]));
    }

    #[test]
    fn a_proxy_that_loses_who_we_are_to_it_is_said() {
        let ours = [("HTTP_PROXY", "http://me:pw@proxy"), ("https_proxy", "http://proxy"), ("LC_ALL", "C")];
        let changed = Withheld { names: Vec::new(), more: 0, changed: vec!["HTTP_PROXY".to_owned()] };
        assert_eq!(of(&ours, &[], &[]), Some(changed));
        assert_eq!(of(&ours, &["HTTP_PROXY"], &[]), None, "it was given back");
    }

    #[test]
    fn a_long_list_is_a_beginning_and_a_count() {
        let ours: Vec<(String, &str)> = (0..1_280).map(|n| (format!("VAR_{n:04}"), "x")).collect();
        let ours: Vec<(&str, &str)> = ours.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let withheld = of(&ours, &[], &[]).expect("none of them passes");
        assert_eq!((withheld.names.len(), withheld.more), (MOST, 280));
        assert_eq!(withheld.names[0], "VAR_0000");
    }
}
