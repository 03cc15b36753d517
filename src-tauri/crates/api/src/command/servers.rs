//! Servers: registering them, how they are reached, signing in, and the demo.

use signalbox_model::Transport;

use super::{DemoRemoved, DemoStarted, NewAccess, NewTransport, ServerCheck, SignInBegun, SignedOut};
use crate::ServerView;

commands! {
    /// Registers a server. Literal secrets are kept where the person chose.
    AddServer -> ServerView, Once {
        /// A name that no other server has.
        name: String,
        /// How to reach it.
        transport: NewTransport,
        /// Nobody typed it: its program is not started before a person has confirmed the command.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        untrusted: bool,
    }

    /// Replaces how a server is reached. Whoever says a command may have it started.
    EditServer -> ServerView, Once {
        /// Name or id.
        server: String,
        /// How to reach it from now on.
        transport: NewTransport,
        /// Its person did not say all of it now: a program that was not confirmed still is not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        untrusted: bool,
        /// What it was made of, where something stays as it is: refused when it is another by now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        shown: Option<Transport>,
    }

    /// Has a program be given variables of ours by name, beside what it is given already: each is read where the owner runs,
    /// whenever the program is started. Confirms nothing.
    PassVariables -> ServerView, Once {
        /// Name or id.
        server: String,
        /// The names of the variables.
        names: Vec<String>,
    }

    /// The person has seen what a program no longer gets ([`crate::ServerView::withheld`]): it is not said again.
    SeenWithheld -> (), Once {
        /// Name or id.
        server: String,
    }

    /// Replaces what a server is told when it asks for roots.
    SetRoots -> ServerView, Once {
        /// Name or id.
        server: String,
        /// URIs, such as `file:///home/me/project`; none: it is told that there are none.
        roots: Vec<String>,
    }

    /// Confirms the command of a program that waits for that: from now on it may be started.
    TrustServer -> ServerView, Once {
        /// Name or id.
        server: String,
        /// What the person was shown: refused when it is another by now.
        shown: Transport,
    }

    /// Replaces what reaching a server takes beside its address.
    SetAccess -> ServerView, Once {
        /// Name or id.
        server: String,
        /// All of it.
        access: NewAccess,
        /// What it was said for: refused when that is another host by now, to which nothing of it goes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        shown: Option<Transport>,
    }

    /// Gives a server another name.
    RenameServer -> ServerView, Once {
        /// Name or id.
        server: String,
        /// The new name.
        name: String,
    }

    /// Connects to a server no more (or again).
    SetServerEnabled -> ServerView, Once {
        /// Name or id.
        server: String,
        /// Whether it may be connected to.
        enabled: bool,
    }

    /// Removes a server and what is kept of its secrets. Refused while it has live tasks, and where what is kept cannot be
    /// deleted now.
    RemoveServer -> (), Once {
        /// Name or id.
        server: String,
    }

    /// Connects now and reports what was found.
    CheckServer -> ServerCheck, Once {
        /// Name or id.
        server: String,
    }

    /// Begins to sign in at a server; an earlier attempt is given up. Where a person is needed, whoever asks shows them the
    /// address in their browser, then waits with [`AwaitSignIn`].
    SignIn -> SignInBegun, Once {
        /// Name or id.
        server: String,
    }

    /// Waits for the end of a sign-in, and says how the server is then.
    AwaitSignIn -> ServerCheck, Once {
        /// Name or id.
        server: String,
        /// Which one, as [`SignInBegun`] named it.
        attempt: String,
    }

    /// Forgets who is signed in at a server, here and at its authorization server.
    SignOut -> SignedOut, Once {
        /// Name or id.
        server: String,
    }

    /// Registers and confirms the demo server, our own program, and starts some of its work: a question comes in a few seconds.
    /// What is under way goes on, and nothing is started twice.
    StartDemo -> DemoStarted, Once

    /// Takes the demo away: its server, tasks, questions, results and drafts. The log of decisions keeps its entries.
    RemoveDemo -> DemoRemoved, Once
}
