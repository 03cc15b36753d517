//! When effects are carried out.
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use signalbox_model::{CallId, ItemRef, ServerId};
use signalbox_signin::Secrets;
use signalbox_store::Store;
use tempfile::TempDir;

use super::*;
use crate::{EngineOptions, Follow, NoticeKind, Tuning, clock::Clock};

struct Stage {
    effects: Effects,
    noticed: mpsc::Receiver<Notice>,
    _store: (TempDir, Store),
}

fn stage() -> Stage {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let options = EngineOptions {
        follow: Follow::All,
        tuning: Tuning::default(),
        version: "0".to_owned(),
        programs: None,
    };
    let (inputs, _) = Inputs::new();
    let (told, noticed) = mpsc::channel(8);
    let secrets = Arc::new(Secrets::new("test"));
    let exchanges = Exchanges::new(Clock::start());
    let runner = Runner {
        connections: Connections::new(secrets, store.reads(), options, inputs.clone()),
        inputs,
        waiting: Waiting::default(),
        trouble: store.trouble(),
        pushes: Pushes::new(exchanges.clone()),
        exchanges,
        heard: watch::Sender::default(),
        left: watch::Sender::default(),
        noticed: told,
        calls: UnderWay::default(),
        results: UnderWay::default(),
        tasks: TaskTracker::new(),
        stop: CancellationToken::new(),
    };
    Stage { effects: runner.start(), noticed, _store: (dir, store) }
}

/// An effect that shows when it is carried out.
fn tells(call: u32) -> Vec<Effect> {
    vec![Effect::Notify(Notice {
        item: ItemRef::Call(CallId(call)),
        server: ServerId(1),
        server_name: String::new(),
        tool: String::new(),
        text: String::new(),
        note: None,
        kind: NoticeKind::NeedsInput,
    })]
}

fn carried_out(noticed: &mut mpsc::Receiver<Notice>) -> Vec<ItemRef> {
    std::iter::from_fn(|| noticed.try_recv().ok()).map(|notice| notice.item).collect()
}

#[tokio::test]
async fn an_effect_waits_for_its_commit_and_for_all_earlier_ones() {
    let Stage { effects, mut noticed, _store } = stage();
    let first = effects.after(tells(1), mcp::Load::default());
    let second = effects.after(tells(2), mcp::Load::default());
    tokio::task::yield_now().await;
    assert_eq!(carried_out(&mut noticed), [], "nothing of it is on the disk");
    assert_eq!(effects.uncommitted(), 2, "and whatever comes now goes the same way");
    first.committed(Ok(Committed { seq: 1 }));
    second.committed(Ok(Committed { seq: 2 }));
    assert_eq!(
        (effects.uncommitted(), carried_out(&mut noticed)),
        (0, vec![]),
        "kept, and not yet carried out"
    );
    effects.now(tells(3));
    effects.finish().await;
    let order = [1, 2, 3].map(|call| ItemRef::Call(CallId(call)));
    assert_eq!(carried_out(&mut noticed), order, "what needs no commit of its own overtakes none either");
}

#[tokio::test]
async fn what_cannot_be_committed_has_no_effect() {
    let Stage { effects, mut noticed, _store } = stage();
    let lost = effects.after(tells(1), mcp::Load::default());
    let kept = effects.after(tells(2), mcp::Load::default());
    lost.committed(Err(CommitError::Full));
    kept.committed(Ok(Committed { seq: 1 }));
    effects.finish().await;
    assert_eq!(carried_out(&mut noticed), [ItemRef::Call(CallId(2))]);
}
