//! A desk that follows a script. Longer than most: what it says and what it was asked are one struct.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use signalbox_api::{
    ApiError, Changes, Code, Command, Counts, Cursor, Desk, InboxTab, ListQuery, Overview, OverviewChange,
    Owner, OwnerKind, Page, Reply, RequestDetail, RequestEntry, RequestList, RequestRow, ServerView,
    Settings, Stack, StackColumn, Stacked, TaskDetail, TaskEntry, TaskGroup, TaskRow, ToolView, Trouble,
    View, ViewData, command,
};
use signalbox_model::{
    Accept, Answer, Attention, CallId, Delivery, Health, Identity, Json, Mode, No, Origin, Outcome,
    PayloadKind, RequestId, RequestLog, RequestState, ServerId, Settled, Status, Timestamp, Tracking,
    Transport, Ways, Wire, Word,
};
use tokio::sync::watch;

use super::at;

/// What the desk knows.
#[derive(Default)]
pub(super) struct World {
    pub(super) servers: Vec<ServerView>,
    pub(super) troubles: Vec<Trouble>,
    pub(super) tools: Vec<ToolView>,
    pub(super) tasks: BTreeMap<CallId, TaskDetail>,
    pub(super) requests: BTreeMap<RequestId, RequestDetail>,
    /// What was said before to any question.
    pub(super) earlier: Vec<RequestRow>,
    /// What windows remember.
    pub(super) remembered: BTreeMap<String, Json>,
    /// The person's settings.
    pub(super) settings: Settings,
    /// Until when no notification is shown.
    pub(super) paused_until: Option<Timestamp>,
    /// What became of the last notices.
    pub(super) past: Vec<signalbox_api::PastNotice>,
    /// Every command that came.
    pub(super) commands: Vec<Command>,
}

impl World {
    /// A question of a task, in both places.
    pub(super) fn ask(&mut self, detail: RequestDetail) {
        if let Some(task) = detail.row.call.and_then(|call| self.tasks.get_mut(&call)) {
            task.requests.retain(|row| row.id != detail.row.id);
            task.requests.push(detail.row.clone());
            task.row.open_requests = 1;
            task.row.status = Status::InputRequired;
        }
        self.requests.insert(detail.row.id, detail);
    }

    /// Settles a question.
    pub(super) fn settle(&mut self, id: RequestId, state: RequestState, answer: Option<Answer>) {
        let detail = self.requests.get_mut(&id).unwrap();
        detail.row.state = state;
        if detail.ways.settled.is_none() && ways(state).settled.is_some() {
            detail.row.attention = Attention::None;
        }
        detail.row.answer = answer;
        detail.ways = ways(state);
        let row = detail.row.clone();
        let task = self.tasks.get_mut(&row.call.unwrap()).unwrap();
        task.row.open_requests = 0;
        task.row.status = Status::Working;
        *task.requests.iter_mut().find(|other| other.id == id).unwrap() = row;
    }

    /// All other open questions are like this one, and differ in their messages.
    fn stack(&self, request: RequestId) -> Option<Stack> {
        let is_open = |detail: &&RequestDetail| detail.row.state == RequestState::Open;
        let others = self.requests.values().filter(|detail| detail.row.id != request);
        let all: Vec<_> = self.requests.get(&request).into_iter().chain(others).filter(is_open).collect();
        let stacked = |detail: &RequestDetail| {
            let values = vec![Some(detail.row.message.clone())];
            Stacked { row: detail.row.clone(), asks: format!("asks of {}", detail.row.id), values }
        };
        let questions = all.iter().map(|detail| stacked(detail)).collect();
        let destructive = self.tools.iter().any(|tool| tool.destructive);
        let columns = vec![StackColumn::Message];
        (all.len() > 1).then_some(Stack { questions, more: 0, columns, destructive })
    }

