//! The commands by which other clients add a server: `claude mcp add`, `gemini mcp add`, `codex mcp add`, `code --add-mcp`.

use super::{PastedServer, Unclear, json, name, words};
use crate::{
    NewSecret, NewTransport,
    import::{Surroundings, WhySkipped},
};

/// Options of theirs with a value that means nothing here, and why.
const WITHOUT_MEANING: [(&str, &str); 9] = [
    ("-s", "there is one list of servers here"),
    ("--scope", "there is one list of servers here"),
    ("--timeout", "it is a setting here"),
    ("--description", "a name is enough here"),
    ("--include-tools", "all tools are offered here"),
    ("--exclude-tools", "all tools are offered here"),
    ("--callback-port", "one that is free is taken here"),
    ("--client-id", "give it after adding, under Access"),
    ("--bearer-token-env-var", "add a header Authorization instead"),
];

/// Why the command of another client adds no server here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unadded {
    /// It does something else.
    #[error("only one that adds a server means something here")]
    OtherCommand,
    /// A name or an entry is missing, or there is more.
    #[error("it wants a name and JSON")]
    NameAndJson,
    /// An option ends the command.
    #[error("`{0}` lacks its value")]
    NoValue(String),
    /// An option whose meaning could be anything.
    #[error("its option `{0}` is not known here")]
    UnknownOption(String),
    /// A value is not a pair. What it holds is not repeated.
    #[error("`{option}` wants {shape}")]
    NoPair {
        /// Whose value it is.
        option: &'static str,
        /// What the value looks like.
        shape: &'static str,
    },
    /// Nothing says how the server is reached.
    #[error("it names no program and no URL")]
    NoTarget,
    /// It is reached in a way that is none of MCP's.
    #[error("{0:?} is not a transport of MCP")]
    Transport(String),
    /// Its URL is none.
    #[error("its URL cannot be read")]
    Url,
    /// Its JSON is none, or no object.
    #[error("its JSON cannot be read")]
    Json,
    /// Its JSON names no server that can be reached.
    #[error(transparent)]
    Entry(#[from] WhySkipped),
    /// Its URL or its program cannot be read.
    #[error(transparent)]
    Target(#[from] Box<Unclear>),
}

/// The server that such a command adds; none when it is another command.
pub(super) fn read(words: &[String], around: Surroundings<'_>) -> Result<Option<PastedServer>, Unclear> {
    let [program, rest @ ..] = words else { return Ok(None) };
    let client = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let failed = |why| Unclear::Client { client: client.to_owned(), why };
    let words: Vec<&str> = rest.iter().map(String::as_str).collect();
    let server = match words.as_slice() {
        ["--add-mcp", entry] => named("", entry, around),
        ["mcp", "add-json", rest @ ..] => add_json(rest, around),
        ["mcp", "add", rest @ ..] => Adding::default().read(rest, around),
        ["mcp", ..] if ["claude", "gemini", "codex"].contains(&client) => Err(Unadded::OtherCommand),
        _ => return Ok(None),
    };
    server.map(Some).map_err(failed)
}

fn named(name: &str, entry: &str, around: Surroundings<'_>) -> Result<PastedServer, Unadded> {
    let (said, transport) = json::entry(entry, around)?;
    let name = [name, &said].into_iter().find(|name| !name.is_empty()).map(str::to_owned);
    Ok(PastedServer { name: name.unwrap_or_else(|| name::of(&transport)), transport, notes: Vec::new() })
}

fn add_json(words: &[&str], around: Surroundings<'_>) -> Result<PastedServer, Unadded> {
    let mut notes = Vec::new();
    let mut left = words;
    while let [option, value, rest @ ..] = left
        && let Some(note) = meaningless(option, value)
    {
        notes.push(note);
        left = rest;
    }
    match left {
        [name, entry] => Ok(PastedServer { notes, ..named(name, entry, around)? }),
        _ => Err(Unadded::NameAndJson),
    }
}

fn meaningless(option: &str, value: &str) -> Option<String> {
    let (_, why) = WITHOUT_MEANING.iter().find(|(known, _)| *known == option)?;
    Some(format!("`{option} {value}` is left out: {why}"))
}

/// What `mcp add` was told so far.
#[derive(Default)]
struct Adding {
    name: Option<String>,
    target: Option<String>,
    args: Vec<String>,
    transport: Option<String>,
    env: Vec<(String, NewSecret)>,
    headers: Vec<(String, NewSecret)>,
    notes: Vec<String>,
}

impl Adding {
    fn read(mut self, words: &[&str], around: Surroundings<'_>) -> Result<PastedServer, Unadded> {
        let mut left = words;
        while let [word, rest @ ..] = left {
            left = rest;
            // What follows a program is the program's.
            if self.target.is_some() && !self.is_url() {
                self.args.push((*word).to_owned());
            } else if *word == "--" {
                for word in std::mem::take(&mut left) {
                    self.positional(word);
                }
            } else if word.starts_with('-') {
                left = self.option(word, left)?;
            } else {
                self.positional(word);
            }
        }
        self.made(around)
    }

    fn positional(&mut self, word: &str) {
        let word = word.to_owned();
        if self.name.is_none() {
            self.name = Some(word);
        } else if self.target.is_none() {
            self.target = Some(word);
        } else {
            self.args.push(word);
        }
    }

    /// Takes an option with its value, and as many more values as it may have.
    fn option<'w>(&mut self, word: &str, left: &'w [&'w str]) -> Result<&'w [&'w str], Unadded> {
        let (option, inline) = match word.split_once('=') {
            Some((option, value)) if word.starts_with("--") => (option, Some(value)),
            _ => (word, None),
        };
        if option == "--trust" {
            self.notes.push("`--trust` is left out: nothing is trusted before you have seen it".to_owned());
            return Ok(left);
        }
        let (value, mut left) = match (inline, left) {
            (Some(value), left) => (value, left),
            (None, [value, rest @ ..]) => (*value, rest),
            (None, []) => return Err(Unadded::NoValue(option.to_owned())),
        };
        match option {
            "-t" | "--transport" => self.transport = Some(value.to_owned()),
            "--url" => self.target = Some(value.to_owned()),
            "-e" | "--env" => {
                self.env.push(variable(value)?);
                while let [next, rest @ ..] = left
                    && words::assignment(next).is_some()
                {
                    self.env.push(variable(next)?);
                    left = rest;
                }
            }
            "-H" | "--header" => {
                self.headers.push(header(value)?);
                while let [next, rest @ ..] = left
                    && next.contains(": ")
                {
                    self.headers.push(header(next)?);
                    left = rest;
                }
            }
            _ => match meaningless(option, value) {
                Some(note) => self.notes.push(note),
                None => return Err(Unadded::UnknownOption(option.to_owned())),
            },
        }
        Ok(left)
    }

    fn is_url(&self) -> bool {
        match self.transport.as_deref() {
            Some("stdio") => false,
            Some(_) => true,
            None => self.target.as_deref().is_some_and(|target| target.contains("://")),
        }
    }

    fn made(mut self, around: Surroundings<'_>) -> Result<PastedServer, Unadded> {
        let is_url = self.is_url();
        let target = self.target.ok_or(Unadded::NoTarget)?;
        if let Some(odd) = self
            .transport
            .filter(|kind| !["stdio", "http", "sse", "streamable-http"].contains(&kind.as_str()))
        {
            return Err(Unadded::Transport(odd));
        }
        let mut server = if is_url {
            let mut server = words::address(&target).map_err(Box::new)?.ok_or(Unadded::Url)?;
            if let NewTransport::Http { headers, .. } = &mut server.transport {
                *headers = self.headers;
            }
            if !self.env.is_empty() {
                self.notes.push("Variables are left out: a server behind a URL gets none".to_owned());
            }
            server
        } else {
            if !self.headers.is_empty() {
                self.notes.push("Headers are left out: a program gets none".to_owned());
            }
            let words: Vec<String> = [target].into_iter().chain(self.args).collect();
            let mut server = words::program(&words, around).map_err(Box::new)?;
            if let NewTransport::Stdio { env, .. } = &mut server.transport {
                env.splice(0..0, self.env);
            }
            server
        };
        server.notes.splice(0..0, self.notes);
        server.name = self.name.unwrap_or(server.name);
        Ok(server)
    }
}

/// `K=V`. What it holds is not repeated.
fn variable(text: &str) -> Result<(String, NewSecret), Unadded> {
    let (name, value) = text.split_once('=').ok_or(Unadded::NoPair { option: "--env", shape: "K=V" })?;
    Ok(words::value(name, value))
}

/// A header of the shape `K: V`. What it holds is not repeated in an error.
fn header(text: &str) -> Result<(String, NewSecret), Unadded> {
    let (name, value) =
        text.split_once(':').ok_or(Unadded::NoPair { option: "--header", shape: "\"K: V\"" })?;
    Ok(words::value(name.trim(), value.trim()))
}
