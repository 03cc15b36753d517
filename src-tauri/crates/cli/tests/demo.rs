//! The demo as one act, played by the real program: here, where that is built beside the test.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails at once")]

use std::{path::Path, time::Duration};

use signalbox_api::{
    Code, DeskExt as _, ExportKind, Home, InboxTab, ListQuery, NewTransport, Opened, Overview, OwnerKind,
    RequestRow, TaskRow, View, ViewData,
    command::{self, Act},
    open,
};
use signalbox_model::{CallId, Transport};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_signalbox");

/// Long enough for a slow machine; nothing waits for it to pass.
const LIMIT: Duration = Duration::from_secs(60);

struct Stage {
    opened: Opened,
    home: Home,
    dir: TempDir,
}

impl Stage {
    async fn set() -> Self {
        let dir = TempDir::new().unwrap();
        let home = Home::at(&dir.path().join("home")).unwrap();
        Self::at(home, dir, Path::new(PROGRAM)).await
    }

    async fn at(home: Home, dir: TempDir, program: &Path) -> Self {
        let opened = open(&home, OwnerKind::Serve).await.unwrap();
        opened.local().unwrap().play_demo(program.into());
        Self { opened, home, dir }
    }

    /// The next owner, whose program is another one.
    async fn again(self, program: &Path) -> Self {
        self.opened.close().await;
        Self::at(self.home, self.dir, program).await
    }

    async fn act<A: Act>(&self, act: A) -> A::Reply {
        self.opened.desk().act(act).await.unwrap()
    }

    async fn start(&self) -> (String, Vec<CallId>) {
        let command::DemoStarted { server, calls } = self.act(command::StartDemo {}).await;
        (server.name, calls)
    }

    async fn remove(&self) -> u32 {
        self.act(command::RemoveDemo {}).await.tasks
    }

    async fn look(&self, view: View) -> ViewData {
        self.opened.desk().changes(view, None, Duration::ZERO).await.unwrap().data.unwrap()
    }

    async fn overview(&self) -> Overview {
        match self.look(View::Overview).await {
            ViewData::Overview { change } => change.after(None).unwrap(),
            other => panic!("an overview was asked for: {other:?}"),
        }
    }

    async fn tasks(&self) -> Vec<TaskRow> {
        match self.look(View::Tasks { query: ListQuery::default(), offset: 0, limit: 100 }).await {
            ViewData::Tasks { page } => page.rows,
            other => panic!("tasks were asked for: {other:?}"),
        }
    }

    async fn questions(&self, tab: InboxTab) -> Vec<RequestRow> {
        match self
            .look(View::Inbox { tab, filter: String::new(), within: String::new(), offset: 0, limit: 100 })
            .await
        {
            ViewData::Inbox { page } => page.rows,
            other => panic!("questions were asked for: {other:?}"),
        }
    }

    /// The first question that comes.
    async fn question(&self) -> RequestRow {
        let view = View::Inbox {
            tab: InboxTab::NeedsYou,
            filter: String::new(),
            within: String::new(),
            offset: 0,
            limit: 10,
        };
        let coming = async {
            let mut cursor = None;
            loop {
                let changes = self.opened.desk().changes(view.clone(), cursor, LIMIT).await.unwrap();
                cursor = Some(changes.cursor);
                if let Some(ViewData::Inbox { page }) = changes.data
                    && let Some(row) = page.rows.into_iter().next()
                {
                    return row;
                }
            }
        };
        tokio::time::timeout(LIMIT, coming).await.expect("a question must come")
    }

    async fn add(&self, name: &str, command: &str, args: &[&str], untrusted: bool) {
        let transport = stdio(command, args);
        self.act(command::AddServer { name: name.into(), transport, untrusted }).await;
    }

    /// The servers by name, and which of them is shown as the demo.
    async fn servers(&self) -> Vec<(String, bool)> {
        self.overview().await.servers.into_iter().map(|server| (server.name, server.demo)).collect()
    }

    async fn transport_of(&self, name: &str) -> Transport {
        let servers = self.overview().await.servers;
        servers.into_iter().find(|server| server.name == name).expect("it is registered").transport
    }
}

