//! What the client asks while the server is odd.

use std::time::Duration;

use signalbox_demo::{Carrier, Entry, Wire};
use signalbox_mcp::{
    Ask as Asked, CallOptions, CallReply, Error, News, Push, Pushed, Reply, Round, SessionEvent, TaskView,
    TaskWish, Wanted,
};
use signalbox_model::Json;

use crate::{
    facts::Seen,
    stage::{Opened, Stage, soon},
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
    /// A plain call that asks (MRTR), answered.
    Rounds,
    /// `tools/list`.
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
    pub(crate) fn method(self, wire: Wire) -> &'static str {
        match (self, wire) {
            (Self::Done, Wire::Legacy) => "tasks/result",
            (Self::Look | Self::Done | Self::Question, Wire::Modern) | (Self::Look, Wire::Legacy) => {
                "tasks/get"
            }
            (Self::Call | Self::Plain | Self::Rounds, _) => "tools/call",
            (Self::Question, Wire::Legacy) => "elicitation/create",
            (Self::Sample, _) => "sampling/createMessage",
            (Self::Update, _) => "tasks/update",
            (Self::Tools, _) => "tools/list",
            (Self::Connect, Wire::Modern) => "server/discover",
            (Self::Connect, Wire::Legacy) => "initialize",
            (Self::Leave, _) => "DELETE",
            (Self::News, Wire::Modern) => "subscriptions/listen",
            (Self::News, Wire::Legacy) => "notifications/tasks/status",
        }
    }

    /// Whether another of its kind can be asked behind it.
    pub(crate) fn repeats(self) -> bool {
        !matches!(self, Self::Question | Self::Sample | Self::Update | Self::Leave | Self::News)
    }

    fn tool(self) -> Option<(&'static str, u64)> {
        match self {
            Self::Look | Self::Question | Self::Update => Some(("survey", 500)),
            Self::Done => Some(("lint", 3000)),
            Self::Sample => Some(("summarize", 3000)),
            Self::News => Some(("build", 0)),
            Self::Call | Self::Plain | Self::Rounds | Self::Tools | Self::Connect | Self::Leave => None,
        }
    }

    /// The task that it is about.
    pub(crate) async fn prepare(self, stage: &Stage, opened: &Opened) -> Result<String, Error> {
        let Some((tool, ms)) = self.tool() else { return Ok(String::new()) };
        let called = call(stage, opened, tool).await?;
        let CallReply::Task(TaskView { task_id: Some(id), .. }) = called.reply else {
            panic!("{tool} makes a task: {}", called.raw.text())
        };
        stage.clock.advance(Duration::from_millis(ms));
        Ok(id)
    }

    /// Asks, and tells what came.
    pub(crate) async fn ask(self, stage: &Stage, opened: &mut Opened, task: &str) -> Seen {
        let seen = match self {
            Self::Look => look(stage, opened, task).await,
            Self::Done => done(stage, opened, task).await,
            Self::Call => make(stage, opened).await,
            Self::Plain => plain(stage, opened).await,
            Self::Question | Self::Sample => question(stage, opened, task).await,
            Self::Update => update(stage, opened, task).await,
            Self::Rounds => rounds(stage).await,
            Self::Tools => tools(stage, opened).await,
            Self::Connect => stage.connect().await.map(|opened| found(&opened)),
            Self::Leave => leave(opened).await,
            Self::News => news(stage, opened, task).await,
        };
        seen.unwrap_or_else(|error| Seen::failed(&error))
    }
}

async fn call(stage: &Stage, opened: &Opened, tool: &str) -> Result<signalbox_mcp::Called, Error> {
    let none = Json::parse("{}").expect("an object");
    match &opened.talk {
        None => stage.client.call_tool(tool, &none, CallOptions::default()).await,
        Some((session, _)) => {
            let (task, token) = (Some(TaskWish::default()), Some("t-1".to_owned()));
            let options = CallOptions { task, progress_token: token, ..CallOptions::default() };
            session.call_tool(tool, &none, options).await
        }
    }
}

async fn raw_look(stage: &Stage, opened: &Opened, task: &str) -> Result<Json, Error> {
    match &opened.talk {
        None => stage.client.get_task(task).await,
        Some((session, _)) => session.get_task(task).await,
    }
}

