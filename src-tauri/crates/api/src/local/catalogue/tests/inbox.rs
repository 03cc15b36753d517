//! The inbox out of the catalogue, and out of the store's index while that grows.

use signalbox_engine::wall;
use signalbox_model::{Attention, Snooze, Snoozed};

use super::*;
use crate::RequestList;

fn asked(id: u32, key: &str) -> InputRequest {
    InputRequest {
        message: format!("Go on with {key}?"),
        ..InputRequest::new(
            RequestId(id),
            ServerId(1),
            Identity::Task { call: CallId(1), key: key.to_owned() },
            Timestamp(id.into()),
        )
    }
}

fn over(request: InputRequest) -> InputRequest {
    InputRequest {
        state: signalbox_model::RequestState::Closed,
        closed_at: Some(Timestamp(9)),
        identity: Identity::Task { call: CallId(1), key: format!("over {}", request.id) },
        ..request
    }
}

/// One whose connection is gone.
fn stranded(request: InputRequest) -> InputRequest {
    InputRequest {
        state: signalbox_model::RequestState::Orphaned,
        identity: Identity::Wire { session: 1, rpc: request.id.to_string() },
        ..request
    }
}

fn put(request: InputRequest) -> Write {
    Write::PutRequest(Box::new(request))
}

/// A desk with two questions that wait, one that is over, and one that lost its connection.
async fn asking(dir: &Path, kind: crate::OwnerKind) -> Local {
    let writes = vec![
        server(1, "ci"),
        super::put(Call { open_requests: 2, ..going_on(1) }),
        put(asked(1, "canary")),
        put(asked(2, "rollout")),
        put(over(asked(3, "canary"))),
        put(stranded(asked(4, "ring"))),
    ];
    desk(dir, kind, writes).await
}

async fn tab(desk: &Local, tab: InboxTab, filter: &str) -> Page<RequestId, RequestRow> {
    desk.see(look::Inbox { tab, filter: filter.to_owned(), within: String::new(), offset: 0, limit: 10 })
        .await
        .unwrap()
}

#[tokio::test]
async fn the_inbox_is_filtered_tab_by_tab() {
    let dir = tempfile::tempdir().unwrap();
    let desk = asking(dir.path(), crate::OwnerKind::Command).await;
    let ids = async |of: InboxTab, filter: &str| {
        tab(&desk, of, filter).await.rows.iter().map(|row| row.id.0).collect::<Vec<_>>()
    };
    assert_eq!(ids(InboxTab::NeedsYou, "canary").await, [1]);
    assert_eq!(ids(InboxTab::Answered, "canary").await, [3]);
    assert_eq!(ids(InboxTab::All, "canary").await, [3, 1]);
    assert_eq!(ids(InboxTab::NeedsYou, "is:over").await, [] as [u32; 0], "a tab is a tab");
    assert_eq!(ids(InboxTab::NeedsYou, "ring").await, [] as [u32; 0], "what nobody asks needs nobody");
    assert_eq!(ids(InboxTab::Answered, "").await, [4, 3], "it stands above what is over");
}

#[tokio::test]
async fn a_tab_is_the_same_out_of_the_index_and_out_of_the_catalogue() {
    let dir = tempfile::tempdir().unwrap();
    let desk = asking(dir.path(), crate::OwnerKind::Command).await;
    for of in [InboxTab::NeedsYou, InboxTab::Answered, InboxTab::All] {
        assert!(!desk.catalogue.is_complete(), "the index has it");
        let indexed = tab(&desk, of, "").await;
        let listed = tab(&desk, of, "-nothing").await;
        assert_eq!(indexed, listed, "{of:?}");
        if of == InboxTab::Answered {
            let heads: Vec<_> = indexed.heads.iter().map(|head| head.count).collect();
            assert_eq!(
                (indexed.ids.len(), heads),
                (2, vec![1, 1]),
                "what is no longer asked, and what is over"
            );
        }
        desk.catalogue.0.kept().state = State::Growing;
    }
}

