//! Servers: what the person registered, and what we last saw of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{Health, Json, ServerId, Timestamp};

/// A server the person registered. Its identity is the name the person gave it plus its origin or command,
/// never what it says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// Our short id.
    pub id: ServerId,
    /// The person's name for it; unique.
    pub name: String,
    /// How to reach it.
    pub transport: Transport,
    /// Whether we may connect at all.
    pub enabled: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When the person removed it. The row stays, so that finished tasks keep their server; the name is free again.
    pub removed_at: Option<Timestamp>,
    /// The wire it was last seen to speak.
    pub wire: Option<Wire>,
    /// The protocol version it was last seen to speak.
    pub protocol_version: Option<String>,
    /// What it says of itself: shown as a claim, never as its identity.
    pub peer: Option<Peer>,
    /// Its capabilities as received.
    pub capabilities: Option<Json>,
    /// Whether it declared the tasks extension.
    pub tasks: bool,
    /// How it was last seen.
    pub health: Health,
    /// When it last answered anything, by our clock. Written seldom: a kill may leave it up to a minute behind.
    pub heard_at: Option<Timestamp>,
    /// What it is told when it asks for roots: URIs, as the person wrote them.
    pub roots: Vec<String>,
    /// Whether the person has confirmed its command. A program that was not confirmed is never started. Of no meaning for
    /// URLs.
    pub trusted: bool,
    /// What its transport needs on the way: certificates, a proxy, a sign-in.
    pub access: Access,
}

/// What reaching a server takes beside its address. Of no meaning for programs.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", default)]
pub struct Access {
    /// Files with certificates (PEM) of authorities that are trusted for this server, beside those of the system.
    pub ca_certificates: Vec<String>,
    /// The proxy to reach it through, as a URL; none: what the environment says.
    pub proxy: Option<String>,
    /// How to sign in, where the server asks for that.
    pub sign_in: SignIn,
}

/// How to sign in at a server's authorization server (OAuth 2.1).
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", default)]
pub struct SignIn {
    /// The client that was registered there beforehand; none: we register ourselves.
    pub client_id: Option<String>,
    /// Its secret, where it has one.
    pub client_secret: Option<Secret>,
    /// The HTTPS URL of a client id metadata document to be known by.
    pub client_metadata_url: Option<String>,
    /// The scopes to ask for; none: what the server names.
    pub scopes: Vec<String>,
    /// For machines: the client signs in by itself (`client_credentials`), and nobody is asked.
    pub machine: bool,
}

impl Server {
    /// A server as it is registered: nothing is known of it yet.
    #[must_use]
    pub fn new(id: ServerId, name: impl Into<String>, transport: Transport) -> Self {
        Self {
            id,
            name: name.into(),
            transport,
            enabled: true,
            created_at: Timestamp(0),
            removed_at: None,
            wire: None,
            protocol_version: None,
            peer: None,
            capabilities: None,
            tasks: false,
            health: Health::UNKNOWN,
            heard_at: None,
            roots: Vec::new(),
            trusted: true,
            access: Access::default(),
        }
    }

    /// Whether it is a program that the person has not confirmed: it must not be started.
    #[must_use]
    pub fn awaits_trust(&self) -> bool {
        !self.trusted && matches!(self.transport, Transport::Stdio { .. })
    }

    /// Its URL; a program has none.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        match &self.transport {
            Transport::Http { url, .. } => Some(url),
            Transport::Stdio { .. } => None,
        }
    }

    /// The server's identity beside its name: its URL, or its program and arguments, quoted as in a shell where that is
    /// needed to tell them apart.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.transport {
            Transport::Http { url, .. } => url.clone(),
            Transport::Stdio { command, args, .. } => command_line(command, args),
        }
    }
}

impl Server {
    /// All that it is given: what its transport hands over, and the secret of the client that it is signed in with.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.transport.secrets().chain(&self.access.sign_in.client_secret)
    }

    /// The variables of ours that its configuration refers to.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.secrets().filter_map(|secret| match secret {
            Secret::Env { var } => Some(var.as_str()),
            Secret::File { .. } | Secret::Keychain { .. } | Secret::Plain { .. } => None,
        })
    }
}

/// The variables of ours that are meant for other servers than this one: those that their configurations refer to.
pub fn variables_of_others<'a>(
    servers: impl IntoIterator<Item = &'a Server>,
    this: ServerId,
) -> BTreeSet<String> {
    let others = servers.into_iter().filter(|server| server.id != this && server.removed_at.is_none());
    others.flat_map(Server::variables).map(str::to_owned).collect()
}

/// A program with its arguments in a line, quoted as in a shell where that is needed to tell them apart.
#[must_use]
pub fn command_line(command: &str, args: &[String]) -> String {
    shell_words::join(std::iter::once(command).chain(args.iter().map(String::as_str)))
}