fn view(opened: &Opened, raw: &Json) -> TaskView {
    if opened.talk.is_none() { TaskView::read(raw) } else { TaskView::read_legacy(raw) }
}

async fn look(stage: &Stage, opened: &Opened, task: &str) -> Result<Seen, Error> {
    let raw = raw_look(stage, opened, task).await?;
    let mut seen = Seen { kept: vec![raw.clone()], ..Seen::default() };
    seen.task(&view(opened, &raw), task);
    Ok(seen)
}

async fn done(stage: &Stage, opened: &Opened, task: &str) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    match &opened.talk {
        None => return look(stage, opened, task).await,
        Some((session, _)) => seen.result(&session.task_result(task, None).await?),
    }
    Ok(seen)
}

async fn make(stage: &Stage, opened: &Opened) -> Result<Seen, Error> {
    let called = call(stage, opened, "forever").await?;
    let mut seen = Seen { kept: vec![called.raw.clone()], ..Seen::default() };
    let CallReply::Task(task) = &called.reply else {
        seen.say("made nothing");
        seen.result(&called.raw);
        return Ok(seen);
    };
    let id = task.task_id.clone().unwrap_or_default();
    seen.task(task, &id);
    match look(stage, opened, &id).await {
        Ok(again) => seen.facts.extend(again.facts.into_iter().map(|fact| format!("then {fact}"))),
        Err(error) => {
            seen.facts.extend(Seen::failed(&error).facts.into_iter().map(|fact| format!("then {fact}")))
        }
    }
    Ok(seen)
}

