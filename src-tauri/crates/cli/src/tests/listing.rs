//! Lists, and what a command does that is the owner itself.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use signalbox_api::{
    Answering, Changes, Command, Counts, Cursor, Desk, Head, HeadOf, Page, PayloadInfo, Reply, ServerCheck,
    ServerView, TaskEntry, TaskRow, View, ViewData, command,
};
use signalbox_model::{CallId, Health, Missed, Note, NoteCode, Outcome, PayloadKind, Reason, Status};

use super::desk::{Scripted, World, http, task};
use super::{Trial, at};
use crate::exit::Exit;

#[tokio::test]
async fn long_lists_come_whole_and_in_order() {
    let mut world = World::default();
    world.tasks.extend((1..=1_201).map(|id| (CallId(id), task(id))));
    let desk = Scripted::showing(world);
    let trial = Trial::json();
    trial.run(&desk, &["tasks"]).await.unwrap();
    let document = trial.document();
    let ids: Vec<_> = document["tasks"].as_array().unwrap().iter().map(|task| task["id"].clone()).collect();
    let wanted: Vec<_> = (1..=1_201).map(|id| serde_json::json!(format!("t{id}"))).collect();
    assert_eq!(ids, wanted, "three pages, no row lost or twice");
}

#[tokio::test]
async fn a_list_says_how_long_a_task_has_needed_its_person() {
    let since = |id, since: Option<&str>| {
        let mut detail = task(id);
        (detail.row.open_requests, detail.row.waiting_since) = (1, since.map(at));
        (CallId(id), detail)
    };
    let mut world = World::default();
    world.tasks.extend([since(1, Some("2026-07-28T10:00:05Z")), since(2, None)]);
    let desk = Scripted::showing(world);
    let text = Trial::text();
    text.run(&desk, &["tasks"]).await.unwrap();
    let listed = text.out.text();
    let [first, second] = listed.lines().skip(1).collect::<Vec<_>>()[..] else { panic!("{listed}") };
    assert!(first.contains("needs you, ") && !second.contains("needs you,"), "{listed}");
    let json = Trial::json();
    json.run(&desk, &["tasks"]).await.unwrap();
    let tasks = json.document()["tasks"].clone();
    assert_eq!(tasks[0]["waitingSince"], "2026-07-28T10:00:05.000Z");
    assert!(tasks[1].get("waitingSince").is_none(), "absent where nothing waits");
}

/// A desk that is asked for long arguments, and counts how many of them at the same time.
#[derive(Default)]
struct Counting {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Desk for Counting {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(async move {
            assert!(matches!(command, Command::Payload(_)), "{command:?}");
            self.most.fetch_max(self.now.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            self.now.fetch_sub(1, Ordering::Relaxed);
            Ok(Reply::Payload { json: None })
        })
    }

    fn changes(&self, view: View, _: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
        panic!("nothing is looked at: {view:?}")
    }
}

#[tokio::test]
async fn long_arguments_are_asked_for_sixteen_at_a_time() {
    let info = PayloadInfo { kind: PayloadKind::Arguments, bytes: 2 << 20, json: None, fault: None };
    let entry = |id| TaskEntry { arguments: Some(info.clone()), ..TaskEntry::from(&task(id)) };
    let entries: Vec<_> = (1..=100).map(entry).collect();
    let desk = Counting::default();
    assert_eq!(crate::look::briefs(&desk, &entries).await.unwrap().len(), 100);
    assert_eq!(desk.most.into_inner(), 16);
}

#[tokio::test]
async fn each_row_stands_under_the_head_of_its_own_page() {
    /// Two pages, and between them a task of the second head ended: the first one has one row more then.
    struct Moving;
    impl Desk for Moving {
        fn call(&self, command: Command) -> Answering<'_, Reply> {
            panic!("a list has no reason for {command:?}")
        }

        fn changes(&self, view: View, _: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
            let page = match view {
                View::TaskEntries { .. } => ViewData::TaskEntries { page: empty() },
                View::Tasks { offset, .. } => {
                    let (first, second, ids) =
                        if offset == 0 { (500, 2, 1..501) } else { (501, 1, 501..503) };
                    let head = |tool: &str, count| Head { of: HeadOf::Tool { tool: tool.into() }, count };
                    let rows: Vec<TaskRow> = ids.map(|id| task(id).row).collect();
                    let heads = vec![head("build", first), head("deploy", second)];
                    ViewData::Tasks {
                        page: Page {
                            ids: rows.iter().map(|row| row.id).collect(),
                            rows,
                            total: 502,
                            heads,
                            ..empty()
                        },
                    }
                }
                other => panic!("{other:?}"),
            };
            let cursor = Cursor { epoch: 1, seq: 1, shape: 0 };
            Box::pin(std::future::ready(Ok(Changes { cursor, data: Some(page) })))
        }
    }
    let query = signalbox_api::ListQuery { group: "tool".to_owned(), ..Default::default() };
    let groups = crate::look::tasks(&Moving, &query).await.unwrap();
    let ids = |at: usize| groups[at].1.iter().map(|row| row.id.0).collect::<Vec<_>>();
    assert_eq!(groups.len(), 2);
    assert_eq!(ids(0), (1..=501).collect::<Vec<_>>(), "also the first of the second page");
    assert_eq!(ids(1), [502]);
}

