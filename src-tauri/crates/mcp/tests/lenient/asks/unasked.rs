//! What comes unasked: questions and news.

use std::time::Duration;

use signalbox_demo::JournalEntry;
use signalbox_mcp::{
    Error, PushStream, Pushed, ServerAsk, ServerNews, SessionEvent, SessionReply, SubscriptionFilter,
    TaskView,
};
use signalbox_model::Json;

use super::json;
use crate::{
    facts::{Seen, said},
    stage::{Opened, Stage, soon},
};

pub(super) async fn question(stage: &Stage, opened: &mut Opened, task: &str) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    let decline = json(r#"{"action":"decline"}"#);
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
                ServerAsk::Elicitation(_) => seen.question("", &request.raw),
                other => seen.say(format!("asks {other:?}")),
            }
            let belongs = request.related_task.as_deref();
            seen.say(format!(
                "belongs {}",
                belongs.map_or("nowhere", |id| if id == task { "here" } else { "elsewhere" })
            ));
            seen.kept.push(request.raw.clone());
            let reply = match &request.ask {
                ServerAsk::Elicitation(_) => SessionReply::Result(decline.clone()),
                _ => SessionReply::Error { code: -1, message: "no".into() },
            };
            session.reply(&request.id, reply).await?;
            let taken = |entry: &JournalEntry| matches!(entry, JournalEntry::Taken { .. });
            soon("the reply", stage.demo.journal().until(|entries| entries.iter().any(taken))).await;
            // Some tools file what they were told before they end.
            stage.clock.advance(Duration::from_secs(1));
        }
    }
}

pub(super) async fn news(stage: &Stage, opened: &mut Opened, task: &str) -> Result<Seen, Error> {
    let mut seen = Seen::default();
    let Some((_, events)) = &mut opened.talk else {
        let wanted = SubscriptionFilter { task_ids: vec![task.to_owned()], tools_list_changed: false };
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
            Some(Pushed::Cut(error)) => seen.say(format!("cut {}", said(&error))),
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
            SessionEvent::Push(PushStream::NotOffered) => {
                seen.say("no news offered");
                return Ok(seen);
            }
            _ => continue,
        };
        seen.kept.push(notification.raw.clone());
        match notification.news {
            ServerNews::TaskStatus(view) => {
                status = true;
                seen.task(&view, task);
            }
            ServerNews::Progress(view) => {
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