#[tokio::test]
async fn what_is_put_off_or_expires_soon_has_a_tab() {
    let dir = tempfile::tempdir().unwrap();
    let at = wall().plus_ms(3_600_000);
    let until = Snooze::At { at };
    let snoozed = Some(Snoozed { until, task_seen_at: None });
    let mut soon = Call { open_requests: 1, ..going_on(2) };
    soon.task.as_mut().unwrap().expires_at = Some(wall().plus_ms(120_000));
    let of_other = Identity::Task { call: CallId(2), key: "soon".to_owned() };
    let writes = vec![
        server(1, "ci"),
        super::put(Call { open_requests: 2, ..going_on(1) }),
        super::put(soon),
        put(InputRequest { wants: Attention::Snoozed, snoozed, ..asked(1, "later") }),
        put(InputRequest {
            wants: Attention::Expiring,
            call: Some(CallId(2)),
            identity: of_other,
            ..asked(2, "soon")
        }),
        put(asked(3, "now")),
        put(over(asked(4, "done"))),
    ];
    let desk = desk(dir.path(), crate::OwnerKind::Command, writes).await;
    for filter in ["", "-nothing"] {
        let ids = async |of: InboxTab| {
            tab(&desk, of, filter).await.rows.iter().map(|row| row.id.0).collect::<Vec<_>>()
        };
        assert_eq!(ids(InboxTab::NeedsYou).await, [2, 3], "the least time left first");
        assert_eq!(ids(InboxTab::Expiring).await, [2], "it is among those that need somebody, too");
        assert_eq!(ids(InboxTab::Snoozed).await, [1]);
        assert_eq!(ids(InboxTab::Answered).await, [4]);
    }
    let row = tab(&desk, InboxTab::Snoozed, "").await.rows.remove(0);
    assert_eq!((row.attention, row.snoozed, row.returns_at), (Attention::Snoozed, Some(until), Some(at)));
    let tabs = desk.overview().await.unwrap().tabs;
    assert_eq!(tabs.no_longer_asked, 0);
    let counts = (tabs.needs_you, tabs.expiring, tabs.snoozed, tabs.answered);
    assert_eq!(counts, (2, 1, 1, 1));
    let of_tab = RequestList::Tab { tab: InboxTab::Snoozed };
    let filter = String::new();
    let listed = look::Requests { list: of_tab, filter, offset: 0, limit: 10, whole: false };
    assert_eq!(desk.see(listed).await.unwrap().ids, [RequestId(1)]);
}

#[tokio::test]
async fn the_number_at_a_server_is_what_its_needs_you_shows_at_every_moment() {
    let dir = tempfile::tempdir().unwrap();
    let writes = vec![
        server(1, "ci"),
        server(2, "lab"),
        super::put(Call { open_requests: 1, ..going_on(1) }),
        super::put(Call { server: ServerId(2), open_requests: 1, ..going_on(2) }),
    ];
    let (desk, submit) = desk_and_submit(dir.path(), crate::OwnerKind::Command, writes).await;
    let of_lab = |id: u32| InputRequest {
        server: ServerId(2),
        call: None,
        identity: Identity::Wire { session: 1, rpc: id.to_string() },
        ..asked(id, "lab")
    };
    let later = Some(Snoozed { until: Snooze::Change, task_seen_at: None });
    let off = |asked: InputRequest| InputRequest { wants: Attention::Snoozed, snoozed: later, ..asked };
    let held = InputRequest { state: signalbox_model::RequestState::Held, ..asked(1, "canary") };
    let history = [
        (asked(1, "canary"), [1, 0], "it waits"),
        (asked(2, "rollout"), [2, 0], "so does another of the same task"),
        (of_lab(3), [2, 1], "and one of no task"),
        (off(asked(1, "canary")), [1, 1], "one was put off"),
        (off(of_lab(3)), [1, 0], "and the only one of its server"),
        (InputRequest { wants: Attention::Expiring, ..of_lab(3) }, [1, 1], "it is back"),
        (asked(1, "canary"), [2, 1], "and so is the first"),
        (held, [1, 1], "its answer is on its way"),
        (over(asked(2, "rollout")), [0, 1], "another is over"),
        (stranded(of_lab(3)), [0, 0], "and nobody asks the last any more: that needs nobody"),
    ];
    for (request, numbers, why) in history {
        hand_in(&submit, vec![put(request)]).recv().unwrap().unwrap();
        let overview = desk.overview().await.unwrap();
        assert_eq!([1, 2].map(|id| at_server(&overview, id)), numbers, "{why}");
        for (id, number) in [1, 2].into_iter().zip(numbers) {
            let shown = tab(&desk, InboxTab::NeedsYou, &format!("server:s{id}")).await.rows;
            let waits = |row: &&RequestRow| row.attention != Attention::None;
            assert_eq!(shown.iter().filter(waits).count(), number as usize, "{why}: on the tab");
            let on_its_way = |row: &RequestRow| row.state == signalbox_model::RequestState::Held;
            assert!(shown.iter().all(|row| waits(&row) || on_its_way(row)), "{why}: and nothing else");
        }
        assert_eq!(overview.tabs.needs_you, numbers.iter().sum::<u32>(), "{why}");
        assert_eq!(overview.inbox, overview.tabs.needs_you, "{why}");
    }
    let tabs = desk.overview().await.unwrap().tabs;
    assert_eq!((tabs.answered, tabs.no_longer_asked), (2, 1), "there it is told");
}

