//! An owner's desk on a real store, and the scripted server.

use std::{net::SocketAddr, time::Duration};

use signalbox_api::{
    Changes, Cursor, DeskExt as _, Home, NewTransport, Opened, Overview, OwnerKind, RequestDetail,
    TaskDetail, View, ViewData,
    command::{self, Act},
    open,
};
use signalbox_demo::{Demo, HttpServer, Speed};
use signalbox_model::{Action, CallId, Json, RequestId};
use tempfile::TempDir;

/// Long enough for a slow machine; nothing waits for it to pass.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

pub(crate) struct Stage {
    pub(crate) opened: Opened,
    pub(crate) demo: Demo,
    pub(crate) server: HttpServer,
    pub(crate) dir: TempDir,
}

impl Stage {
    pub(crate) async fn set() -> Self {
        let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
        let server = demo.serve_http(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        let dir = TempDir::new().unwrap();
        let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
        let stage = Self { opened, demo, server, dir };
        let transport = NewTransport::Http { url: stage.server.url(), headers: vec![] };
        stage.act(command::AddServer { name: "demo".into(), transport, untrusted: false }).await;
        let settings = signalbox_api::Settings { poll_floor_ms: 100, ..Default::default() };
        stage.act(command::SetSettings { settings }).await;
        stage
    }

    pub(crate) async fn act<A: Act>(&self, act: A) -> A::Reply {
        self.opened.desk().act(act).await.unwrap()
    }

    pub(crate) async fn start(&self, tool: &str, arguments: &str) -> CallId {
        let arguments = Json::parse(arguments).unwrap();
        let start = command::Start { server: "demo".into(), tool: tool.into(), arguments, ttl_ms: None };
        self.act(start).await
    }

    pub(crate) async fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Changes {
        self.opened.desk().changes(view, after, wait).await.unwrap()
    }

    /// Looks until what is seen fits.
    pub(crate) async fn until<T>(&self, view: View, fits: impl Fn(ViewData) -> Option<T>) -> T {
        let looking = async {
            let mut cursor = None;
            loop {
                let changes = self.changes(view.clone(), cursor, LIMIT).await;
                cursor = Some(changes.cursor);
                if let Some(found) = changes.data.and_then(&fits) {
                    return found;
                }
            }
        };
        tokio::time::timeout(LIMIT, looking).await.expect("the view must come to fit")
    }

    pub(crate) async fn until_overview<T>(&self, fits: impl Fn(&Overview) -> Option<T>) -> T {
        let looking = async {
            let (mut cursor, mut seen) = (None, None);
            loop {
                let changes = self.changes(View::Overview, cursor, LIMIT).await;
                cursor = Some(changes.cursor);
                if let Some(ViewData::Overview { change }) = changes.data {
                    seen = change.after(seen);
                }
                if let Some(found) = fits(seen.as_ref().expect("it goes with what was seen")) {
                    return found;
                }
            }
        };
        tokio::time::timeout(LIMIT, looking).await.expect("the overview must come to fit")
    }

    pub(crate) async fn until_task(&self, call: CallId, fits: impl Fn(&TaskDetail) -> bool) -> TaskDetail {
        self.until(View::Task { call }, |data| match data {
            ViewData::Task { task: Some(task) } if fits(&task) => Some(*task),
            _ => None,
        })
        .await
    }

    pub(crate) async fn ended(&self, call: CallId) -> TaskDetail {
        self.until_task(call, |task| task.row.outcome.is_some()).await
    }

    pub(crate) async fn question_of(&self, call: CallId) -> RequestDetail {
        let task = self.until_task(call, |task| task.row.open_requests > 0).await;
        self.question(task.requests[0].id).await
    }

    pub(crate) async fn question(&self, request: RequestId) -> RequestDetail {
        match self.changes(View::Request { request }, None, Duration::ZERO).await.data {
            Some(ViewData::Request { request: Some(request) }) => *request,
            other => panic!("the question is not there: {other:?}"),
        }
    }
}

pub(crate) fn accept(request: RequestId, content: &str) -> command::Answer {
    command::Answer {
        request,
        action: Action::Accept,
        content: Some(Json::parse(content).unwrap()),
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    }
}

pub(crate) const APPROVAL: &str = r#"{"approved":true,"rollout":"gradual","max_error_rate":1.5}"#;
