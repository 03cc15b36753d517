//! What `server` takes.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What `server` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Server {
    /// Register a server
    #[command(after_help = format!("{REACH_EXAMPLES}\n{ADD_EXAMPLES}"))]
    #[command(group = clap::ArgGroup::new("way").required(true).args(["url", "command", "paste"]))]
    Add {
        /// Your name for it. With --paste it may be left out
        #[arg(required_unless_present = "paste")]
        name: Option<String>,
        /// Anything that names one: a URL, a command line, JSON, or `claude mcp add …`; - reads stdin. It shows what was
        /// understood. A program waits for `server trust`, unless you type it after --
        #[arg(
            long,
            value_name = "TEXT|-",
            allow_hyphen_values = true,
            conflicts_with_all = ["headers", "header_plain", "env", "env_plain", "env_pass", "cwd"]
        )]
        paste: Option<String>,
        /// How to reach it.
        #[command(flatten)]
        reach: Reach,
    },
    /// List servers
    List,
    /// Change how a server is reached, which roots it is told, or how to sign in to it
    ///
    /// What you do not name stays as it is: a variable or header that you name is added or replaced, --env-drop and
    /// --header-drop take one away. A program takes variables, a URL takes headers: a change from one to the
    /// other loses them. Headers and what sign-in takes are not sent to another host. Roots are replaced as a whole. A program
    /// that waits to be confirmed goes on waiting, unless you type all of it.
    #[command(after_help = format!("{REACH_EXAMPLES}\n{EDIT_EXAMPLES}"))]
    Edit {
        /// The server's name
        name: String,
        /// How to reach it from now on.
        #[command(flatten)]
        reach: Reach,
        /// What is taken away.
        #[command(flatten)]
        drop: Box<Dropped>,
        /// A root to tell it when it asks for them, such as file:///home/me/project; may be repeated
        #[arg(long = "root", value_name = "URI")]
        roots: Vec<String>,
        /// Tell it no roots any more
        #[arg(long, conflicts_with = "roots")]
        no_roots: bool,
        /// What that takes beside its address.
        #[command(flatten)]
        access: Box<Access>,
    },
    /// Give a server another name
    Rename {
        /// Its old name
        name: String,
        /// Its new name
        new_name: String,
    },
    /// Remove a server and its secrets that are kept here. Refused while it has live tasks
    Remove {
        /// The server's name
        name: String,
    },
    /// Connect now and say what was found
    Check {
        /// The server's name
        name: String,
    },
    /// Confirm the command of a server, so that it may be started
    ///
    /// Shows exactly what would be run, asks, and connects. A command that you type after -- of `server add` or `server edit`
    /// is confirmed by that. One from elsewhere (`server add --paste`, `import`, `salvage`) waits for this, also where
    /// `server edit` leaves a part of it as it was.
    Trust {
        /// The server's name
        name: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Sign in at a server, in the browser
    ///
    /// The address of the page is printed on stderr. At a terminal the page is also opened. The sign-in is kept where secrets
    /// are kept (`secrets`). A server that was given --machine (`server edit`) needs no browser.
    Login {
        /// The server's name
        name: String,
    },
    /// Forget who is signed in at a server
    Logout {
        /// The server's name
        name: String,
    },
    /// Connect to a disabled server again
    Enable {
        /// The server's name
        name: String,
    },
    /// Keep a server, but do not connect to it
    Disable {
        /// The server's name
        name: String,
    },
}

const REACH_EXAMPLES: &str = "\
A value V is env:VAR (read from the environment when connecting), @FILE (read from the file), or the value itself, \
which is kept as a secret: in the OS keychain, or where `signalbox secrets keep` says. Arguments can be seen by other \
programs: prefer the first two.

Of Signalbox's own environment a program gets HOME, PATH, USER, LOGNAME, SHELL and TERM, the language (LANG, LC_*), TZ, \
TMPDIR, XDG_*, the session (DBUS_SESSION_BUS_ADDRESS, DISPLAY, WAYLAND_DISPLAY), SSH_AUTH_SOCK, certificates \
(SSL_CERT_*, NODE_EXTRA_CA_CERTS) and proxies without a password; never what another server's env:VAR names. \
--env-pass gives it more.

