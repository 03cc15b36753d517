//! What stops when the window closes and nobody else follows: what the person is told before they decide.

use serde::Serialize;
use signalbox_api::{Desk, InboxTab, Overview, OwnerKind, TaskFilter, TaskGroup, TaskRow, View, ViewData};
use signalbox_model::{CallId, RequestState, ServerId, Status, Transport};
use std::{collections::HashSet, time::Duration};

/// So many of what ends are named.
const NAMED: usize = 5;
/// Rows of one look, and in all: beyond them it is said that there may be more.
const PAGE: u32 = 500;
const MOST: u32 = 5_000;

/// What stops: `CloseRequest` in the UI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Stops {
    /// Tasks that nobody would follow.
    live: u32,
    /// Who follows them now: this window, or a command for as long as it runs.
    follower: OwnerKind,
    /// How many of them end with their follower, also when `serve` goes on.
    ending: u32,
    /// The first of those.
    ends: Vec<Ending>,
    /// There are more tasks than were looked through: more of them may end.
    unsure: bool,
    /// Answers within their undo time: they go back to drafts.
    held: u32,
}

/// Work that ends with its follower.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Ending {
    id: CallId,
    server: String,
    tool: String,
    why: Why,
}

/// Why nobody else can go on with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Why {
    /// Its server runs as a program of the follower.
    Program,
    /// There is no task: the call waits for its answer on a connection of the follower.
    Waits,
}

/// What nobody would follow; none when nothing stops.
pub(crate) async fn what_stops(desk: &dyn Desk) -> Option<Stops> {
    let overview = overview(desk).await?;
    if overview.owner.kind == OwnerKind::Serve {
        // It follows on, whoever closes.
        return None;
    }
    let (tasks, unsure) = live_tasks(desk).await;
    stops(&overview, &tasks, unsure, held(desk).await)
}

pub(crate) async fn overview(desk: &dyn Desk) -> Option<Overview> {
    match look(desk, View::Overview).await? {
        ViewData::Overview { overview } => Some(*overview),
        _ => None,
    }
}

async fn look(desk: &dyn Desk, view: View) -> Option<ViewData> {
    desk.changes(view, None, Duration::ZERO).await.ok()?.data
}

/// The tasks that are not over, and whether there are more than these.
async fn live_tasks(desk: &dyn Desk) -> (Vec<TaskRow>, bool) {
    let (mut tasks, mut unsure) = (Vec::new(), false);
    for group in [TaskGroup::NeedsYou, TaskGroup::Working] {
        let mut offset = 0;
        loop {
            let filter = TaskFilter { group: Some(group), ..TaskFilter::default() };
            let looked = look(desk, View::Tasks { filter, offset, limit: PAGE }).await;
            let Some(ViewData::Tasks { page }) = looked else { return (tasks, true) };
            let total = page.total;
            tasks.extend(page.rows);
            offset += PAGE;
            if offset >= total {
                break;
            }
            if offset >= MOST {
                unsure = true;
                break;
            }
        }
    }
    (tasks, unsure)
}

/// How many answers are within their undo windows.
async fn held(desk: &dyn Desk) -> u32 {
    let (mut held, mut offset) = (0_usize, 0);
    while offset < MOST {
        let view = View::Inbox { tab: InboxTab::NeedsYou, offset, limit: PAGE };
        let Some(ViewData::Inbox { page }) = look(desk, view).await else { break };
        held += page.rows.iter().filter(|row| row.state == RequestState::Held).count();
        offset += PAGE;
        if offset >= page.total {
            break;
        }
    }
    u32::try_from(held).unwrap_or(u32::MAX)
}

fn stops(overview: &Overview, tasks: &[TaskRow], unsure: bool, held: u32) -> Option<Stops> {
    let live = overview.tasks.working + overview.tasks.needs_you;
    if live == 0 && held == 0 {
        return None;
    }
    let is_program = |transport: &Transport| matches!(transport, Transport::Stdio { .. });
    let programs = overview.servers.iter().filter(|server| is_program(&server.transport));
    let programs: HashSet<ServerId> = programs.map(|server| server.id).collect();
    let why = |task: &TaskRow| match () {
        () if programs.contains(&task.server) => Some(Why::Program),
        // A round of questions waits for a person, and is kept.
        () if !task.has_task && task.status == Status::Working => Some(Why::Waits),
        () => None,
    };
    let ending = tasks.iter().filter_map(|task| {
        let (server, tool) = (task.server_name.clone(), task.tool.clone());
        why(task).map(|why| Ending { id: task.id, server, tool, why })
    });
    let mut ends: Vec<Ending> = ending.collect();
    // The look at the tasks is later than that at their number.
    let ending = u32::try_from(ends.len()).unwrap_or(u32::MAX).min(live);
    ends.truncate(NAMED);
    Some(Stops { live, follower: overview.owner.kind, ending, ends, unsure, held })
}

