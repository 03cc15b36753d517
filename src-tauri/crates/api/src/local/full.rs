//! A disk that is full: whoever waits for what a server says is told that it cannot be kept, and waits no longer.

use std::{sync::Arc, time::Duration};

use signalbox_demo::{Demo, Fault, HttpServer, Speed, authority::Authority};
use signalbox_engine::{Engine, EngineOptions, Follow};
use signalbox_model::{Action, CallId, ItemRef, Json, RequestId};
use signalbox_signin::Secrets;
use signalbox_store::Store;
use tempfile::TempDir;

use super::Local;
use crate::{
    ApiError, Code, Desk, DeskExt as _, Home, NewTransport, OwnerKind, Retry, Settings, View, ViewData,
    command::{self, Act, SignInBegun},
};

/// Long enough for a slow machine, and shorter than all that a desk waits by itself for a server's acknowledgement.
const PATIENCE: Duration = Duration::from_secs(25);

async fn soon<T>(happens: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, happens).await.expect("this should have happened long ago")
}

/// A desk whose disk can be filled, with a task that is followed.
struct Stage {
    local: Arc<Local>,
    demo: Demo,
    limit_pages: Box<dyn Fn(u32) + Send + Sync>,
    task: CallId,
    question: RequestId,
    _server: HttpServer,
    _dir: TempDir,
}

fn server() -> String {
    "demo".into()
}

