//! A desk behind `trait Desk` that no engine stands behind: 10,000 rows of which one changes every 0.1 ms.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use signalbox_api::{
    Answering, ApiError, Changes, Code, Command, Counts, Cursor, Desk, Home, Overview, OverviewChange, Owner,
    OwnerKind, Ownership, Page, Reply, Settings, ShortcutState, SocketServer, TabCounts, TaskRow, View,
    ViewData,
};
use signalbox_model::CallId;
use signalbox_tests::Machine;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;
use tokio::time::Instant;

use crate::accounting::pass;

/// How many rows it has, and how many changes there are in a second: each row changes once.
const ROWS: u32 = 10_000;
/// How long a look waits for rows to change: in less than that some always have.
const TICK: Duration = Duration::from_millis(4);

/// The first argument that makes this program the owner of a data directory with such a desk; the directory is the second.
pub(crate) const ROLE: &str = "desk";

/// The owner's process. It ends with this.
pub(super) async fn start(machine: &Machine, home: &Path) -> Child {
    let mut command = machine.command(&std::env::current_exe().unwrap());
    command.arg(ROLE).arg(home).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut process = command.spawn().unwrap();
    let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
    assert_eq!(said.next_line().await.unwrap().as_deref(), Some("ready"));
    process
}

/// Plays the owner until nobody asks any more.
pub(crate) async fn play(home: &Path) {
    let home = Home::at(home).unwrap();
    let ownership = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let server = SocketServer::start(Arc::new(Scripted::new()), &ownership).unwrap();
    println!("ready");
    let mut asked = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(_)) = asked.next_line().await {}
    server.stop().await;
}

/// The scripted desk, whose list changes by itself.
struct Scripted {
    began: Instant,
}

impl Scripted {
    fn new() -> Self {
        Self { began: Instant::now() }
    }

    /// How many changes there have been: the last one was of row `seq % ROWS`.
    fn seq(&self) -> u64 {
        // Every row was written before the first change.
        u64::from(ROWS) + u64::try_from(self.began.elapsed().as_micros() / 100).unwrap()
    }

    fn tasks(&self, offset: u32, limit: u32, after: Option<Cursor>) -> (u64, ViewData) {
        let seq = self.seq();
        let since = after.map_or(0, |cursor| cursor.seq);
        let end = ROWS.min(offset.saturating_add(limit));
        let last = |row: u32| {
            let (of, rows) = (u64::from(row), u64::from(ROWS));
            (seq - of) / rows * rows + of
        };
        let rows = (offset..end).map(|row| (row, last(row))).filter(|(_, changed)| *changed > since);
        let ids = (offset..end).map(|row| CallId(row + 1)).collect();
        let rows = rows.map(|(row, changed)| self::row(row, changed)).collect();
        let page = Page::of(ids, rows, ROWS);
        (seq, ViewData::Tasks { page })
    }
}

fn row(row: u32, changed: u64) -> TaskRow {
    serde_json::from_value(json!({
        "id": format!("t{}", row + 1), "server": "s1", "serverName": "ci", "group": "working", "origin": "started",
        "tool": "deploy", "summary": format!("shard {row}"), "hasTask": true, "status": "working", "tracking": "live",
        "statusMessage": format!("step {changed}"), "createdAt": "2026-11-26T08:00:00.000Z",
        "seenAt": "2026-11-26T08:00:00.000Z", "openRequests": 0,
    }))
    .unwrap()
}

fn overview() -> OverviewChange {
    OverviewChange::whole(Overview {
        inbox: 0,
        tabs: TabCounts::default(),
        held: 0,
        tasks: Counts { working: ROWS, ..Counts::default() },
        servers: Vec::new(),
        settings: Settings::default(),
        notifications_paused_until: None,
        shortcut: ShortcutState::Nobody,
        troubles: Vec::new(),
        owner: Owner {
            kind: OwnerKind::Serve,
            pid: std::process::id(),
            version: "0".into(),
            home: "/".into(),
            logs: None,
        },
    })
}

impl Desk for Scripted {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(
            async move { Err(ApiError::new(Code::NotSupported, format!("not in the script: {command:?}"))) },
        )
    }

    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes> {
        Box::pin(async move {
            let data = match view {
                View::Tasks { offset, limit, .. } => {
                    if after.is_some() {
                        pass(TICK.min(wait)).await;
                    }
                    let (seq, data) = self.tasks(offset, limit, after);
                    return Ok(Changes { cursor: Cursor { epoch: 1, seq, shape: 0 }, data: Some(data) });
                }
                View::Overview => ViewData::Overview { change: Box::new(overview()) },
                View::Preference { .. } => ViewData::Preference { value: None },
                View::Forward { .. } => {
                    ViewData::Forward { wish: 0, item: None, led: None, token: None, quit: false }
                }
                View::Troubles => ViewData::Troubles { troubles: Vec::new() },
                View::Offers { .. } => ViewData::Offers { offers: Vec::new() },
                View::Task { .. } => ViewData::Task { task: None },
                View::Request { .. } => ViewData::Request { request: None },
                View::Inbox { .. } => ViewData::Inbox { page: Page::of(vec![], vec![], 0) },
                other => {
                    return Err(ApiError::new(Code::NotSupported, format!("not in the script: {other:?}")));
                }
            };
            if after.is_some() {
                pass(wait).await;
            }
            let cursor = Cursor { epoch: 1, seq: 1, shape: 0 };
            Ok(Changes { cursor, data: after.is_none().then_some(data) })
        })
    }
}
