//! Tool calls to odd servers.

use signalbox_mcp::{CallOptions, CallReply, Called, Error, RoundAnswers, TaskWish};

use super::{json, tasks::look};
use crate::{
    facts::Seen,
    stage::{Opened, Stage},
};

pub(super) async fn call(stage: &Stage, opened: &Opened, tool: &str) -> Result<Called, Error> {
    let none = json("{}");
    match &opened.talk {
        None => stage.client.call_tool(tool, &none, CallOptions::default()).await,
        Some((session, _)) => {
            let (task, token) = (Some(TaskWish::default()), Some("t-1".to_owned()));
            let options = CallOptions { task, progress_token: token, ..CallOptions::default() };
            session.call_tool(tool, &none, options).await
        }
    }
}

pub(super) async fn make(stage: &Stage, opened: &Opened) -> Result<Seen, Error> {
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

pub(super) async fn plain(stage: &Stage, opened: &Opened) -> Result<Seen, Error> {
    let text = json(r#"{"text":"hello"}"#);
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

pub(super) async fn rounds(stage: &Stage) -> Result<Seen, Error> {
    let none = json("{}");
    let decline = json(r#"{"action":"decline"}"#);
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
        round = Some(RoundAnswers { request_state, input_responses: responses });
    }
    seen.say("never ends");
    Ok(seen)
}

pub(super) async fn tools(stage: &Stage, opened: &Opened) -> Result<Seen, Error> {
    let tools = match &opened.talk {
        None => stage.client.list_tools().await?,
        Some((session, _)) => session.list_tools().await?,
    };
    let mut seen = Seen::default();
    seen.tools(&tools);
    Ok(seen)
}
