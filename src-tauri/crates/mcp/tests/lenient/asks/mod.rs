//! What the client asks while the server is odd.

mod calls;
mod tasks;
mod unasked;

use std::time::Duration;

use signalbox_demo::{Carrier, DemoWire};
use signalbox_mcp::{CallReply, Error, TaskView};
use signalbox_model::Json;

use crate::{
    facts::Seen,
    stage::{Opened, Stage},
};

/// One kind of request, on the task of some tool where it is about one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ask {
    /// `tasks/get` of a task that asks something.
    Look,
    /// What became of a task that has ended: in `tasks/get`, or by `tasks/result`.
    Done,
    /// `tools/call` that makes a task, which is then looked at by the id it was given.
    Call,
    /// `tools/call` that makes no task.
    Plain,
    /// A task's question: in `tasks/get`, or as a request while `tasks/result` is held. Declined at the end.
    Question,
    /// A question to a model.
    Sample,
    /// The answer to a question, by `tasks/update`.
    Update,
    /// The wish to cancel a task, by `tasks/cancel`.
    Cancel,
    /// The list of tasks, by `tasks/list`.
    List,
    /// A plain call that asks (MRTR), answered.
    Rounds,
    /// The list of tools, by `tools/list`.
    Tools,
    /// `server/discover` or `initialize`.
    Connect,
    /// The end of a session.
    Leave,
    /// What is told of a task unasked: on a subscription, or in the session.
    News,
}

impl Ask {
    /// The method whose answer is odd.
    pub(crate) fn method(self, wire: DemoWire) -> &'static str {
        match (self, wire) {
            (Self::Done, DemoWire::Legacy) => "tasks/result",
            (Self::Look | Self::Done | Self::Question, DemoWire::Modern) | (Self::Look, DemoWire::Legacy) => {
                "tasks/get"
            }
            (Self::Call | Self::Plain | Self::Rounds, _) => "tools/call",
            (Self::Question, DemoWire::Legacy) => "elicitation/create",
            (Self::Sample, _) => "sampling/createMessage",
            (Self::Update, _) => "tasks/update",
            (Self::Cancel, _) => "tasks/cancel",
            (Self::List, _) => "tasks/list",
            (Self::Tools, _) => "tools/list",
            (Self::Connect, DemoWire::Modern) => "server/discover",
            (Self::Connect, DemoWire::Legacy) => "initialize",
            (Self::Leave, _) => "DELETE",
            (Self::News, DemoWire::Modern) => "subscriptions/listen",
            (Self::News, DemoWire::Legacy) => "notifications/tasks/status",
        }
    }

    /// Whether another of its kind can be asked behind it.
    pub(crate) fn repeats(self) -> bool {
        !matches!(
            self,
            Self::Question | Self::Sample | Self::Update | Self::Cancel | Self::Leave | Self::News
        )
    }

    fn tool(self) -> Option<(&'static str, u64)> {
        match self {
            Self::Look | Self::Question | Self::Update | Self::Cancel | Self::List => Some(("survey", 500)),
            Self::Done => Some(("lint", 3000)),
            Self::Sample => Some(("summarize", 3000)),
            Self::News => Some(("build", 0)),
            Self::Call | Self::Plain | Self::Rounds | Self::Tools | Self::Connect | Self::Leave => None,
        }
    }

    /// The task that it is about.
    pub(crate) async fn prepare(self, stage: &Stage, opened: &Opened) -> Result<String, Error> {
        let Some((tool, ms)) = self.tool() else { return Ok(String::new()) };
        let called = calls::call(stage, opened, tool).await?;
        let CallReply::Task(TaskView { task_id: Some(id), .. }) = called.reply else {
            panic!("{tool} makes a task: {}", called.raw.text())
        };
        stage.clock.advance(Duration::from_millis(ms));
        Ok(id)
    }

    /// Asks, and tells what came.
    pub(crate) async fn ask(self, stage: &Stage, opened: &mut Opened, task: &str) -> Seen {
        let seen = match self {
            Self::Look => tasks::look(stage, opened, task).await,
            Self::Done => tasks::done(stage, opened, task).await,
            Self::Update => tasks::update(stage, opened, task).await,
            Self::Cancel => tasks::cancel(stage, opened, task).await,
            Self::List => tasks::list(opened, task).await,
            Self::Call => calls::make(stage, opened).await,
            Self::Plain => calls::plain(stage, opened).await,
            Self::Rounds => calls::rounds(stage).await,
            Self::Tools => calls::tools(stage, opened).await,
            Self::Question | Self::Sample => unasked::question(stage, opened, task).await,
            Self::News => unasked::news(stage, opened, task).await,
            Self::Connect => stage.connect().await.map(|opened| found(&opened)),
            Self::Leave => leave(opened).await,
        };
        seen.unwrap_or_else(|error| Seen::failed(&error))
    }
}

/// All the places there are.
pub(crate) const PLACES: [(Carrier, DemoWire); 4] = [
    (Carrier::Stdio, DemoWire::Modern),
    (Carrier::Http, DemoWire::Modern),
    (Carrier::Stdio, DemoWire::Legacy),
    (Carrier::Http, DemoWire::Legacy),
];

pub(crate) fn found(opened: &Opened) -> Seen {
    let mut seen = Seen { kept: vec![opened.found.server.raw.clone()], ..Seen::default() };
    let server = &opened.found.server;
    seen.say(format!("speaks {}", server.protocol_version));
    seen.say(format!("name {:?}", server.name));
    seen.say(format!("tasks {}", server.tasks));
    seen
}

async fn leave(opened: &Opened) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    let (session, _) = opened.talk.as_ref().expect("a session");
    session.end().await?;
    seen.say("left");
    Ok(seen)
}

fn json(text: &str) -> Json {
    Json::parse(text).expect("the test's own JSON")
}