fn stdio(command: &str, args: &[&str]) -> NewTransport {
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    NewTransport::Stdio { command: command.into(), args, env: Vec::new(), cwd: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_press_brings_work_and_a_question_and_a_second_nothing_more() {
    let stage = Stage::set().await;
    let (name, calls) = stage.start().await;
    assert_eq!((name.as_str(), calls.len()), ("demo", 2));
    let server = stage.overview().await.servers.remove(0);
    assert!(server.demo && server.trusted && server.enabled, "that press was the consent: {server:?}");
    let Transport::Stdio { command, .. } = &server.transport else { panic!("it is a program of ours") };
    assert_eq!(command, PROGRAM, "it is found where it is, not on a search path");

    let question = stage.question().await;
    assert_eq!((question.server_name.as_str(), question.tool.as_str()), ("demo", "deploy"));
    assert_eq!(question.summary, "api-gateway 4.18.2 eu-west");
    let mut tools: Vec<_> = stage.tasks().await.into_iter().map(|row| row.tool).collect();
    tools.sort();
    assert_eq!(tools, ["build", "deploy"]);

    let (again, calls) = stage.start().await;
    assert_eq!((again.as_str(), calls.len()), ("demo", 0), "it is at work already");
    assert_eq!((stage.tasks().await.len(), stage.overview().await.servers.len()), (2, 1));
    stage.opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_presses_at_once_are_one() {
    let stage = Stage::set().await;
    let ((one, first), (other, second)) = tokio::join!(stage.start(), stage.start());
    assert_eq!((one.as_str(), other.as_str()), ("demo", "demo"));
    assert_eq!(first.len() + second.len(), 2, "one of them started the work");
    assert_eq!(stage.overview().await.servers.len(), 1);
    stage.opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_nothing_is_left_but_the_log() {
    let stage = Stage::set().await;
    stage.add("mine", "false", &[], false).await;
    stage.start().await;
    let question = stage.question().await;
    let draft = Some(signalbox_model::Json::parse(r#"{"approved":true}"#).unwrap());
    stage.act(command::SaveDraft { request: question.id, draft }).await;

    assert_eq!(stage.remove().await, 2);
    let overview = stage.overview().await;
    let names: Vec<_> = overview.servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(names, ["mine"], "a person's own server stays");
    assert_eq!((overview.inbox, overview.tasks), (0, signalbox_api::Counts::default()));
    assert!(stage.tasks().await.is_empty() && stage.questions(InboxTab::All).await.is_empty());
    assert!(!stage.home.dir().join("demo-state.jsonl").exists(), "the demo itself forgets them, too");

    let export = command::Export {
        what: ExportKind::Decisions,
        after: 0,
        with_handles: false,
        filter: String::new(),
        calls: vec![],
    };
    let portion = stage.act(export).await;
    let lines: Vec<_> = portion.lines.iter().map(|line| line.text().to_owned()).collect();
    for kind in ["called", "forgotten"] {
        assert!(
            lines.iter().any(|line| line.contains(kind) && line.contains("demo")),
            "the log names the demo in what was {kind}: {lines:?}"
        );
    }
    let verified = stage.act(command::Verify {}).await;
    assert_eq!((verified.entries, verified.findings.len()), (4, 0), "the log is whole: {verified:?}");

    assert_eq!(stage.remove().await, 0, "a second press finds nothing");
    let (name, calls) = stage.start().await;
    assert_eq!((name.as_str(), calls.len()), ("demo", 2), "and it can begin anew");
    stage.opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_a_persons_own_keeps_its_name() {
    let stage = Stage::set().await;
    stage.add("demo", "false", &["demo", "stdio"], false).await;
    let (name, _) = stage.start().await;
    assert_eq!(name, "demo 2");
    stage.remove().await;
    let overview = stage.overview().await;
    let [server] = &overview.servers[..] else { panic!("one is left: {overview:?}") };
    assert_eq!((server.name.as_str(), server.demo), ("demo", false));
    stage.opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_only_started_alike_is_not_the_demo() {
    let stage = Stage::set().await;
    let state = stage.home.dir().join("demo-state.jsonl");
    let own_state = stage.dir.path().join("demo-state.jsonl");
    let (state, own_state) = (state.to_str().unwrap(), own_state.to_str().unwrap());
    stage.add("evil", "/opt/evil", &["demo", "stdio", "--state", state], true).await;
    stage.add("guise", PROGRAM, &["demo", "stdio", "--state", state], true).await;
    stage.add("own", PROGRAM, &["demo", "stdio", "--state", own_state], false).await;
    let before = [stage.transport_of("evil").await, stage.transport_of("guise").await];
    assert!(stage.servers().await.iter().all(|(_, demo)| !demo), "none of them was started by that press");

    let arguments = signalbox_model::Json::parse(r#"{"ref":"main"}"#).unwrap();
    let start = command::Start { server: "own".into(), tool: "build".into(), arguments, ttl_ms: None };
    let call = stage.act(start).await;

    let (name, calls) = stage.start().await;
    assert_eq!((name.as_str(), calls.len()), ("demo", 2));
    let all = [("demo", true), ("evil", false), ("guise", false), ("own", false)];
    let all = all.map(|(name, demo)| (name.to_owned(), demo));
    assert_eq!(stage.servers().await, all);
    let after = [stage.transport_of("evil").await, stage.transport_of("guise").await];
    assert_eq!(after, before, "nothing of a person's own is rewritten");

    assert_eq!(stage.remove().await, 2);
    assert_eq!(stage.servers().await, all[1..], "that one is gone, and no other");
    let left: Vec<_> = stage.tasks().await.into_iter().map(|row| row.id).collect();
    assert_eq!(left, [call], "the task of a person's own server stays");
    stage.opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demo_that_a_person_made_something_else_of_is_theirs() {
    let stage = Stage::set().await;
    stage.start().await;
    let transport = stdio("false", &["--mine"]);
    stage.act(command::EditServer { server: "demo".into(), transport, untrusted: false, shown: None }).await;
    assert_eq!(stage.servers().await, [("demo".to_owned(), false)]);
    assert_eq!(stage.remove().await, 0, "its tasks are the person's, too");
    assert_eq!(stage.servers().await, [("demo".to_owned(), false)]);
    let (name, _) = stage.start().await;
    assert_eq!(name, "demo 2");
    stage.opened.close().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_demo_that_was_switched_off_or_whose_program_moved_starts_again() {
    let stage = Stage::set().await;
    let moved = stage.dir.path().join("moved");
    std::os::unix::fs::symlink(PROGRAM, &moved).unwrap();
    stage.start().await;
    stage.act(command::RenameServer { server: "demo".into(), name: "tour".into() }).await;
    stage.act(command::SetServerEnabled { server: "tour".into(), enabled: false }).await;
    for call in stage.tasks().await {
        stage.act(command::Forget { call: call.id }).await;
    }

    let stage = stage.again(&moved).await;
    assert_eq!(stage.servers().await, [("tour".to_owned(), true)], "it is known before it is started again");
    let (name, calls) = stage.start().await;
    assert_eq!((name.as_str(), calls.len()), ("tour", 2), "a name that a person gave it stays");
    assert_eq!(stage.question().await.tool, "deploy");
    let Transport::Stdio { command, .. } = stage.transport_of("tour").await else { panic!("a program") };
    assert_eq!(Path::new(&command), moved);
    assert_eq!(stage.servers().await, [("tour".to_owned(), true)]);
    stage.opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demo_whose_start_was_cut_off_is_not_added_twice() {
    let stage = Stage::set().await;
    let state = stage.home.dir().join("demo-state.jsonl");
    // Registered and confirmed, and then nobody was left to note that it is the demo.
    stage.add("demo", PROGRAM, &["demo", "stdio", "--state", state.to_str().unwrap()], false).await;
    let (name, calls) = stage.start().await;
    assert_eq!((name.as_str(), calls.len()), ("demo", 2));
    assert_eq!(stage.servers().await, [("demo".to_owned(), true)]);
    stage.opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demo_that_cannot_start_says_so_and_leaves_nothing_behind() {
    let dir = TempDir::new().unwrap();
    let home = Home::at(&dir.path().join("home")).unwrap();
    let opened = open(&home, OwnerKind::Serve).await.unwrap();
    let desk = opened.desk();
    let error = desk.act(command::StartDemo {}).await.unwrap_err();
    assert_eq!(error.code, Code::NotSupported, "nobody said which program plays it: {error}");

    opened.local().unwrap().play_demo(dir.path().join("gone"));
    let error = desk.act(command::StartDemo {}).await.unwrap_err();
    assert_eq!(error.code, Code::SpawnFailed, "{error}");
    let data = desk.changes(View::Overview, None, Duration::ZERO).await.unwrap().data;
    let Some(ViewData::Overview { change }) = data else { panic!("an overview was asked for") };
    let overview = change.after(None).unwrap();
    assert!(overview.servers.is_empty(), "half a demo would be in the way: {overview:?}");
    opened.close().await;
}