impl Stage {
    async fn set() -> Self {
        let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
        // Each state comes by a poll.
        let refused = Fault::Refuse { status: 405, retry_after: None };
        demo.faults().next(usize::MAX, "subscriptions/listen", refused);
        let http = demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let dir = tempfile::tempdir().unwrap();
        let settings = Settings { poll_floor_ms: 100, ..Settings::default() };
        let options = EngineOptions {
            follow: Follow::All,
            tuning: settings.tuning(),
            version: "0".into(),
            programs: None,
        };
        let home = Home::at(&dir.path().join("home")).unwrap();
        let (store, secrets) = (Store::open(home.dir()).unwrap(), Arc::new(Secrets::this_run("home")));
        let limit_pages = Box::new(store.page_limit());
        let engine = Engine::start(store, Arc::clone(&secrets), options).await.unwrap();
        let local = Arc::new(Local::new(engine, secrets, home, OwnerKind::Serve, settings));
        let transport = NewTransport::Http { url: http.url(), headers: vec![] };
        let add = command::AddServer { name: server(), transport, untrusted: false };
        soon(local.act(add)).await.unwrap();
        let task = start(&local, "deploy", r#"{"service":"api"}"#).await;
        let question = soon(async {
            let mut after = None;
            loop {
                let changes = local.changes(View::Task { call: task }, after, PATIENCE).await.unwrap();
                after = Some(changes.cursor);
                if let Some(ViewData::Task { task: Some(task) }) = changes.data
                    && let Some(question) = task.requests.first()
                {
                    return question.id;
                }
            }
        });
        let question = question.await;
        Self { local, demo, limit_pages, task, question, _server: http, _dir: dir }
    }

    /// The disk is full, and what the server says of the task waits for room.
    async fn fill(&self) {
        self.demo.faults().next(usize::MAX, "tasks/get", Fault::Huge(400_000));
        (self.limit_pages)(1);
        soon(self.local.engine().trouble().wait_for(Option::is_some)).await.unwrap();
    }

    fn empty(&self) {
        (self.limit_pages)(u32::MAX);
    }

    /// What a command comes to that is under way when the disk fills up, while the server takes its time over `method`.
    async fn meanwhile<A: Act<Reply: 'static> + 'static>(
        &self,
        method: &str,
        act: A,
    ) -> Result<A::Reply, ApiError> {
        let gate = self.demo.faults().hold(method);
        let local = Arc::clone(&self.local);
        let under_way = tokio::spawn(async move { local.act(act).await });
        soon(gate.reached(1)).await;
        self.fill().await;
        let came = soon(under_way).await.unwrap();
        gate.open();
        came
    }
}

async fn start(local: &Local, tool: &str, arguments: &str) -> CallId {
    let arguments = Json::parse(arguments).unwrap();
    let start = command::Start { server: server(), tool: tool.into(), arguments, ttl_ms: None };
    soon(local.act(start)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_a_server_is_told_and_what_needs_no_room_is_done() {
    let stage = Stage::set().await;
    let under_way = stage.meanwhile("server/discover", command::CheckServer { server: server() }).await;
    assert_eq!(under_way.unwrap_err().code, Code::StorageFull, "who was waiting");
    let local = &stage.local;
    let check = soon(local.act(command::CheckServer { server: server() })).await.map(drop);
    let refresh = soon(local.act(command::Refresh { call: stage.task })).await;
    for refused in [check, refresh] {
        let error = refused.unwrap_err();
        assert_eq!((error.code, error.retry), (Code::StorageFull, Retry::AfterFix), "who comes now");
    }
    let listed = soon(local.act(command::Tools { server: server() })).await;
    assert!(listed.is_ok_and(|tools| !tools.is_empty()), "nobody has to keep it for that");
    let forward = soon(local.changes(View::Forward { raises: false }, None, Duration::ZERO)).await;
    assert!(forward.is_ok(), "a window that joins follows all: {forward:?}");
    soon(local.calls_answered()).await;
    stage.empty();
    soon(local.engine().room()).await;
    assert!(soon(local.act(command::CheckServer { server: server() })).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_nothing_else_is_told_at_once_and_when_it_is_over() {
    let stage = Stage::set().await;
    let look = async |after| {
        let desk: &dyn Desk = &*stage.local;
        soon(desk.look(crate::look::Troubles {}, after, 2 * PATIENCE)).await.unwrap()
    };
    let (at_first, none) = look(None).await;
    assert_eq!(none.unwrap(), []);
    let ((filled, full), ()) = tokio::join!(look(Some(at_first)), stage.fill());
    assert_eq!(full.unwrap().iter().map(|trouble| trouble.code).collect::<Vec<_>>(), [Code::StorageFull]);
    stage.empty();
    let (_, over) = look(Some(filled)).await;
    assert_eq!(over.unwrap(), [], "there is room again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_kept_although_its_acknowledgement_cannot_be() {
    let stage = Stage::set().await;
    let content = Some(Json::parse(r#"{"approved":true,"rollout":"gradual"}"#).unwrap());
    let request = stage.question;
    let answer = command::Answer {
        request,
        action: Action::Accept,
        content,
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    let error = stage.meanwhile("tasks/update", answer).await.unwrap_err();
    assert_eq!((error.code, error.retry), (Code::StorageFull, Retry::Queued), "{error}");
    assert!(error.message.contains("do not repeat it"), "{error}");
    stage.empty();
    let settle = command::Settle { item: ItemRef::Request(request), said: None };
    soon(stage.local.engine().room()).await;
    soon(stage.local.act(settle)).await.expect("it went its way");
    assert_eq!(stage.demo.journal().requests("tasks/update").len(), 1, "once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wish_to_cancel_is_kept_although_its_acknowledgement_cannot_be() {
    let stage = Stage::set().await;
    let error =
        stage.meanwhile("tasks/cancel", command::Cancel { call: stage.task, seen: None }).await.unwrap_err();
    assert_eq!((error.code, error.retry), (Code::StorageFull, Retry::Queued), "{error}");
    stage.empty();
    let settle = command::Settle { item: ItemRef::Call(stage.task), said: None };
    soon(stage.local.engine().room()).await;
    soon(stage.local.act(settle)).await.expect("it went its way");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_waits_for_an_answer_that_waits_for_room() {
    let stage = Stage::set().await;
    let gate = stage.demo.faults().hold("tools/call");
    let call = start(&stage.local, "echo", r#"{"text":"worth having"}"#).await;
    soon(gate.reached(1)).await;
    stage.fill().await;
    gate.open();
    let leaving = async {
        stage.local.calls_answered().await;
        let (row, _) = stage.local.read(move |reads| reads.call(call)).await.unwrap().unwrap();
        assert!(row.ended(), "leaving earlier loses what the tool has answered");
    };
    let mut leaving = std::pin::pin!(leaving);
    tokio::select! {
        () = &mut leaving => panic!("nothing could be kept"),
        // Long enough for a look at what is kept.
        listed = soon(stage.local.act(command::Tools { server: server() })) => drop(listed.unwrap()),
    }
    stage.empty();
    soon(leaving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_in_is_not_said_to_be_wanted_still_when_the_disk_is_full() {
    let stage = Stage::set().await;
    let (local, guarded) = (&stage.local, || "guarded".to_owned());
    let authority = Authority::start().await.unwrap();
    let transport = NewTransport::Http { url: authority.url("/mcp").into(), headers: vec![] };
    soon(local.act(command::AddServer { name: guarded(), transport, untrusted: false })).await.unwrap();
    let begun = soon(local.act(command::SignIn { server: guarded() })).await.unwrap();
    let SignInBegun { url: Some(url), attempt } = begun else { panic!("a person is needed: {begun:?}") };
    stage.fill().await;
    let browser = reqwest::Client::builder().no_proxy().build().unwrap();
    assert!(soon(browser.get(url).send()).await.unwrap().status().is_success(), "signed in");
    let end = soon(local.act(command::AwaitSignIn { server: guarded(), attempt })).await;
    let error = end.expect_err("how the server is now cannot be kept");
    assert_eq!((error.code, error.retry), (Code::StorageFull, Retry::AfterFix), "{error}");
    assert!(error.message.contains("The sign-in is done"), "{error}");
    stage.empty();
    soon(local.engine().room()).await;
    let check = soon(local.act(command::CheckServer { server: guarded() })).await.unwrap();
    assert!(check.tools.is_some(), "it lets us in: {check:?}");
}
