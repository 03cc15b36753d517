//! `import …`

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Args;
use signalbox_api::import::{Client, Instead};
use signalbox_model::sounds_secret;

use crate::exit::Failure;

/// What servers are taken over from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The configuration of a program we know.
    Client(Client),
    /// A file.
    File(PathBuf),
}

/// A file that is called like a client is meant by `./claude-code`.
pub(crate) fn source(text: &str) -> Result<Source, Infallible> {
    let client = Client::ALL.into_iter().find(|client| client.name() == text);
    Ok(client.map_or_else(|| Source::File(text.into()), Source::Client))
}

/// What becomes of values that stand in a configuration in the clear. NAME is that of a variable or header, of every server or,
/// as SERVER:NAME, of one.
#[derive(Debug, Args)]
#[group(skip)]
#[command(next_help_heading = "Values in the clear (default: each is kept as a secret)")]
pub struct Values {
    /// NAME is no secret, and is kept as it is; may be repeated
    #[arg(long, value_name = "NAME")]
    pub plain: Vec<String>,
    /// It is none, although it is named like one; may be repeated
    #[arg(long, value_name = "NAME")]
    pub yes_plain: Vec<String>,
    /// Take it from a variable of whoever connects (default: of the same name); may be repeated
    #[arg(long, value_name = "NAME[=VAR]")]
    pub from_env: Vec<String>,
    /// Leave it out; may be repeated
    #[arg(long, value_name = "NAME")]
    pub leave_out: Vec<String>,
}

impl Values {
    /// What becomes of the values of these names, of one server.
    pub(crate) fn of(&self, server: &str, names: &[String]) -> Result<Vec<(String, Instead)>, Failure> {
        let mut instead = Vec::new();
        for name in names {
            let is_it = |text: &str| text == name || text == format!("{server}:{name}");
            let from = |text: &String| match text.rsplit_once('=') {
                Some((of, var)) => is_it(of).then(|| var.to_owned()),
                None => is_it(text).then(|| name.clone()),
            };
            if self.leave_out.iter().any(|text| is_it(text)) {
                instead.push((name.clone(), Instead::Nothing));
            } else if let Some(var) = self.from_env.iter().find_map(from) {
                instead.push((name.clone(), Instead::Env { var }));
            } else if self.plain.iter().any(|text| is_it(text)) {
                let sure = self.yes_plain.iter().any(|text| is_it(text));
                if sounds_secret(name) && !sure {
                    return Err(Failure::usage(super::server::sounds_like_a_secret(name)));
                }
                instead.push((name.clone(), Instead::Plain { sure }));
            }
        }
        Ok(instead)
    }
}
