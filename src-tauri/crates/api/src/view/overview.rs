//! What is always on screen: counts, servers, settings, troubles, the owner.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{Access, Health, Json, Peer, Push, ServerId, Timestamp, Transport, Wire};

use crate::{Code, Home, Settings, ShortcutState, Withheld};

/// How many tasks in each group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// How many wait for a person.
    pub needs_you: u32,
    /// How many are under way.
    pub working: u32,
    /// How many have ended.
    pub ended: u32,
}

impl Counts {
    /// How many have not ended.
    #[must_use]
    pub fn live(&self) -> u32 {
        self.needs_you + self.working
    }
}

/// How many questions are on each tab of the inbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TabCounts {
    /// How many wait for a person who has not put them off.
    pub needs_you: u32,
    /// How many of them have their deadline near.
    pub expiring: u32,
    /// How many were put off.
    pub snoozed: u32,
    /// How many are answered, closed or no longer asked.
    pub answered: u32,
    /// How many of them are no longer asked and have not been put away.
    pub no_longer_asked: u32,
    /// How many have come that needed a person, since this owner was first looked at: only that it grows says something.
    pub arrived: u32,
}

/// What is always on screen.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// How many questions are open and were not put off.
    pub inbox: u32,
    /// Questions by tab.
    pub tabs: TabCounts,
    /// How many answers are within their undo time: nobody has sent them, and an end makes drafts of them.
    pub held: u32,
    /// Tasks by group.
    pub tasks: Counts,
    /// Servers by name.
    pub servers: Vec<ServerView>,
    /// The person's settings as they are now.
    pub settings: Settings,
    /// Until when no notification is shown; none where nobody has paused them.
    pub notifications_paused_until: Option<Timestamp>,
    /// What became of the system-wide shortcut of these settings, or would.
    pub shortcut: ShortcutState,
    /// What is wrong with ourselves: disk, notifications.
    pub troubles: Vec<Trouble>,
    /// Who owns the data directory.
    pub owner: Owner,
}

/// What changed of an overview. What is absent is as it was; to a host that has seen nothing all of it is there.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct OverviewChange {
    /// As of [`Overview::inbox`].
    pub inbox: u32,
    /// As of [`Overview::tabs`].
    pub tabs: TabCounts,
    /// As of [`Overview::held`].
    pub held: u32,
    /// As of [`Overview::tasks`].
    pub tasks: Counts,
    /// All servers, in their order.
    pub order: Option<Vec<ServerId>>,
    /// Those that changed.
    pub servers: Vec<ServerChange>,
    /// As of [`Overview::settings`].
    pub settings: Option<Settings>,
    /// As of [`Overview::notifications_paused_until`]: it is always said.
    pub notifications_paused_until: Option<Timestamp>,
    /// As of [`Overview::shortcut`].
    pub shortcut: ShortcutState,
    /// As of [`Overview::troubles`].
    pub troubles: Option<Vec<Trouble>>,
    /// As of [`Overview::owner`].
    pub owner: Option<Owner>,
}

/// What changed of a server: all that changes with its tasks, and the rest of it where that did.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ServerChange {
    /// The server that changed.
    pub id: ServerId,
    /// As of [`ServerView::inbox`].
    pub inbox: u32,
    /// As of [`ServerView::tasks`].
    pub tasks: Counts,
    /// As of [`ServerView::heard_at`].
    pub heard_at: Option<Timestamp>,
    /// As of [`ServerView::left_out`].
    pub left_out: Option<u32>,
    /// All of it; none where the rest is as it was.
    pub view: Option<Box<ServerView>>,
}

impl ServerChange {
    /// All of a server.
    #[must_use]
    pub fn whole(view: ServerView) -> Self {
        let numbers = Self::of(&view);
        Self { view: Some(Box::new(view)), ..numbers }
    }

    /// What changes with its tasks.
    pub(crate) fn of(view: &ServerView) -> Self {
        let &ServerView { id, inbox, tasks, heard_at, left_out, .. } = view;
        Self { id, inbox, tasks, heard_at, left_out, view: None }
    }
}

impl Overview {
    /// Whether the owner was started to be seen: it is the window, or `serve --tray`. Only who has a face says what becomes of
    /// the person's key; a system on which `serve` has none gives it no keys either.
    #[must_use]
    pub fn owner_has_face(&self) -> bool {
        !matches!(self.shortcut, ShortcutState::Nobody | ShortcutState::NotHere)
    }

    /// How many tasks of the demo are not over.
    #[must_use]
    pub fn demo_live(&self) -> u32 {
        self.servers.iter().filter(|server| server.demo).map(|server| server.tasks.live()).sum()
    }
}

impl OverviewChange {
    /// All of an overview.
    #[must_use]
    pub fn whole(overview: Overview) -> Self {
        let Overview {
            inbox,
            tabs,
            held,
            tasks,
            servers,
            settings,
            notifications_paused_until,
            shortcut,
            troubles,
            owner,
        } = overview;
        Self {
            inbox,
            tabs,
            held,
            tasks,
            order: Some(servers.iter().map(|server| server.id).collect()),
            servers: servers.into_iter().map(ServerChange::whole).collect(),
            settings: Some(settings),
            notifications_paused_until,
            shortcut,
            troubles: Some(troubles),
            owner: Some(owner),
        }
    }

