//! Servers out of the configurations of other MCP clients. What is read here is only proposed: it is nobody's consent to run
//! anything.
//!
//! Each entry is taken or says why not. What is taken starts untrusted.

mod clients;
mod entry;
mod gather;
mod paste;
#[cfg(test)]
mod tests;
mod wanted;

use std::path::{Path, PathBuf};

use jsonc_parser::{ParseOptions, errors::ParseError, parse_to_serde_value};
use serde_json::{Map, Value};

pub use self::{
    clients::{ClientProgram, Places},
    gather::{Candidate, Gathered, Given, Importable, NotImported},
    paste::{Pasted, PastedKind, PastedServer, Unadded, Unclear, read as read_pasted},
    wanted::{ImportOutcome, Instead, Wanted},
};
use crate::NewTransport;

/// A server that a configuration names.
#[derive(Debug)]
pub struct Proposed {
    /// Its name there.
    pub name: String,
    /// How it is reached. Values that stand there in the clear are literal, those of variables are references.
    pub transport: NewTransport,
}

/// A server that cannot be imported.
#[derive(Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its name there.
    pub name: String,
    /// What is in the way.
    pub why: WhySkipped,
}

/// Why a server cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WhySkipped {
    /// The other program does not use it either.
    #[error("it is switched off there")]
    Disabled,
    /// Nothing says how to reach it.
    #[error("it names neither a program nor a URL")]
    NoAddress,
    /// A member is not what all programs agree on.
    #[error("its `{0}` cannot be read")]
    Odd(String),
    /// It is reached in a way that is none of MCP's.
    #[error("it is reached by {0:?}, which is not a transport of MCP")]
    Transport(String),
    /// Which folder a path starts from is not known.
    #[error("nothing says which folder the path {0:?} starts from")]
    Relative(String),
    /// The other program reads variables out of a file each time it starts it.
    #[error("its variables are in a file (`envFile`): add it by hand, with these variables")]
    EnvFile,
    /// Only the other program knows a value, or asks for it.
    #[error("its `{member}` holds {placeholder}, which only that program can fill in: add it by hand")]
    Placeholder {
        /// The member of the server's configuration that holds it.
        member: String,
        /// As it stands there.
        placeholder: String,
    },
    /// A part of a value is a variable that is not set; and a part cannot be a reference.
    #[error("its `{member}` needs the variable {variable}, which is not set here: set it and import again")]
    Unset {
        /// The member of the server's configuration that needs it.
        member: String,
        /// The variable's name.
        variable: String,
    },
    /// A part of a value is a variable, and variables of this machine must not get into what is read.
    #[error("its `{member}` holds the variable {variable} within other text, which only Import fills in")]
    Mixed {
        /// The member of the server's configuration that holds it.
        member: String,
        /// The variable's name.
        variable: String,
    },
    /// A part of a value that is shown is a variable that is named like a secret.
    #[error(
        "its `{member}` changes what the program runs, so that its value is shown, and the variable {variable} in it is named \
         like a secret: add it by hand"
    )]
    Exposed {
        /// The member of the server's configuration that holds it.
        member: String,
        /// The variable's name.
        variable: String,
    },
}

impl WhySkipped {
    /// Whether nothing is to be done about it.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::Disabled)
    }
}

/// Why a configuration gives nothing.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is no JSON, not even with comments.
    #[error("it is not JSON: {0}")]
    Json(#[from] ParseError),
    /// No member of it holds servers.
    #[error("it names no MCP servers (`mcpServers`, or `servers`)")]
    NoServers,
}

/// Finds the value of an environment variable.
pub type FindVariable<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// What a configuration says, and what stands around it.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The person's home directory.
    pub home: &'a Path,
    /// The folder of the project that the configuration belongs to, if it belongs to one.
    pub project: Option<&'a Path>,
    /// Environment variables; none where what is read goes to somebody who must not see their values.
    pub var: Option<&'a FindVariable<'a>>,
}

/// Reads a configuration: JSON, with comments and trailing commas where its program allows them.
///
/// # Errors
/// When it is no JSON or names no servers at all. A single server that cannot be imported is no error.
pub fn read(text: &str, around: Surroundings<'_>) -> Result<(Vec<Proposed>, Vec<Skipped>), Unreadable> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Value::Object(root) = parse_to_serde_value(text, &ParseOptions::default())? else {
        return Err(Unreadable::NoServers);
    };
    let (mut proposed, mut skipped) = (Vec::new(), Vec::new());
    let mut take = |servers: &Map<String, Value>, around| {
        for (name, entry) in servers {
            match entry::transport(entry, around) {
                Ok(transport) => proposed.push(Proposed { name: name.clone(), transport }),
                Err(why) => skipped.push(Skipped { name: name.clone(), why }),
            }
        }
    };
    let mut found = false;
    for servers in
        [object(&root, "mcpServers"), object(&root, "servers"), in_settings(&root)].into_iter().flatten()
    {
        found = true;
        take(servers, around);
    }
    for (folder, project) in object(&root, "projects").into_iter().flatten() {
        let Some(servers) = project.as_object().and_then(|project| object(project, "mcpServers")) else {
            continue;
        };
        found = true;
        take(servers, Surroundings { project: Some(Path::new(folder)), ..around });
    }
    if found { Ok((proposed, skipped)) } else { Err(Unreadable::NoServers) }
}

/// The folder of the project that a configuration belongs to by where it lies.
#[must_use]
pub fn project_of(file: &Path, home: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let project = match (folder.file_name()?.to_str()?, file.file_name()?.to_str()?) {
        (".vscode" | ".cursor", _) => folder.parent()?,
        (_, ".mcp.json") => folder,
        _ => return None,
    };
    (project != home).then(|| project.to_owned())
}

fn object<'a>(of: &'a Map<String, Value>, member: &str) -> Option<&'a Map<String, Value>> {
    of.get(member)?.as_object()
}

/// Where VS Code had them before they got a file of their own.
fn in_settings(root: &Map<String, Value>) -> Option<&Map<String, Value>> {
    object(object(root, "mcp")?, "servers")
}