#[cfg(test)]
mod tests {
    use signalbox_api::{Command, Counts, Home, NewTransport, Opened, Owner, Reply, Settings, open};
    use signalbox_demo::{Demo, Speed};
    use signalbox_model::{Action, Json, RequestId};

    use super::*;

    fn overview(kind: OwnerKind, tasks: Counts) -> Overview {
        Overview {
            inbox: 0,
            tasks,
            servers: Vec::new(),
            settings: Settings::default(),
            troubles: Vec::new(),
            owner: Owner { kind, pid: 1, version: String::new(), home: String::new() },
        }
    }

    #[test]
    fn what_stops_depends_on_what_is_live() {
        let busy = Counts { needs_you: 2, working: 3, ended: 40 };
        for follower in [OwnerKind::Window, OwnerKind::Command] {
            let stops = stops(&overview(follower, busy), &[], false, 0).expect("five tasks stop");
            assert_eq!((stops.live, stops.follower, stops.ending), (5, follower, 0));
        }
        let over = overview(OwnerKind::Window, Counts { needs_you: 0, working: 0, ended: 40 });
        assert_eq!(stops(&over, &[], false, 0), None);
        let held = stops(&over, &[], false, 2).expect("an answer to a question of no task");
        assert_eq!((held.live, held.held), (0, 2));
    }

    /// A window with a task at a server over HTTP, one at a program, and a call that waits on its connection.
    async fn stage(kind: OwnerKind) -> (tempfile::TempDir, signalbox_demo::HttpServer, Opened) {
        let dir = tempfile::tempdir().unwrap();
        let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
        let server = demo.serve_http(([127, 0, 0, 1], 0).into()).await.unwrap();
        let opened = open(&Home::at(&dir.path().join("home")).unwrap(), kind).await.unwrap();
        let transport = NewTransport::Http { url: server.url(), headers: vec![] };
        let add = Command::AddServer { name: "ci".into(), transport, untrusted: false };
        opened.desk().call(add).await.unwrap();
        (dir, server, opened)
    }

    async fn question(opened: &Opened) -> RequestId {
        let arguments = Json::parse(r#"{"service":"a","version":"1","region":"eu-west"}"#).unwrap();
        let start = Command::Start { server: "ci".into(), tool: "deploy".into(), arguments, ttl_ms: None };
        let Reply::Started { .. } = opened.desk().call(start).await.unwrap() else { panic!("it starts") };
        let view = View::Inbox { tab: InboxTab::NeedsYou, offset: 0, limit: 1 };
        let (mut after, wait) = (None, Duration::from_secs(20));
        loop {
            let changes = opened.desk().changes(view.clone(), after, wait).await.unwrap();
            after = Some(changes.cursor);
            if let Some(ViewData::Inbox { page }) = changes.data
                && let Some(id) = page.ids.first()
            {
                return RequestId(*id);
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_held_answer_is_told_and_a_task_over_http_does_not_end() {
        let (_dir, _server, opened) = stage(OwnerKind::Window).await;
        let request = question(&opened).await;
        let answer = Command::Answer { request, action: Action::Decline, content: None, hold_ms: 60_000 };
        opened.desk().call(answer).await.unwrap();
        let stops = what_stops(opened.desk().as_ref()).await.expect("a task is under way");
        assert_eq!((stops.live, stops.ending, stops.held), (1, 0, 1));
        opened.close().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn serve_goes_on_whoever_closes() {
        let (_dir, _server, opened) = stage(OwnerKind::Serve).await;
        question(&opened).await;
        assert_eq!(what_stops(opened.desk().as_ref()).await, None);
        opened.close().await;
    }
}
