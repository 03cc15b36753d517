//! The lock of a running owner is deleted: whoever comes next owns the directory, and the one before says so of itself.

use signalbox_api::{Code, DeskExt as _, Home, OwnerKind, command, open};
use signalbox_model::{Action, RequestState};

use crate::stage::{APPROVAL, Stage, accept};

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_whose_lock_was_deleted_takes_no_answer_and_the_next_one_gives_it() {
    let stage = Stage::set().await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let request = stage.question_of(call).await.row.id;
    let home = Home::at(&stage.dir.path().join("home")).unwrap();
    std::fs::remove_file(home.owner_lock()).unwrap();

    let next = open(&home, OwnerKind::Serve).await.unwrap();
    assert!(next.is_owner(), "nobody holds what has the lock's name now");
    let decline = command::Answer {
        request,
        action: Action::Decline,
        content: None,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    let refused = stage.opened.desk().act(decline).await.expect_err("two would answer");
    assert_eq!(
        (refused.code, refused.message.contains("owner.lock")),
        (Code::StorageGone, true),
        "{refused}"
    );

    next.desk().act(accept(request, APPROVAL)).await.unwrap();
    let Stage { opened, demo, server: _server, dir: _dir } = stage;
    opened.close().await;
    assert_eq!(demo.journal().requests("tasks/update").len(), 1, "the next one's answer, once");
    next.close().await;
    let again = open(&home, OwnerKind::Serve).await.unwrap();
    let view = signalbox_api::View::Request { request };
    let seen = again.desk().changes(view, None, std::time::Duration::ZERO).await.unwrap();
    let Some(signalbox_api::ViewData::Request { request: Some(found) }) = seen.data else {
        panic!("{seen:?}")
    };
    assert_eq!(found.row.state, RequestState::Answered, "the one that left took nothing along");
    again.close().await;
}