    /// The overview after this, of which `before` was seen. None where it goes with another one.
    #[must_use]
    pub fn after(self, before: Option<Overview>) -> Option<Overview> {
        let (mut servers, settings, troubles, owner, order) = match before {
            Some(Overview { servers, settings, troubles, owner, .. }) => {
                let order = servers.iter().map(|server| server.id).collect();
                (servers, Some(settings), Some(troubles), Some(owner), Some(order))
            }
            None => (Vec::new(), None, None, None, None),
        };
        for ServerChange { id, inbox, tasks, heard_at, left_out, view } in self.servers {
            let at = servers.iter().position(|server| server.id == id);
            let base = view.map(|view| *view).or_else(|| at.map(|at| servers[at].clone()))?;
            let server = ServerView { inbox, tasks, heard_at, left_out, ..base };
            match at {
                Some(at) => servers[at] = server,
                None => servers.push(server),
            }
        }
        let order: Vec<ServerId> = self.order.or(order)?;
        let of = |id: &ServerId| servers.iter().find(|server| server.id == *id).cloned();
        Some(Overview {
            inbox: self.inbox,
            tabs: self.tabs,
            held: self.held,
            tasks: self.tasks,
            servers: order.iter().map(of).collect::<Option<_>>()?,
            settings: self.settings.or(settings)?,
            notifications_paused_until: self.notifications_paused_until,
            shortcut: self.shortcut,
            troubles: self.troubles.or(troubles)?,
            owner: self.owner.or(owner)?,
        })
    }
}

/// A server for people.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ServerView {
    /// Our short id.
    pub id: ServerId,
    /// The person's name for it.
    pub name: String,
    /// Its URL, or its command line.
    pub place: String,
    /// How to reach it. Secrets are references.
    pub transport: Transport,
    /// What that takes beside its address. Secrets are references.
    pub access: Access,
    /// Whether it may be connected to.
    pub enabled: bool,
    /// Whether its command was confirmed: a program that was not is never started. Of no meaning for URLs.
    pub trusted: bool,
    /// How it was last seen.
    pub health: Health,
    /// Since when it is being connected to, by our clock; absent while it is not, or not for longer than a moment.
    pub connecting_since: Option<Timestamp>,
    /// When it last answered anything, by our clock; absent while it never has at this address. Less than a
    /// minute behind while it answers all the time, exact once it is silent.
    pub heard_at: Option<Timestamp>,
    /// The wire it speaks.
    pub wire: Option<Wire>,
    /// The protocol version it speaks.
    pub protocol_version: Option<String>,
    /// What it says of itself: a claim.
    pub peer: Option<Peer>,
    /// Its capabilities as received.
    pub capabilities: Option<Json>,
    /// Whether it declared the tasks extension.
    pub supports_tasks: bool,
    /// What it is told when it asks for roots: URIs.
    pub roots: Vec<String>,
    /// Whether it tells by itself how its tasks fare; absent while it was not asked in this run.
    pub push: Option<Push>,
    /// Who is signed in; absent while nobody is, or while that did not matter in this run.
    pub signed_in: Option<SignedIn>,
    /// How many tools it listed last; absent while it has listed none yet.
    pub tools: Option<u32>,
    /// How many of its questions are open and were not put off.
    pub inbox: u32,
    /// Its tasks by group.
    pub tasks: Counts,
    /// Whether it is the demo: our own program, which does nothing for real.
    pub demo: bool,
    /// What its program got before an update and gets no longer, until the person has seen it.
    pub withheld: Option<Withheld>,
    /// How many of its questions are not shown now, since it asks more than is taken of a task and of a server; absent where
    /// all are.
    pub left_out: Option<u32>,
}

/// Who is signed in at a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The authorization server that let them in, as it names itself.
    pub issuer: String,
    /// What was granted.
    pub scopes: Vec<String>,
}

/// Something that is wrong with ourselves.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct Trouble {
    /// From the closed list.
    pub code: Code,
    /// What happened, in words of ours.
    pub message: String,
    /// What the system said, for those who look into it.
    pub detail: Option<String>,
}

/// Who owns the data directory.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct Owner {
    /// What kind of program.
    pub kind: OwnerKind,
    /// Its process id.
    pub pid: u32,
    /// The version of Signalbox that it is.
    pub version: String,
    /// The data directory.
    pub home: String,
    /// The directory of its logs; an older version says none.
    pub logs: Option<String>,
}

impl Owner {
    /// This program, of this kind.
    pub(crate) fn ours(kind: OwnerKind, home: &Home) -> Self {
        let said = |path: &Path| path.display().to_string();
        Self {
            kind,
            pid: std::process::id(),
            version: version(),
            home: said(home.dir()),
            logs: Some(said(&home.logs())),
        }
    }
}

/// Our version. In debug builds a variable overrules it, so that tests see an owner that an update has left behind.
fn version() -> String {
    #[cfg(debug_assertions)]
    if let Ok(other) = std::env::var("SIGNALBOX_TEST_VERSION") {
        return other;
    }
    env!("CARGO_PKG_VERSION").to_owned()
}

/// What kind of program owns the data directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OwnerKind {
    /// The window.
    Window,
    /// `signalbox serve`.
    Serve,
    /// A command, while it runs.
    Command,
}
