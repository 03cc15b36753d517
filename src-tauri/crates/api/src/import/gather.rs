//! What several configurations name, beside what is registered already.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{Secret, Transport, command_line};

use super::{Pasted, PastedServer, Surroundings, Unreadable, read};
use crate::{MOST_SERVERS, NewSecret, NewTransport, ServerView};

/// A server of a configuration.
#[derive(Debug)]
pub struct Candidate {
    /// Its name there.
    pub name: String,
    /// Where that configuration lies.
    pub from: String,
    /// How it is reached.
    pub transport: NewTransport,
}

/// A server that can be imported, as it is shown: without what may be secret.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Importable {
    /// Its name there.
    pub name: String,
    /// The file that names it; none when it was pasted.
    pub from: Option<String>,
    /// Its URL, or its command line.
    pub place: String,
    /// The directory that a program is started in, where it says so.
    pub cwd: Option<String>,
    /// The headers or variables that it is given.
    pub given: Vec<Given>,
    /// Whether it is a program, which waits until its command is confirmed.
    pub is_program: bool,
}

/// A header or variable that a server is given, without a value that may be secret.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Given {
    /// The name of the header or variable.
    pub name: String,
    /// The variable of this machine that it is taken from; none: its value stands in the configuration in the clear.
    pub var: Option<String>,
    /// Its value, where it changes what the program loads or runs: that has to be seen, and is kept in the clear.
    pub value: Option<String>,
}

/// What cannot be imported.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct NotImported {
    /// The server's name there; none when it is all of the file, or several.
    pub name: Option<String>,
    /// The file that names it; none when it was pasted.
    pub from: Option<String>,
    /// What is in the way.
    pub why: String,
    /// Whether nothing is to be done about it: it is registered already, or switched off there.
    #[serde(default)]
    pub settled: bool,
}

impl NotImported {
    /// So many for which there is no place; none where there is one for each.
    #[must_use]
    pub fn no_place(n: usize) -> Option<Self> {
        let others = match n {
            0 => return None,
            1 => "one more is left out".to_owned(),
            n => format!("{n} more are left out"),
        };
        let why = format!("{others}: no more than {MOST_SERVERS} servers are kept");
        Some(Self { name: None, from: None, why, settled: false })
    }

    /// One out of a pasted text.
    pub(super) fn pasted(server: super::Skipped) -> Self {
        let settled = server.why.is_settled();
        Self { name: Some(server.name), from: None, why: server.why.to_string(), settled }
    }
}

/// What configurations name.
#[derive(Debug, Default)]
pub struct Gathered {
    /// What may be imported.
    pub candidates: Vec<Candidate>,
    /// What may not.
    pub skipped: Vec<NotImported>,
}

impl Gathered {
    /// Reads a configuration. `from` says where it lies.
    ///
    /// # Errors
    /// When it names no servers at all.
    pub fn read(&mut self, from: &str, text: &str, around: Surroundings<'_>) -> Result<(), Unreadable> {
        let (servers, skipped) = read(text, around)?;
        let candidate = |server: super::Proposed| Candidate {
            name: server.name,
            from: from.to_owned(),
            transport: server.transport,
        };
        self.candidates.extend(servers.into_iter().map(candidate));
        let skipped = skipped.into_iter().map(NotImported::pasted);
        self.skipped.extend(skipped.map(|server| NotImported { from: named(from), ..server }));
        Ok(())
    }
}

impl Gathered {
    /// What a pasted text names.
    #[must_use]
    pub fn pasted(Pasted { servers, skipped, .. }: Pasted) -> Self {
        let candidate =
            |PastedServer { name, transport, .. }| Candidate { name, from: String::new(), transport };
        Self { candidates: servers.into_iter().map(candidate).collect(), skipped }
    }
}

fn named(from: &str) -> Option<String> {
    Some(from.to_owned()).filter(|from| !from.is_empty())
}

impl Candidate {
    /// As it is shown.
    #[must_use]
    pub fn shown(&self) -> Importable {
        let (name, from) = (self.name.clone(), named(&self.from));
        match &self.transport {
            NewTransport::Http { url, headers } => {
                let (place, given) = (url.clone(), given(headers));
                Importable { name, from, place, cwd: None, given, is_program: false }
            }
            NewTransport::Stdio { command, args, env, cwd } => {
                let (place, given) = (command_line(command, args), given(env));
                Importable { name, from, place, cwd: cwd.clone(), given, is_program: true }
            }
        }
    }

    /// What keeps it out.
    #[must_use]
    pub fn refused(self, why: String, settled: bool) -> NotImported {
        NotImported { name: Some(self.name), from: named(&self.from), why, settled }
    }

    /// Why one of the registered servers keeps it out, and whether that is as it should be.
    #[must_use]
    pub fn in_the_way(&self, registered: &[ServerView]) -> Option<(String, bool)> {
        let known = registered.iter().find(|server| server.name == self.name.trim())?;
        Some(if is_same(&known.transport, &self.transport) {
            (format!("it is registered already, as {}", known.id), true)
        } else {
            let why = format!(
                "{} has this name, and is reached otherwise: give that one another name first",
                known.id
            );
            (why, false)
        })
    }
}

fn given(values: &[(String, NewSecret)]) -> Vec<Given> {
    let shown = |(name, value): &(String, NewSecret)| {
        let (var, value) = match value {
            NewSecret::Reference { secret: Secret::Env { var } } => (Some(var.clone()), None),
            NewSecret::Plain { value, .. } => (None, Some(value.clone())),
            NewSecret::Reference { .. } | NewSecret::Literal { .. } => (None, None),
        };
        Given { name: name.clone(), var, value }
    };
    values.iter().map(shown).collect()
}

/// Whether both lead to the same place. Values of headers and variables are secrets, and not compared.
fn is_same(known: &Transport, new: &NewTransport) -> bool {
    match (known, new) {
        (Transport::Http { url, .. }, NewTransport::Http { url: new, .. }) => {
            let parsed = |url: &str| url::Url::parse(url.trim()).ok();
            parsed(url) == parsed(new)
        }
        (
            Transport::Stdio { command, args, cwd, .. },
            NewTransport::Stdio { command: c, args: a, cwd: d, .. },
        ) => (command, args, cwd) == (c, a, d),
        _ => false,
    }
}