/// How to reach a server.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Transport {
    /// Streamable HTTP.
    Http {
        /// The MCP endpoint.
        url: String,
        /// Extra headers, values as references.
        headers: Vec<(String, Secret)>,
    },
    /// A child process.
    Stdio {
        /// The program: a path, or a name looked up in the login shell's PATH.
        command: String,
        /// Its arguments, exactly.
        args: Vec<String>,
        /// Extra environment, values as references.
        env: Vec<(String, Secret)>,
        /// Its working directory; else the person's home.
        cwd: Option<String>,
    },
}

impl Transport {
    /// What it hands over to the server.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let (Self::Http { headers: values, .. } | Self::Stdio { env: values, .. }) = self;
        values.iter().map(|(_, secret)| secret)
    }
}

/// Where the value of a header or variable comes from. A secret's value is never stored, logged or shown; one that a
/// person marked plain is no secret, and stands here as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Secret {
    /// In an environment variable of whoever connects.
    Env {
        /// The variable's name.
        var: String,
    },
    /// In a file; trailing line ends are cut off.
    File {
        /// The file's path.
        path: String,
    },
    /// In the OS keychain.
    Keychain {
        /// The entry's account name.
        entry: String,
    },
    /// No secret: a person said that it may be kept and shown in the clear.
    Plain {
        /// The value itself.
        value: String,
    },
}

/// What a name has in it that usually goes with a secret, in capitals.
const SECRET_WORDS: [&str; 8] = ["TOKEN", "KEY", "SECRET", "PASS", "AUTH", "COOKIE", "CREDENTIAL", "BEARER"];

/// Whether a header or variable is named as secrets usually are: to keep its value in the clear takes a second word from
/// the person.
#[must_use]
pub fn sounds_secret(name: &str) -> bool {
    let name = name.to_uppercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// Variables by which a program can be made to load or run something else.
const LOADERS: [&str; 22] = [
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PERL5OPT",
    "PERL5LIB",
    "RUBYOPT",
    "RUBYLIB",
    "CLASSPATH",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "DOTNET_STARTUP_HOOKS",
    "BASH_ENV",
    "ENV",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_EXEC_PATH",
    "PATH",
];

/// Whether a variable of this name changes what a program loads or runs, so that who confirms a command has to know it.
#[must_use]
pub fn changes_what_runs(name: &str) -> bool {
    // Some systems do not tell capitals from small letters.
    let name = name.to_uppercase();
    LOADERS.contains(&name.as_str()) || name.starts_with("DYLD_")
}

/// A task wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// The extension `io.modelcontextprotocol/tasks` on MCP 2026-07-28.
    Modern,
    /// The experimental tasks of MCP 2025-11-25.
    Legacy,
}

/// Whether a server tells by itself how tasks fare, in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Push {
    /// A subscription is open and covers at least one task: looks are further apart. On the legacy wire: it has told a
    /// status in this session.
    On,
    /// It was asked, and does not. On the legacy wire: it has no stream for it.
    Off,
}

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Peer {
    /// The name that the server gives itself: a claim, never its identity.
    pub name: String,
    /// The version that the server claims.
    pub version: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_for_others_is_what_their_configurations_refer_to() {
        let from = |var: &str| Secret::Env { var: var.to_owned() };
        let program = |env| Transport::Stdio { command: "c".into(), args: Vec::new(), env, cwd: None };
        let first = Server::new(ServerId(1), "a", program(vec![("TOKEN".into(), from("OF_A"))]));
        let headers = vec![("B".into(), from("OF_B")), ("C".into(), Secret::Plain { value: "PLAIN".into() })];
        let mut second = Server::new(ServerId(2), "b", Transport::Http { url: "https://b".into(), headers });
        second.access.sign_in.client_secret = Some(from("CLIENT_OF_B"));
        let gone = Server::new(ServerId(3), "c", program(vec![("OF_C".into(), from("OF_C"))]));
        let gone = Server { removed_at: Some(Timestamp(1)), ..gone };
        let all = [first, second, gone];
        let of_others = |this| Vec::from_iter(variables_of_others(&all, ServerId(this)));
        assert_eq!(of_others(1), ["CLIENT_OF_B", "OF_B"]);
        assert_eq!(of_others(2), ["OF_A"]);
        assert_eq!(of_others(4), ["CLIENT_OF_B", "OF_A", "OF_B"]);
    }

    #[test]
    fn a_name_tells_whether_something_else_may_be_run() {
        for name in ["LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "PATH", "Path", "BASH_ENV"] {
            assert!(changes_what_runs(name), "{name}");
        }
        for name in ["LOG", "API_KEY", "MY_PATH", "LD", ""] {
            assert!(!changes_what_runs(name), "{name}");
        }
    }

    #[test]
    fn a_blank_in_a_word_is_told_from_one_between_two() {
        let args = ["a mcp", "--x", ""].map(str::to_owned);
        assert_eq!(command_line("uvx", &args), "uvx 'a mcp' --x ''");
        assert_eq!(command_line("/opt/my lab", &[]), "'/opt/my lab'");
    }
}
