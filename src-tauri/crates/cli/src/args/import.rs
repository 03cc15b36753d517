//! What `import` takes.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Args;
use signalbox_api::import::{Candidate, ClientProgram, Instead};
use signalbox_model::sounds_secret;

use crate::exit::Failure;

/// Add the servers that another MCP client has in its configuration
///
/// Nothing is run: a program waits until its command is confirmed (`server trust`). Values in the clear are kept as
/// secrets. Variables are kept as references. What cannot be imported is named, with the reason. If an option names a
/// value that no server has in the clear, nothing is imported.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox import --dry-run            # what there is
  signalbox import claude-desktop
  signalbox import ./mcp.json
  signalbox import cursor --plain LOG_LEVEL --from-env lab:API_KEY=LAB_KEY

Exit code 1: something that could be imported was not. What is registered already, or switched off in that client, does
not count.")]
pub(crate) struct Import {
    /// claude-desktop, claude-code, cursor, vscode, windsurf, or a file with `mcpServers` or `servers`. Default:
    /// all of these clients on this machine, and the project in this folder
    #[arg(value_name = "CLIENT|FILE", value_parser = source)]
    pub(crate) from: Option<Source>,
    /// Only say what would be imported
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What becomes of values that stand there in the clear.
    #[command(flatten)]
    pub(crate) values: Values,
}

/// Where servers are imported from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// The configuration of a program we know.
    Client(ClientProgram),
    /// The configuration in this file.
    File(PathBuf),
}

/// A file that is called like a client is meant by `./claude-code`.
pub(crate) fn source(text: &str) -> Result<Source, Infallible> {
    let client = ClientProgram::ALL.into_iter().find(|client| client.name() == text);
    Ok(client.map_or_else(|| Source::File(text.into()), Source::Client))
}

/// What becomes of values that stand in a configuration in the clear. NAME is that of a variable or header, of every
/// server or, as SERVER:NAME, of one.
#[derive(Debug, Args)]
#[group(skip)]
#[command(next_help_heading = "Values in the clear (default: each is kept as a secret)")]
pub(crate) struct Values {
    /// NAME is no secret, and is kept as it is; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) plain: Vec<String>,
    /// NAME is no secret, although it is named like one; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) yes_plain: Vec<String>,
    /// Take NAME from an environment variable of the program that connects (default: of the same name); may be repeated
    #[arg(long, value_name = "NAME[=VAR]")]
    pub(crate) from_env: Vec<String>,
    /// Leave NAME out; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) leave_out: Vec<String>,
}

impl Values {
    /// What becomes of the values of each of these servers, in their order.
    ///
    /// # Errors
    /// [`Exit::Usage`](crate::exit::Exit::Usage) for a word that is about none of these values, since the one that it
    /// was meant for would be kept otherwise; and where a second word is missing.
    pub(crate) fn settle(&self, servers: &[Candidate]) -> Result<Vec<Vec<(String, Instead)>>, Failure> {
        let named = servers.iter().map(|server| (server.name.as_str(), server.in_the_clear()));
        let named: Vec<(&str, Vec<String>)> = named.collect();
        self.are_about(&named)?;
        named.iter().map(|(server, names)| self.of(server, names)).collect()
    }

    fn are_about(&self, servers: &[(&str, Vec<String>)]) -> Result<(), Failure> {
        let all = || servers.iter().flat_map(|(server, names)| names.iter().map(move |name| (*server, name)));
        let options =
            [("--plain", &self.plain), ("--from-env", &self.from_env), ("--leave-out", &self.leave_out)];
        for (option, words) in options {
            for word in words {
                let word = if option == "--from-env" { variable(word).0 } else { word };
                if !all().any(|(server, name)| is_it(word, server, name)) {
                    let why = "no server here has a value in the clear under this name";
                    return Err(Failure::usage(format!("{option} {word}: {why}. Nothing was added")));
                }
            }
        }
        let is_plain = |server, name| self.plain.iter().any(|word| is_it(word, server, name));
        for word in &self.yes_plain {
            if !all().any(|(server, name)| is_it(word, server, name) && is_plain(server, name)) {
                return Err(Failure::usage(format!(
                    "--yes-plain {word} goes with --plain {word}. Nothing was added"
                )));
            }
        }
        Ok(())
    }

    /// What becomes of the values of these names, of one server.
    fn of(&self, server: &str, names: &[String]) -> Result<Vec<(String, Instead)>, Failure> {
        let mut instead = Vec::new();
        for name in names {
            let is_it = |word: &String| is_it(word, server, name);
            let from = |word: &String| {
                let (of, var) = variable(word);
                self::is_it(of, server, name).then(|| var.unwrap_or(name).to_owned())
            };
            if self.leave_out.iter().any(is_it) {
                instead.push((name.clone(), Instead::Nothing));
            } else if let Some(var) = self.from_env.iter().find_map(from) {
                instead.push((name.clone(), Instead::Env { var }));
            } else if self.plain.iter().any(is_it) {
                let sure = self.yes_plain.iter().any(is_it);
                if sounds_secret(name) && !sure {
                    return Err(Failure::usage(super::server::sounds_like_a_secret(name)));
                }
                instead.push((name.clone(), Instead::Plain { sure }));
            }
        }
        Ok(instead)
    }
}

/// Whether a word is about this value: NAME or SERVER:NAME.
fn is_it(word: &str, server: &str, name: &str) -> bool {
    word == name || word.strip_suffix(name).and_then(|rest| rest.strip_suffix(':')) == Some(server)
}

/// Reads `NAME[=VAR]`: the name, and the variable that it is taken from if that was said.
fn variable(word: &str) -> (&str, Option<&str>) {
    word.rsplit_once('=').map_or((word, None), |(of, var)| (of, Some(var)))
}