async fn plain(stage: &Stage, opened: &Opened) -> Result<Seen, Error> {
    let text = Json::parse(r#"{"text":"hello"}"#).expect("an object");
    let called = match &opened.talk {
        None => stage.client.call_tool("echo", &text, CallOptions::default()).await?,
        Some((session, _)) => session.call_tool("echo", &text, CallOptions::default()).await?,
    };
    let mut seen = Seen::default();
    match &called.reply {
        CallReply::Complete => seen.result(&called.raw),
        CallReply::Task(task) => seen.task(task, "made-anyway"),
        CallReply::InputRequired { input_requests, .. } => {
            input_requests.iter().for_each(|(key, raw)| seen.question(key, raw));
        }
    }
    Ok(seen)
}

async fn question(stage: &Stage, opened: &mut Opened, task: &str) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    let decline = Json::parse(r#"{"action":"decline"}"#).expect("an object");
    let Some((session, events)) = &mut opened.talk else {
        let raw = stage.client.get_task(task).await?;
        let requests = TaskView::read(&raw).input_requests;
        requests.iter().for_each(|(key, question)| seen.question(key, question));
        seen.kept.push(raw);
        // What the server asked by its own list is answered by the keys that were read.
        let answers: Vec<_> = requests.iter().map(|(key, _)| (key.clone(), decline.clone())).collect();
        stage.client.update_task(task, &answers).await?;
        seen.say(format!("taken {}", stage.demo.journal().taken().len()));
        return Ok(seen);
    };
    let holding = session.clone();
    let mut result = Box::pin(holding.task_result(task, None));
    loop {
        let event = tokio::select! {
            event = events.next() => event.expect("the session goes on"),
            ended = &mut result => {
                seen.say(format!("taken {}", stage.demo.journal().taken().len()));
                seen.result(&ended?);
                return Ok(seen);
            }
        };
        if let SessionEvent::Request(request) = event {
            match &request.ask {
                Asked::Elicitation(_) => seen.question("", &request.raw),
                other => seen.say(format!("asks {other:?}")),
            }
            let belongs = request.related_task.as_deref();
            seen.say(format!(
                "belongs {}",
                belongs.map_or("nowhere", |id| if id == task { "here" } else { "elsewhere" })
            ));
            seen.kept.push(request.raw.clone());
            let reply = match &request.ask {
                Asked::Elicitation(_) => Reply::Result(decline.clone()),
                _ => Reply::Error { code: -1, message: "no".into() },
            };
            session.reply(&request.id, reply).await?;
            let taken = |entry: &Entry| matches!(entry, Entry::Taken { .. });
            soon("the reply", stage.demo.journal().until(|entries| entries.iter().any(taken))).await;
            // Some tools file what they were told before they end.
            stage.clock.advance(Duration::from_secs(1));
        }
    }
}

async fn update(stage: &Stage, opened: &Opened, task: &str) -> Result<Seen, Error> {
    let decline = Json::parse(r#"{"action":"decline"}"#).expect("an object");
    let acknowledged = stage.client.update_task(task, &[("survey".into(), decline)]).await?;
    let mut seen = look(stage, opened, task).await?;
    seen.kept.push(acknowledged);
    Ok(seen)
}

async fn rounds(stage: &Stage) -> Result<Seen, Error> {
    let none = Json::parse("{}").expect("an object");
    let decline = Json::parse(r#"{"action":"decline"}"#).expect("an object");
    let (mut seen, mut round) = (Seen::default(), None);
    // One more than it takes, since one may be lost.
    for _ in 0..4 {
        let options = CallOptions { round: round.take(), ..CallOptions::default() };
        let called = stage.client.call_tool("mrtr_question", &none, options).await?;
        seen.kept.push(called.raw.clone());
        let CallReply::InputRequired { request_state, input_requests } = called.reply else {
            seen.result(&called.raw);
            return Ok(seen);
        };
        input_requests.iter().for_each(|(key, raw)| seen.question(key, raw));
        seen.say(format!(
            "round of {}, {}",
            input_requests.len(),
            if request_state.is_some() { "a state" } else { "-" }
        ));
        let responses = input_requests.into_iter().map(|(key, _)| (key, decline.clone())).collect();
        round = Some(Round { request_state, input_responses: responses });
    }
    seen.say("never ends");
    Ok(seen)
}

async fn tools(stage: &Stage, opened: &Opened) -> Result<Seen, Error> {
    let tools = match &opened.talk {
        None => stage.client.list_tools().await?,
        Some((session, _)) => session.list_tools().await?,
    };
    let mut seen = Seen::default();
    seen.tools(&tools);
    Ok(seen)
}

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

async fn news(stage: &Stage, opened: &mut Opened, task: &str) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    let Some((_, events)) = &mut opened.talk else {
        let wanted = Wanted { task_ids: vec![task.to_owned()], tools_list_changed: false };
        let mut subscription = stage.client.listen(&wanted).await?;
        seen.say(format!("granted {}", subscription.granted().task_ids.len()));
        if subscription.granted().task_ids.is_empty() {
            return Ok(seen);
        }
        match soon("what is pushed", subscription.next()).await {
            Some(Pushed::Task { task_id, raw }) => {
                seen.task(&TaskView::read(&raw), if task_id == task { task } else { "another" });
                seen.kept.push(raw);
            }
            Some(Pushed::Cut(error)) => seen.say(format!("cut {}", crate::facts::said(&error))),
            other => seen.say(format!("pushed {other:?}")),
        }
        return Ok(seen);
    };
    stage.clock.advance(Duration::from_millis(250));
    // One of each is told.
    let (mut status, mut progress) = (false, false);
    while !(status && progress) {
        let notification = match soon("what is told", events.next()).await.expect("the session goes on") {
            SessionEvent::Notification(notification) => notification,
            SessionEvent::Push(Push::NotOffered) => {
                seen.say("no news offered");
                return Ok(seen);
            }
            _ => continue,
        };
        seen.kept.push(notification.raw.clone());
        match notification.news {
            News::TaskStatus(view) => {
                status = true;
                seen.task(&view, task);
            }
            News::Progress(view) => {
                let shown = |json: &Option<Json>| json.as_ref().map_or("-", Json::text).to_owned();
                let (done, total) = (shown(&view.progress), shown(&view.total));
                // The beginning may have been told before.
                if done != "0" {
                    progress = true;
                    seen.say(format!("progress {} {done} of {total}", view.token));
                }
            }
            other => {
                status = true;
                seen.say(format!("told {other:?}"));
            }
        }
    }
    seen.facts.sort();
    Ok(seen)
}

/// All the places there are.
pub(crate) const PLACES: [(Carrier, Wire); 4] = [
    (Carrier::Stdio, Wire::Modern),
    (Carrier::Http, Wire::Modern),
    (Carrier::Stdio, Wire::Legacy),
    (Carrier::Http, Wire::Legacy),
];