    /// Ends a task.
    pub(super) fn end(&mut self, call: CallId, outcome: Outcome, text: &str) {
        let task = self.tasks.get_mut(&call).unwrap();
        task.row.outcome = Some(outcome);
        task.row.status = if outcome == Outcome::Ok { Status::Completed } else { Status::Failed };
        task.row.tracking = Tracking::Done;
        let part =
            signalbox_api::ContentPart::Text { text: text.to_owned(), bytes: text.len() as u64, same: false };
        let is_error = outcome == Outcome::ToolError;
        task.result = Some(signalbox_api::ResultView { is_error, content: vec![part], ..Default::default() });
        let json = Json::parse(format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#)).unwrap();
        let info =
            signalbox_api::PayloadInfo { kind: PayloadKind::Result, bytes: 1, json: Some(json), fault: None };
        task.payloads.push(info);
    }
}

/// What can be said to a question of a task in this state.
pub(super) fn ways(state: RequestState) -> Ways {
    let settled = match state {
        RequestState::Open | RequestState::NotTaken | RequestState::Refused | RequestState::Unknown => None,
        RequestState::Held => Some(Settled::Held),
        RequestState::Sending => Some(Settled::OnItsWay),
        RequestState::Answered => Some(Settled::Answered),
        RequestState::Closed => Some(Settled::Closed),
        RequestState::Orphaned => Some(Settled::Orphaned),
    };
    let told = settled.is_none().then_some(No::Told);
    let accept = settled.is_none().then_some(Accept::Content);
    let put_away = state == RequestState::Orphaned;
    Ways { accept, decline: told, dismiss: told, settled, put_away, ..Ways::default() }
}

type Script = Box<dyn FnMut(&mut World, &Command) -> Result<Reply, ApiError> + Send>;

/// The desk. Every command goes to the script, every look sees the world.
pub(super) struct Scripted {
    world: Mutex<World>,
    script: Mutex<Script>,
    seq: watch::Sender<u64>,
    /// Where the windows of tasks began that were looked at until something changes.
    held: Mutex<BTreeSet<u32>>,
}

impl Scripted {
    pub(super) fn new(
        world: World,
        script: impl FnMut(&mut World, &Command) -> Result<Reply, ApiError> + Send + 'static,
    ) -> Self {
        let (world, script) = (Mutex::new(world), Mutex::new(Box::new(script) as Script));
        Self { world, script, seq: watch::Sender::new(1), held: Mutex::default() }
    }

    /// A desk that is only looked at.
    pub(super) fn showing(world: World) -> Self {
        Self::new(world, |world, command| match command {
            Command::Find(command::Find { text }) => Ok(Reply::Found {
                calls: world
                    .tasks
                    .values()
                    .filter(|task| task.row.id.to_string() == *text || task.task_id.as_ref() == Some(text))
                    .map(|task| task.row.id)
                    .collect(),
            }),
            Command::Refresh(_) => Ok(Reply::Done),
            other => Err(ApiError::new(Code::Internal, format!("not in the script: {other:?}"))),
        })
    }

    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    pub(super) fn looked_from(&self) -> Vec<u32> {
        self.held.lock().unwrap().iter().copied().collect()
    }

    /// Something happens at a server.
    pub(super) fn happens(&self, what: impl FnOnce(&mut World)) {
        what(&mut self.world());
        self.seq.send_modify(|seq| *seq += 1);
    }