#[tokio::test]
async fn what_comes_is_counted_also_where_the_numbers_stay_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let writes =
        vec![server(1, "ci"), super::put(Call { open_requests: 1, ..going_on(1) }), put(asked(1, "canary"))];
    let (desk, submit) = desk_and_submit(dir.path(), crate::OwnerKind::Command, writes).await;
    let tabs = async |writes: Vec<Write>| {
        if !writes.is_empty() {
            hand_in(&submit, writes).recv().unwrap().unwrap();
        }
        desk.overview().await.unwrap().tabs
    };
    assert_eq!(tabs(vec![]).await.arrived, 0, "what was there before has not come");
    let now = tabs(vec![put(over(asked(1, "canary"))), put(asked(2, "rollout"))]).await;
    assert_eq!((now.needs_you, now.arrived), (1, 1), "one is answered and another comes");
    assert_eq!(tabs(vec![put(over(asked(3, "roots")))]).await.arrived, 1, "what needed nobody is no news");
    let later = Some(Snoozed { until: Snooze::Change, task_seen_at: None });
    let off = InputRequest { wants: Attention::Snoozed, snoozed: later, ..asked(2, "rollout") };
    assert_eq!(tabs(vec![put(off)]).await.arrived, 1);
    let back = tabs(vec![put(asked(2, "rollout"))]).await;
    assert_eq!((back.needs_you, back.arrived), (1, 1), "nor has one come that is back");
    assert_eq!(tabs(vec![put(asked(4, "a")), put(asked(5, "b"))]).await.arrived, 3);
    let looks = tokio::join!(tabs(vec![put(asked(6, "c"))]), desk.overview());
    assert_eq!(tabs(vec![]).await.arrived, 4, "two who look at once count it once: {looks:?}");
}

#[tokio::test]
async fn a_reminder_of_a_question_that_memory_does_not_hold_has_its_first_line() {
    use signalbox_engine::{Notice, NoticeKind};

    let dir = tempfile::tempdir().unwrap();
    let message = format!("\n  Go on with task-1?  \n{}", "x".repeat(9_000));
    let writes = vec![
        server(1, "ci"),
        super::put(Call { open_requests: 1, ..going_on(1) }),
        put(InputRequest { message, ..asked(1, "a") }),
    ];
    let desk = desk(dir.path(), crate::OwnerKind::Command, writes).await;
    let notice = |text: &str, item| Notice {
        item,
        server: ServerId(1),
        server_name: "ci".to_owned(),
        tool: "deploy".to_owned(),
        text: text.to_owned(),
        note: None,
        kind: NoticeKind::Expires,
    };
    let of = |n| signalbox_model::ItemRef::Request(RequestId(n));
    let told = desk.noticed(notice("", of(1))).await.body;
    assert_eq!(told, "Go on with t1?", "the id of its task shows on no locked screen");
    assert_eq!(desk.noticed(notice("Well?", of(1))).await.body, "Well?");
    assert_eq!(desk.noticed(notice("", of(9))).await.body, "", "one that is gone has no words");
}

fn at_server(overview: &crate::Overview, id: u32) -> u32 {
    overview.servers.iter().find(|server| server.id == ServerId(id)).unwrap().inbox
}

#[tokio::test]
async fn a_row_has_the_beginning_of_its_message_and_nothing_of_its_answer() {
    let dir = tempfile::tempdir().unwrap();
    let long = "ä".repeat(1_000);
    let answer = signalbox_model::Answer {
        content: Some(signalbox_model::Json::of(&long)),
        ..signalbox_model::Answer::new(signalbox_model::Action::Accept, Timestamp(5))
    };
    let writes = vec![
        server(1, "ci"),
        super::put(Call { open_requests: 1, ..going_on(1) }),
        put(InputRequest { message: long.clone(), answer: Some(answer), ..asked(1, "a") }),
    ];
    let desk = desk(dir.path(), crate::OwnerKind::Command, writes).await;
    for filter in ["", "-nothing"] {
        let row = tab(&desk, InboxTab::NeedsYou, filter).await.rows.remove(0);
        assert_eq!(row.message, format!("{}…", "ä".repeat(320)));
        assert!(row.answer.is_some_and(|answer| answer.content.is_none()));
    }
    let detail = desk.see(look::Request { request: RequestId(1) }).await.unwrap().unwrap();
    assert_eq!(detail.row.message, long, "by itself it is whole");
}
