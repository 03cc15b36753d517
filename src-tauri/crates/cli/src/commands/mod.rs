//! The commands, one file per group.

mod again;
pub(crate) mod answer;
mod autostart;
pub(crate) mod call;
mod careful;
mod content;
pub(crate) mod demo;
mod diff;
pub(crate) mod doctor;
mod edit;
pub(crate) mod export;
pub(crate) mod follow;
mod import;
mod new_file;
mod notifications;
mod open;
mod own;
mod paste;
pub(crate) mod quit;
pub(crate) mod rescue;
mod resource;
mod result;
pub(crate) mod secrets;
pub(crate) mod serve;
pub(crate) mod server;
mod several;
pub(crate) mod shell;
mod shortcut;
pub(crate) mod task;
mod together;
mod track;
pub(crate) mod watch;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use signalbox_api::{Browser, Desk, Passphrase};
use signalbox_model::CallId;
use tokio::time::Instant;

use crate::args::{AtDesk, Backup, Cancel, Show, Snooze, Track};
use crate::console::Console;
use crate::exit::{Exit, Failure};

/// What a command works with.
pub(crate) struct Context<'a> {
    pub(crate) desk: &'a dyn Desk,
    pub(crate) owner: &'a AtomicBool,
    pub(crate) console: &'a Console,
    /// The passphrase of the encrypted file that keeps secrets, where it was given.
    pub(crate) passphrase: Option<&'a Passphrase>,
    /// Starts the person's browser.
    pub(crate) browser: Browser,
    /// The work that goes on when the command is stopped early.
    pub(crate) waiting_for: Cell<Option<CallId>>,
    /// When the command has to be done.
    pub(crate) deadline: Option<Instant>,
    /// Of a command that asks one server: that it had not answered when the time was up.
    pub(crate) asked: Option<String>,
}

impl Context<'_> {
    /// Whether this command owns the data directory by now, so that nobody else follows anything: an owner can leave
    /// while it runs.
    pub(crate) fn owns(&self) -> bool {
        self.owner.load(Ordering::Relaxed)
    }

    /// Without an owner what is stored may be old: looks once at these, and says of which servers it still is.
    pub(crate) async fn refresh(&self, calls: impl IntoIterator<Item = CallId>) {
        if self.owns() {
            self.follow(calls).await;
        }
    }

    /// Has whoever owns the data directory follow these; a command follows only what is named to it. Polls them once, as
    /// [`Context::refresh`] does.
    pub(crate) async fn follow(&self, calls: impl IntoIterator<Item = CallId>) {
        let within = follow::refresh_by(self.deadline);
        let left = follow::poll_once(self.desk, calls, within).await;
        if self.owns() {
            follow::say_not_refreshed(self, &left, within).await;
        }
    }
}

/// Carries out a command that needs a desk.
pub(crate) async fn run(context: &Context<'_>, command: AtDesk) -> Result<Exit, Failure> {
    match command {
        AtDesk::Demo(act) => demo::act(context, act).await,
        AtDesk::Server(server) => server::run(context, server).await,
        AtDesk::Import(import) => import::run(context, import).await,
        AtDesk::Tools { server } => server::tools(context, &server).await,
        AtDesk::Call(call) => call::run(context, call).await,
        AtDesk::Again(again) => again::run(context, again).await,
        AtDesk::Track(Track { server, task_id: Some(task_id), .. }) => {
            track::one(context, server, &task_id).await
        }
        AtDesk::Track(Track { server, all: true, .. }) => track::all(context, server).await,
        AtDesk::Track(Track { server, .. }) => track::offer(context, server).await,
        AtDesk::Tasks(tasks) => task::list(context, &tasks).await,
        AtDesk::Diff { task } => diff::run(context, &task).await,
        AtDesk::Show(Show { item, requests, result: false, .. }) => {
            task::show(context, &item, requests).await
        }
        AtDesk::Show(Show { item, part: Some(part), read: true, out, .. }) => {
            let call = crate::look::find(context.desk, &item).await?;
            resource::read(context, call, part, out.as_deref()).await
        }
        AtDesk::Show(Show { item, part, out, .. }) => {
            let call = crate::look::find(context.desk, &item).await?;
            result::show(context, call, part, out.as_deref()).await
        }
        AtDesk::Watch { tasks } => watch::run(context, &tasks).await,
        AtDesk::Cancel(Cancel { chosen, again }) => task::cancel(context, &chosen, again).await,
        AtDesk::Forget(forget) => task::forget(context, &forget.chosen).await,
        AtDesk::Tag(tag) => own::tag(context, tag).await,
        AtDesk::Note(note) => own::note(context, &note).await,
        AtDesk::Inbox(inbox) => answer::inbox(context, &inbox).await,
        AtDesk::Open(open) => open::open(context, &open.item).await,
        AtDesk::Focus => open::focus(context).await,
        AtDesk::Next => open::next(context).await,
        AtDesk::Autostart(autostart) => autostart::run(context, autostart.on).await,
        AtDesk::Shortcut(shortcut) => shortcut::run(context, shortcut.keys).await,
        AtDesk::Secrets { act } => secrets::run(context, act).await,
        AtDesk::Notifications { act } => notifications::run(context, act).await,
        AtDesk::Undo { request } => answer::undo(context, request).await,
        AtDesk::Snooze(Snooze { request, until }) => answer::snooze(context, request, until).await,
        AtDesk::PutAway { request } => answer::put_away(context, request).await,
        AtDesk::Answer(answer) => answer::run(context, &answer).await,
        AtDesk::Export(export) => export::run(context, &export).await,
        AtDesk::Backup(Backup { file }) => rescue::backup(context, &file).await,
    }
}