    fn look(&self, view: &View) -> ViewData {
        let world = self.world();
        match view {
            View::Overview => ViewData::Overview {
                change: Box::new(OverviewChange::whole(Overview {
                    inbox: 0,
                    tabs: signalbox_api::TabCounts::default(),
                    held: 0,
                    tasks: Counts::default(),
                    servers: world.servers.clone(),
                    settings: world.settings.clone(),
                    notifications_paused_until: world.paused_until,
                    shortcut: signalbox_api::ShortcutState::Nobody,
                    troubles: world.troubles.clone(),
                    owner: Owner {
                        kind: OwnerKind::Window,
                        pid: 42,
                        version: env!("CARGO_PKG_VERSION").into(),
                        home: "/home/data".into(),
                        logs: None,
                    },
                })),
            },
            View::Tasks { query, offset, limit } => {
                let rows = world.tasks.values().map(|task| task.row.clone());
                let mut all: Vec<TaskRow> = rows.filter(|row| is_listed(row, query)).collect();
                // As an owner lists them.
                all.sort_by_key(|row| row.outcome.is_some());
                ViewData::Tasks { page: page(all, *offset, *limit, |row| row.id) }
            }
            View::RequestLog { .. } => {
                let log = RequestLog { since: Timestamp(0), left_out: 0, exchanges: vec![], states: vec![] };
                ViewData::RequestLog { log: Box::new(log) }
            }
            View::TaskEntries { query, offset, limit } => {
                let listed = world.tasks.values().filter(|task| is_listed(&task.row, query));
                let all: Vec<TaskEntry> = listed.map(TaskEntry::from).collect();
                ViewData::TaskEntries { page: page(all, *offset, *limit, |entry| entry.row.id) }
            }
            View::Inbox { offset, limit, .. } => {
                let all: Vec<RequestRow> = world.requests.values().map(|detail| detail.row.clone()).collect();
                ViewData::Inbox { page: page(all, *offset, *limit, |row| row.id) }
            }
            View::Requests { list, offset, limit, whole, .. } => {
                let is_over =
                    |row: &RequestRow| matches!(row.state, RequestState::Answered | RequestState::Closed);
                let is_listed = |row: &RequestRow| match list {
                    RequestList::Waiting => !is_over(row),
                    RequestList::Tab { tab } => match tab {
                        InboxTab::Expiring => row.attention == Attention::Expiring,
                        InboxTab::Snoozed => row.attention == Attention::Snoozed,
                        InboxTab::NeedsYou => {
                            !is_over(row) && !row.stranded && row.attention != Attention::Snoozed
                        }
                        InboxTab::Answered => is_over(row) || row.stranded,
                        InboxTab::All => true,
                    },
                    RequestList::All { after } => after.is_none_or(|after| row.id < after),
                    RequestList::Open { call } => row.call == Some(*call) && !is_over(row),
                    RequestList::Closed { call } => row.call == Some(*call) && is_over(row),
                };
                let listed = world.requests.values().filter(|detail| is_listed(&detail.row));
                let mut all: Vec<RequestEntry> = listed.map(RequestEntry::from).collect();
                if matches!(list, RequestList::All { .. } | RequestList::Closed { .. }) {
                    all.reverse();
                }
                for entry in all.iter_mut().filter(|_| !whole) {
                    (entry.raw, entry.draft) = (None, None);
                }
                ViewData::Requests { page: page(all, *offset, *limit, |entry| entry.row.id) }
            }
            View::Task { call } => ViewData::Task { task: world.tasks.get(call).cloned().map(Box::new) },
            View::Request { request } => {
                ViewData::Request { request: world.requests.get(request).cloned().map(Box::new) }
            }
            View::Stack { request } => ViewData::Stack { stack: world.stack(*request).map(Box::new) },
            View::Preference { key } => ViewData::Preference { value: world.remembered.get(key).cloned() },
            View::Offers { .. } => ViewData::Offers { offers: Vec::new() },
            View::Troubles => ViewData::Troubles { troubles: world.troubles.clone() },
            View::Notices => ViewData::Notices { past: world.past.clone() },
            View::Forward { .. } => {
                ViewData::Forward { wish: 0, item: None, led: None, token: None, quit: false }
            }
        }
    }
}

/// As an owner filters, by as much of the language as these tests write.
fn is_listed(row: &TaskRow, query: &ListQuery) -> bool {
    let mut tokens = query.within.iter().chain([&query.filter]).flat_map(|filter| filter.split_whitespace());
    tokens.all(|token| match token.split_once(':') {
        Some(("server", id)) => row.server.to_string() == id,
        Some(("status", word)) => row.status.word() == word,
        Some(("-is", "ended")) => row.outcome.is_none(),
        Some(("tool", word)) => row.tool == word,
        _ => panic!("not in the script: {token}"),
    })
}

fn page<I: Copy, R>(all: Vec<R>, offset: u32, limit: u32, id: impl Fn(&R) -> I) -> Page<I, R> {
    assert!(limit <= 500, "a view gives at most 500 rows");
    let total = u32::try_from(all.len()).unwrap();
    let rows: Vec<R> =
        all.into_iter().skip(offset.try_into().unwrap()).take(limit.try_into().unwrap()).collect();
    Page::of(rows.iter().map(id).collect(), rows, total)
}

impl Desk for Scripted {
    fn call(&self, command: Command) -> Pin<Box<dyn Future<Output = Result<Reply, ApiError>> + Send + '_>> {
        Box::pin(async move {
            let reply = {
                let mut world = self.world();
                world.commands.push(command.clone());
                match command {
                    // Most scripts are about something else.
                    Command::EarlierAnswers(_) => {
                        Ok(Reply::EarlierAnswers { answers: world.earlier.clone() })
                    }
                    command => self.script.lock().unwrap()(&mut world, &command),
                }
            };
            self.seq.send_modify(|seq| *seq += 1);
            reply
        })
    }

    fn changes(
        &self,
        view: View,
        after: Option<Cursor>,
        wait: Duration,
    ) -> Pin<Box<dyn Future<Output = Result<Changes, ApiError>> + Send + '_>> {
        Box::pin(async move {
            if let View::Tasks { offset, .. } = &view
                && !wait.is_zero()
            {
                self.held.lock().unwrap().insert(*offset);
            }
            let mut seq = self.seq.subscribe();
            let seen = after.map_or(0, |cursor| cursor.seq);
            let changed = tokio::time::timeout(wait, seq.wait_for(|seq| *seq > seen)).await.is_ok();
            let cursor = Cursor { epoch: 7, seq: *self.seq.borrow(), shape: 0 };
            Ok(Changes { cursor, data: (changed || after.is_none()).then(|| self.look(&view)) })
        })
    }
}