fn empty<I, R>() -> Page<I, R> {
    Page::of(vec![], vec![], 0)
}

#[tokio::test]
async fn an_owner_looks_before_it_filters() {
    let mut world = World::default();
    world.tasks.extend((1..=2).map(|id| (CallId(id), task(id))));
    world.end(CallId(2), Outcome::Ok, "fine");
    world.tasks.get_mut(&CallId(2)).unwrap().row.status = Status::Completed;
    let desk = Scripted::new(world, |world, command| match command {
        Command::Refresh(command::Refresh { call }) => {
            assert_eq!(*call, CallId(1), "an ended task is not looked at again");
            world.end(*call, Outcome::Ok, "done meanwhile");
            Ok(Reply::Done)
        }
        other => panic!("a list has no reason for {other:?}"),
    });
    let trial = Trial::json().owner();
    trial.run(&desk, &["tasks", "--status", "working"]).await.unwrap();
    assert_eq!(trial.document()["tasks"], serde_json::json!([]), "it is not working any more");
}

#[tokio::test]
async fn a_client_leaves_looking_to_the_owner() {
    let mut world = World::default();
    world.tasks.insert(CallId(1), task(1));
    let desk = Scripted::showing(world);
    Trial::text().run(&desk, &["tasks"]).await.unwrap();
    assert!(desk.world().commands.is_empty(), "{:?}", desk.world().commands);
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_holds_a_list_up_for_ten_seconds_at_most() {
    struct Silent(Scripted);
    impl signalbox_api::Desk for Silent {
        fn call(
            &self,
            _: Command,
        ) -> std::pin::Pin<Box<dyn Future<Output = Result<Reply, signalbox_api::ApiError>> + Send + '_>>
        {
            Box::pin(std::future::pending())
        }
        fn changes(
            &self,
            view: signalbox_api::View,
            after: Option<signalbox_api::Cursor>,
            wait: std::time::Duration,
        ) -> std::pin::Pin<
            Box<dyn Future<Output = Result<signalbox_api::Changes, signalbox_api::ApiError>> + Send + '_>,
        > {
            self.0.changes(view, after, wait)
        }
    }
    for (timeout, waited, within) in [(None, 10_000, "10 s"), (Some(3), 1_500, "1.5 s")] {
        let mut world = World::default();
        let mut later = task(2);
        (later.row.server_name, later.row.next_poll_at) = ("later".into(), Some(at("2026-07-28T11:00:00Z")));
        world.tasks.insert(CallId(1), task(1));
        world.tasks.insert(CallId(2), later);
        let desk = Silent(Scripted::showing(world));
        let trial = Trial::text().owner();
        let before = tokio::time::Instant::now();
        let context = crate::commands::Context {
            desk: &desk,
            owner: &std::sync::atomic::AtomicBool::new(true),
            console: &trial.console,
            passphrase: None,
            browser: |_| Ok(()),
            waiting_for: std::cell::Cell::new(None),
            deadline: timeout.map(|seconds| before + std::time::Duration::from_secs(seconds)),
            asked: None,
        };
        let list = crate::args::AtDesk::Tasks(crate::args::Tasks::default());
        assert_eq!(crate::commands::run(&context, list).await.unwrap(), Exit::Done);
        assert_eq!(before.elapsed().as_millis(), waited, "bounded, and then shown as it is stored");
        assert!(trial.out.text().contains("t1"), "{}", trial.out.text());
        let said = trial.err.text();
        assert!(
            said.contains(&format!(
                "not refreshed within {within}: tasks of ci. They are shown as they were kept last"
            )),
            "{said}"
        );
        assert!(!said.contains("later"), "nobody was to ask it yet: {said}");
    }
}

#[tokio::test]
async fn texts_of_servers_cannot_act_on_the_terminal() {
    let mut world = World::default();
    let mut detail = task(1);
    detail.row.status_message = Some("\u{1b}[2J\u{202e}gone".into());
    detail.row.tool = "de\u{1b}]0;x\u{7}ploy".into();
    world.tasks.insert(CallId(1), detail);
    world.end(CallId(1), Outcome::Ok, "re\u{9b}31msult");
    let desk = Scripted::showing(world);
    for line in [&["tasks"][..], &["show", "t1"]] {
        let trial = Trial::text();
        trial.run(&desk, line).await.unwrap();
        let text = trial.out.text();
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{line:?}: {text:?}");
        assert!(text.contains(r"\u{1b}"), "what was there is shown: {text}");
    }
}

#[tokio::test]
async fn an_unknown_server_is_code_2() {
    let desk = Scripted::showing(World::default());
    let failure = Trial::text().run(&desk, &["tasks", "--server", "nobody"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage);
    assert!(failure.to_string().contains("\"nobody\""), "{failure}");
}

#[tokio::test]
async fn a_server_is_told_with_the_age_of_what_is_known_of_it() {
    let ago = |ms: i64| at("2026-07-28T10:00:10Z").plus_ms(-ms);
    let (since, retry_at) = (ago(600_000), ago(590_000));
    let ok = Health::Ok { latency_ms: 3, clock_ahead_ms: None };
    let away = |tried_at| Health::Unreachable {
        note: Reason::Unreachable { said: "refused".into() }.into(),
        since,
        tried_at,
        retry_at,
    };
    let missed = Missed { note: Reason::Unreachable { said: "refused".into() }.into(), at: ago(240_500) };
    let unusable =
        |code| Health::Unusable { note: Note::said(code, "no".into()), tried_at: Some(ago(30_500)) };
    let table = [
        (ok.clone(), Some(ago(100)), "answers"),
        (ok.clone(), Some(ago(59_900)), "answers"),
        (ok.clone(), Some(ago(240_500)), "answered 4 min ago"),
        (ok, None, "answered "),
        (Health::UNKNOWN, None, "not tried yet"),
        (Health::UNKNOWN, Some(ago(240_500)), "answered 4 min ago"),
        (Health::Unknown { missed: Some(missed) }, Some(ago(900_500)), "could not be reached 4 min ago"),
        (away(Some(ago(30_500))), Some(ago(900_500)), "could not be reached 30 s ago"),
        (away(None), None, "could not be reached "),
        (unusable(NoteCode::NotMcp), None, "could not be used 30 s ago"),
        (unusable(NoteCode::SecretsLocked), None, "unlock secrets"),
        (Health::SignInNeeded { since }, None, "sign in"),
    ];
    for (health, heard_at, words) in table {
        let known = ServerView { health: health.clone(), heard_at, ..http() };
        let desk = Scripted::showing(World { servers: vec![known], ..World::default() });
        let trial = Trial::text();
        trial.run(&desk, &["server", "list"]).await.unwrap();
        assert!(trial.out.text().contains(words), "{health:?}: {}", trial.out.text());
        let trial = Trial::json();
        trial.run(&desk, &["server", "list"]).await.unwrap();
        let said = trial.document()["servers"][0]["heardAt"].as_str().map(str::to_owned);
        assert_eq!(said, heard_at.map(|at| at.to_string()), "{health:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_being_connected_to_says_so_and_one_that_is_tried_again_when() {
    let ago = |ms: i64| at("2026-07-28T10:00:10Z").plus_ms(-ms);
    let away = Health::Unreachable {
        note: Reason::Unreachable { said: "refused".into() }.into(),
        since: ago(60_000),
        tried_at: Some(ago(30_500)),
        retry_at: ago(-5_000),
    };
    let live = Counts { working: 1, ..Counts::default() };
    let table = [
        (Health::UNKNOWN, Some(ago(12_500)), live, "connecting for 12 s "),
        (Health::UNKNOWN, Some(ago(10)), live, "connecting "),
        (away.clone(), Some(ago(10)), live, "could not be reached 30 s ago, trying again "),
        (away.clone(), None, live, "could not be reached 30 s ago, next try in 5 s "),
        (away, None, Counts::default(), "could not be reached 30 s ago "),
    ];
    for (health, connecting_since, tasks, words) in table {
        let known = ServerView { health: health.clone(), connecting_since, tasks, ..http() };
        let desk = Scripted::showing(World { servers: vec![known], ..World::default() });
        let trial = Trial::text();
        trial.run(&desk, &["server", "list"]).await.unwrap();
        assert!(trial.out.text().contains(words), "{words}: {}", trial.out.text());
        let trial = Trial::json();
        trial.run(&desk, &["server", "list"]).await.unwrap();
        let said = trial.document()["servers"][0]["connectingSince"].as_str().map(str::to_owned);
        assert_eq!(said, connecting_since.map(|at| at.to_string()), "{health:?}");
    }
}

#[tokio::test]
async fn a_server_that_asks_more_than_is_taken_is_told_in_lists_and_checks() {
    let noisy = ServerView { left_out: Some(1), ..http() };
    let check = ServerCheck { server: noisy.clone(), tools: Some(1) };
    let desk = Scripted::new(World { servers: vec![noisy], ..World::default() }, move |_, _| {
        Ok(Reply::Check { check: check.clone() })
    });
    for line in [["server", "list"].as_slice(), &["server", "check", "ci"]] {
        let trial = Trial::text();
        trial.run(&desk, line).await.unwrap();
        let said = trial.out.text();
        assert!(said.contains("1 question is not shown: more than Signalbox takes"), "{line:?}: {said}");
    }
}

#[tokio::test]
async fn a_check_says_what_it_found_and_exits_by_it() {
    let since = at("2026-07-28T10:00:00Z");
    let table = [
        (Health::Ok { latency_ms: 3, clock_ahead_ms: None }, Exit::Done, None),
        (
            Health::Unreachable {
                note: Note::said(NoteCode::SpawnFailed, "no such program".into()),
                since,
                tried_at: Some(since),
                retry_at: since,
            },
            Exit::Unreachable,
            Some("spawn_failed"),
        ),
        (Health::SignInNeeded { since }, Exit::SignInNeeded, Some("sign_in_needed")),
        (
            Health::Unusable {
                note: Note::said(NoteCode::LegacyOnly, "speaks only 2025-11-25".into()),
                tried_at: None,
            },
            Exit::Unreachable,
            Some("legacy_only"),
        ),
    ];
    for (health, exit, code) in table {
        let mut server = http();
        server.health = health.clone();
        let tools = code.is_none().then_some(9);
        let desk = Scripted::new(World::default(), move |_, _| {
            Ok(Reply::Check { check: ServerCheck { server: server.clone(), tools } })
        });
        let trial = Trial::json();
        assert_eq!(trial.run(&desk, &["server", "check", "ci"]).await.unwrap(), exit, "{health:?}");
        let document = trial.document();
        assert_eq!(document["name"], "ci");
        assert_eq!(document["failure"]["code"].as_str(), code, "{health:?}");
        assert_eq!(document["tools"].as_u64(), tools.map(u64::from));
    }
}
