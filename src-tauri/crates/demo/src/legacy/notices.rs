//! What a session is told of its tasks unasked: status, progress, and questions where they are asked on the stream of GET.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Session;
use super::questions::Asking;
use super::task::related;
use crate::calls::Call;
use crate::protocol::notification;
use crate::script::{Scene, State};
use crate::{AsksOn, Demo, Notices};

const STATUS: &str = "notifications/tasks/status";

/// What was told of one task.
#[derive(Default)]
struct Told {
    status: Option<Value>,
    progress: Option<(i64, i64)>,
    /// Kept back, to be told after the next.
    held: Option<Value>,
    ended: bool,
}

/// Tell a session of its tasks until it is over.
pub(super) async fn herald(demo: Demo, session: Arc<Session>) {
    let calls = &demo.0.calls;
    let (mut changes, mut begun, mut listened) = (calls.changes(), calls.beginnings(), session.listened());
    let asking = Asking::new(&demo, &session, &session.general);
    let mut told: HashMap<String, Told> = HashMap::new();
    loop {
        changes.borrow_and_update();
        begun.borrow_and_update();
        listened.borrow_and_update();
        let mut wake = i64::MAX;
        let own =
            |call: &Call| !call.origin.plain && call.origin.session.as_deref() == Some(session.id.as_str());
        for call in calls.all(demo.now_ms(), own) {
            let told = told.entry(call.id.clone()).or_default();
            if !told.ended {
                let until = tell(&demo, &session, &asking, &call, told);
                let expiry = call.ttl_ms.map(|ttl| call.created_at.saturating_add(ttl));
                wake = wake.min(until.unwrap_or(i64::MAX)).min(expiry.unwrap_or(i64::MAX));
            }
        }
        tokio::select! {
            () = demo.0.clock.until(wake) => {}
            _ = changes.changed() => {}
            _ = begun.changed() => {}
            _ = listened.changed() => {}
            () = session.closed() => return,
        }
    }
}

/// Tell a session of new editions of the tools until it is over.
pub(super) async fn announce(demo: Demo, session: Arc<Session>) {
    let mut edition = demo.0.edition.subscribe();
    loop {
        tokio::select! {
            // The sender lives in `demo`, so this can only end with a change.
            _ = edition.changed() => say(&demo, &session, "notifications/tools/list_changed", json!({})),
            () = session.closed() => return,
        }
    }
}

/// Tell what is new of one task; returns when time alone will bring more.
fn tell(demo: &Demo, session: &Session, asking: &Asking<'_>, call: &Call, told: &mut Told) -> Option<i64> {
    let tool = crate::tools::find(&call.tool)?;
    let scene = demo.scene(call, tool);
    let legacy = demo.0.options.legacy;
    if legacy.notices != Notices::Off {
        let view = demo.legacy_view(call, &scene);
        // Who made the task knows how it began.
        if told.status.replace(view.clone()).is_some_and(|before| before != view) {
            status(demo, session, view, told, scene.state.ended());
        }
    }
    progress(demo, session, call, &scene, told);
    if let (State::InputRequired(requests), AsksOn::Stream) = (&scene.state, legacy.asks_on) {
        requests.iter().for_each(|(key, request)| asking.ask(call, tool, key, request));
    }
    told.ended = scene.state.ended();
    scene.until
}

fn status(demo: &Demo, session: &Session, view: Value, told: &mut Told, ended: bool) {
    if demo.0.options.legacy.notices != Notices::Shuffled {
        return say(demo, session, STATUS, view);
    }
    match told.held.take() {
        None if !ended => told.held = Some(view),
        held => {
            say(demo, session, STATUS, view);
            if let Some(late) = held {
                say(demo, session, STATUS, late);
            }
        }
    }
}

fn progress(demo: &Demo, session: &Session, call: &Call, scene: &Scene, told: &mut Told) {
    let Some(token) = &call.origin.progress_token else { return };
    if let Some((n, of)) =
        scene.progress.filter(|progress| told.progress.replace(*progress) != Some(*progress))
    {
        let params = json!({ "progressToken": token, "progress": n, "total": of, "message": scene.message });
        say(demo, session, "notifications/progress", related(params, &call.id));
    }
}

fn say(demo: &Demo, session: &Session, method: &str, params: Value) {
    session.general.send(notification(method, params), demo.faults().take(method));
}