pub(super) fn server(transport: Transport) -> ServerView {
    let place = match &transport {
        Transport::Http { url, .. } => url.clone(),
        Transport::Stdio { command, .. } => command.clone(),
    };
    ServerView {
        id: ServerId(1),
        name: "ci".into(),
        place,
        transport,
        access: signalbox_model::Access::default(),
        enabled: true,
        trusted: true,
        health: Health::Ok { latency_ms: 3, clock_ahead_ms: None },
        connecting_since: None,
        heard_at: None,
        wire: Some(Wire::Modern),
        protocol_version: Some("2026-07-28".into()),
        peer: None,
        capabilities: Some(Json::parse(r#"{"tools":{}}"#).unwrap()),
        supports_tasks: true,
        roots: Vec::new(),
        push: None,
        signed_in: None,
        tools: None,
        inbox: 0,
        tasks: Counts::default(),
        demo: false,
        withheld: None,
        left_out: None,
    }
}

pub(super) fn http() -> ServerView {
    server(Transport::Http { url: "https://ci.example.com:8443/mcp".into(), headers: Vec::new() })
}

pub(super) fn stdio() -> ServerView {
    server(Transport::Stdio { command: "demo".into(), args: Vec::new(), env: Vec::new(), cwd: None })
}

/// A working task of `ci`.
pub(super) fn task(id: u32) -> TaskDetail {
    TaskDetail {
        row: TaskRow {
            id: CallId(id),
            server: ServerId(1),
            server_name: "ci".into(),
            group: TaskGroup::Working,
            wire: Some(Wire::Modern),
            origin: Origin::Started,
            tool: "deploy".into(),
            summary: "web".into(),
            has_task: true,
            status: Status::Working,
            status_text: None,
            outcome: None,
            tracking: Tracking::Live,
            note: None,
            status_message: Some("building".into()),
            progress: None,
            created_at: at("2026-07-28T10:00:00Z"),
            seen_at: at("2026-07-28T10:00:05Z"),
            expires_at: None,
            ended_at: None,
            next_poll_at: None,
            cancel: None,
            open_requests: 0,
            waiting_since: None,
            tags: Vec::new(),
        },
        remark: None,
        place: "https://ci.example.com:8443/mcp".into(),
        delivery: Delivery::Answered,
        task_id: Some(format!("task-{id}")),
        server_created_at: None,
        last_updated_at: Some(at("2026-07-28T10:00:04.500Z")),
        ttl_ms: None,
        unlimited: true,
        poll_interval_ms: Some(1000),
        arguments: Some(Json::parse(r#"{"service": "web","n":12345678901234567890123}"#).unwrap()),
        secret_arguments: false,
        result: None,
        error: None,
        run_before: None,
        payloads: Vec::new(),
        timeline: Vec::new(),
        stretches: Vec::new(),
        requests: Vec::new(),
        requests_more: 0,
        requests_closed_more: 0,
    }
}

/// Approval with a reason.
pub(super) const SCHEMA: &str = r#"{"type":"object","properties":{"approve":{"type":"boolean","title":"Approve"},"reason":{"type":"string","minLength":3}},"required":["approve"]}"#;

/// An open question of a task.
pub(super) fn request(id: u32, call: u32, schema: &str) -> RequestDetail {
    RequestDetail {
        row: RequestRow {
            id: RequestId(id),
            call: Some(CallId(call)),
            server: ServerId(1),
            server_name: "ci".into(),
            tool: "deploy".into(),
            summary: "web".into(),
            method: "elicitation/create".into(),
            message: "Deploy to production?".into(),
            mode: Mode::Form,
            host: None,
            state: RequestState::Open,
            reason: None,
            opened_at: at("2026-07-28T10:00:05Z"),
            closed_at: None,
            expires_at: None,
            visited_at: None,
            visiting_at: None,
            answer: None,
            decided_by: None,
            stranded: false,
            has_draft: false,
            attention: Attention::NeedsYou,
            snoozed: None,
            returns_at: None,
        },
        place: "https://ci.example.com:8443/mcp".into(),
        protocol_version: None,
        identity: Identity::Task { call: CallId(call), key: "approval".into() },
        call_created_at: None,
        has_task: true,
        ttl_ms: None,
        status_message: None,
        arguments: None,
        form: Some(signalbox_forms::form_spec(schema)),
        schema: Some(Json::parse(schema).unwrap()),
        sampling: None,
        url: None,
        asked_before: Vec::new(),
        raw: Json::parse(r#"{"method":"elicitation/create"}"#).unwrap(),
        asks: format!("asks of r{id}"),
        ways: ways(RequestState::Open),
        destructive: false,
        unlisted: false,
        keeps_secrets: false,
        draft: None,
        siblings: Vec::new(),
        round: None,
    }
}

pub(super) fn tool(schema: &str) -> ToolView {
    ToolView {
        name: "deploy".into(),
        title: None,
        description: Some("Deploys".into()),
        form: signalbox_forms::form_spec(schema),
        input_schema: Json::parse(schema).unwrap(),
        destructive: false,
    }
}
