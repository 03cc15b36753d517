//! The commands, one file per group.

pub(crate) mod answer;
pub(crate) mod call;
pub(crate) mod demo;
pub(crate) mod follow;
pub(crate) mod serve;
pub(crate) mod server;
pub(crate) mod shell;
pub(crate) mod task;
pub(crate) mod watch;

use std::cell::Cell;

use signalbox_api::Desk;
use signalbox_model::CallId;

use crate::args::Command;
use crate::console::Console;
use crate::exit::{Exit, Failure};

/// What a command works with.
pub(crate) struct Context<'a> {
    pub(crate) desk: &'a dyn Desk,
    /// This command owns the data directory while it runs; nobody else follows anything.
    pub(crate) owner: bool,
    pub(crate) console: &'a Console,
    /// The work that goes on when the command is stopped early.
    pub(crate) waiting_for: Cell<Option<CallId>>,
}

impl Context<'_> {
    /// Without an owner what is stored may be old: looks once at these.
    pub(crate) async fn refresh(&self, calls: impl IntoIterator<Item = CallId>) {
        if self.owner {
            follow::look_once(self.desk, calls).await;
        }
    }
}

/// Carries out a command that needs a desk.
pub(crate) async fn run(context: &Context<'_>, command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Server(server) => server::run(context, server).await,
        Command::Tools { server } => server::tools(context, &server).await,
        Command::Call(call) => call::run(context, call).await,
        Command::Track { server, task_id } => task::track(context, server, &task_id).await,
        Command::Tasks { server, status } => task::list(context, server, status).await,
        Command::Show { item } => task::show(context, &item).await,
        Command::Watch { tasks } => watch::run(context, &tasks).await,
        Command::Cancel { task } => task::cancel(context, &task).await,
        Command::Forget { task } => task::forget(context, &task).await,
        Command::Inbox { all } => answer::inbox(context, all).await,
        Command::Answer(answer) => answer::run(context, &answer).await,
        Command::Serve | Command::Demo(_) | Command::Completions { .. } | Command::Man { .. } => {
            unreachable!("BUG: run.rs carries these out without a desk")
        }
    }
}