Examples:
  signalbox server add ci --url https://ci.example.com/mcp --header Authorization=env:CI_TOKEN
  signalbox server add local --env API_KEY=@key.txt --env-plain LOG=debug -- npx some-mcp-server stdio";

const ADD_EXAMPLES: &str = "\
  signalbox server add --paste 'claude mcp add lab -e KEY=$LAB_KEY -- npx -y lab-mcp'
  pbpaste | signalbox server add --paste -";

const EDIT_EXAMPLES: &str = "\
  signalbox server edit local --env-pass PYTHONPATH
  signalbox server edit local --env-plain LOG=info --env-drop API_KEY
  signalbox server edit local -- npx some-mcp-server@2 stdio";

/// Why a value is not kept in the clear.
pub(crate) fn sounds_like_a_secret(name: &str) -> String {
    format!(
        "{name} is named like a secret. If it is not one, say so: --yes-plain {name}. Otherwise keep it as one"
    )
}

/// How a server is reached: one of the two ways.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Reach {
    /// Its MCP endpoint
    #[arg(long, conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// An extra header; may be repeated
    #[arg(long = "header", value_name = "K=V", conflicts_with = "command")]
    pub(crate) headers: Vec<String>,
    /// An extra header that is no secret: V is kept and shown as it is; may be repeated
    #[arg(long, value_name = "K=V", conflicts_with = "command")]
    pub(crate) header_plain: Vec<String>,
    /// A variable that is no secret: V is kept and shown as it is; may be repeated
    #[arg(long, value_name = "K=V", conflicts_with = "url")]
    pub(crate) env_plain: Vec<String>,
    /// K of --env-plain or --header-plain is no secret, although it is named like one; may be repeated
    #[arg(long, value_name = "K")]
    pub(crate) yes_plain: Vec<String>,
    /// An extra environment variable of its program; may be repeated
    #[arg(long, value_name = "K=V", conflicts_with = "url")]
    pub(crate) env: Vec<String>,
    /// Give its program the variable VAR of Signalbox's own environment; short for --env VAR=env:VAR; may be repeated
    #[arg(long, value_name = "VAR", conflicts_with = "url")]
    pub(crate) env_pass: Vec<String>,
    /// The working directory of its program. Default: your home directory
    #[arg(long, value_name = "DIR", conflicts_with = "url")]
    pub(crate) cwd: Option<PathBuf>,
    /// The program of a stdio server with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub(crate) command: Vec<String>,
}

/// What a server is given no longer.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Dropped {
    /// Stop giving its program this variable; may be repeated
    #[arg(long, value_name = "K", conflicts_with = "url")]
    pub(crate) env_drop: Vec<String>,
    /// Stop sending this header; may be repeated
    #[arg(long, value_name = "K", conflicts_with = "command")]
    pub(crate) header_drop: Vec<String>,
}

/// What reaching a server takes besides its address. Naming one of it replaces all of it.
#[derive(Debug, Args)]
#[group(skip)]
#[command(next_help_heading = "Sign-in and network (naming one of these replaces all of them)")]
pub(crate) struct Access {
    /// The id of a client that you registered at its authorization server. Default: Signalbox registers itself
    #[arg(long, value_name = "ID")]
    pub(crate) client_id: Option<String>,
    /// That client's secret
    #[arg(long, value_name = "V", requires = "client_id")]
    pub(crate) client_secret: Option<String>,
    /// The HTTPS URL of a client id metadata document to be known by
    #[arg(long, value_name = "URL")]
    pub(crate) client_metadata: Option<String>,
    /// A scope to ask for; may be repeated. Default: what the server names
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(crate) scopes: Vec<String>,
    /// The client signs in by itself, without a person (client credentials)
    #[arg(long, requires = "client_secret")]
    pub(crate) machine: bool,
    /// Certificates (PEM) of authorities to trust for this server beside the system's; may be repeated
    #[arg(long = "ca", value_name = "FILE")]
    pub(crate) ca: Vec<PathBuf>,
    /// The proxy to reach it through. Default: the one that the environment names
    #[arg(long, value_name = "URL")]
    pub(crate) proxy: Option<String>,
    /// Remove all of these
    #[arg(long, conflicts_with_all = ["client_id", "client_metadata", "scopes", "ca", "proxy"])]
    pub(crate) no_access: bool,
}
