//! What is asked about tasks.

use signalbox_mcp::{Error, TaskView};
use signalbox_model::Json;

use super::json;
use crate::{
    facts::Seen,
    stage::{Opened, Stage},
};

async fn raw_look(stage: &Stage, opened: &Opened, task: &str) -> Result<Json, Error> {
    match &opened.talk {
        None => stage.client.get_task(task).await,
        Some((session, _)) => session.get_task(task).await,
    }
}

fn view(opened: &Opened, raw: &Json) -> TaskView {
    if opened.talk.is_none() { TaskView::read(raw) } else { TaskView::read_legacy(raw) }
}

pub(super) async fn look(stage: &Stage, opened: &Opened, task: &str) -> Result<Seen, Error> {
    let raw = raw_look(stage, opened, task).await?;
    let mut seen = Seen { kept: vec![raw.clone()], ..Seen::default() };
    seen.task(&view(opened, &raw), task);
    Ok(seen)
}

pub(super) async fn done(stage: &Stage, opened: &Opened, task: &str) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    match &opened.talk {
        None => return look(stage, opened, task).await,
        Some((session, _)) => seen.result(&session.task_result(task, None).await?),
    }
    Ok(seen)
}

pub(super) async fn update(stage: &Stage, opened: &Opened, task: &str) -> Result<Seen, Error> {
    let decline = json(r#"{"action":"decline"}"#);
    let acknowledged = stage.client.update_task(task, &[("survey".into(), decline)]).await?;
    let mut seen = look(stage, opened, task).await?;
    seen.kept.push(acknowledged);
    Ok(seen)
}

pub(super) async fn cancel(stage: &Stage, opened: &Opened, task: &str) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    let Some((session, _)) = &opened.talk else {
        seen.kept.push(stage.client.cancel_task(task).await?);
        seen.say("acknowledged");
        return Ok(seen);
    };
    let raw = session.cancel_task(task).await?;
    seen.task(&TaskView::read_legacy(&raw), task);
    seen.kept.push(raw);
    Ok(seen)
}

pub(super) async fn list(opened: &Opened, task: &str) -> Result<Seen, Error> {
    let (session, _) = opened.talk.as_ref().expect("a session");
    let listed = session.list_tasks().await?;
    let mut seen = Seen::default();
    seen.say(format!("listed {}, {}", listed.tasks.len(), if listed.complete { "all" } else { "not all" }));
    for raw in listed.tasks {
        seen.task(&TaskView::read_legacy(&raw), task);
        seen.kept.push(raw);
    }
    Ok(seen)
}
