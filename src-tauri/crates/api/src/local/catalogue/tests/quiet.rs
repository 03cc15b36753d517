//! A view that nothing touches does no work, however much is committed beside it: looks are counted, not timed. It takes one look
//! to begin to wait, and the next one when something of it was touched.
//!
//! What is offered to somebody who types counts all rows, and so at most once a second, by design. No second passes by itself
//! here: a clock that stands still goes on where nothing is left to do.

use signalbox_model::{ELICITATION, Mode};
use tokio::task::JoinHandle;

use super::*;
use crate::{OwnerKind, RequestList, command::BringForward, local::host::preference};

/// So many are committed beside a view.
const COMMITS: u32 = 10_000;
/// So many at once.
const TOGETHER: usize = 20;

fn asked(id: u32, call: u32) -> InputRequest {
    let identity = Identity::Task { call: CallId(call), key: format!("k{id}") };
    InputRequest {
        method: ELICITATION.to_owned(),
        mode: Mode::Form,
        ..InputRequest::new(RequestId(id), ServerId(1), identity, Timestamp(id.into()))
    }
}

fn ask(request: InputRequest) -> Write {
    Write::PutRequest(Box::new(request))
}

fn set(key: &str, n: u32) -> Write {
    Write::PutSetting { key: preference(key), value: Json::of(&n) }
}

/// A task that no view shows.
fn beside(n: u32) -> Write {
    put(Call { summary: n.to_string(), ..Call { server: ServerId(2), ..going_on(2) } })
}

type Waiting = JoinHandle<Result<Changes, ApiError>>;

/// A desk with what views show: `t1` with `r1`, and beside it `t2`.
struct Quiet {
    desk: Arc<Local>,
    submit: Box<dyn Fn(Batch) -> Result<(), Closed>>,
}

impl Quiet {
    async fn new(dir: &Path) -> Self {
        let shown = Call { open_requests: 1, ..going_on(1) };
        let writes =
            vec![server(1, "ci"), server(2, "lab"), put(shown), beside(0), ask(asked(1, 1)), set("list", 0)];
        let (desk, submit) = desk_and_submit(dir, OwnerKind::Serve, writes).await;
        Self { desk: Arc::new(desk), submit: Box::new(submit) }
    }

    fn looks(&self) -> u64 {
        *self.desk.looks.borrow()
    }

    /// Somebody waits for changes of a view that has been seen.
    async fn waiting(&self, view: View) -> Waiting {
        let mut after = None;
        // A list is seen once it is whole.
        while let Some(data) = self.seen(&view, &mut after).await {
            let is_whole = match data {
                ViewData::Tasks { page } => page.complete,
                ViewData::TaskEntries { page } => page.complete,
                ViewData::Inbox { page } => page.complete,
                _ => true,
            };
            if is_whole {
                break;
            }
        }
        let begun = self.looks() + 1;
        let desk = Arc::clone(&self.desk);
        let waiting = tokio::spawn(async move { desk.look(view, after, Duration::from_secs(60)).await });
        self.desk.looks.subscribe().wait_for(|looks| *looks >= begun).await.unwrap();
        waiting
    }

    async fn seen(&self, view: &View, after: &mut Option<Cursor>) -> Option<ViewData> {
        let Changes { cursor, data } =
            self.desk.look(view.clone(), *after, Duration::from_secs(60)).await.unwrap();
        *after = Some(cursor);
        data
    }

    /// Commits each by itself, and lets everybody who follows take it in.
    async fn commit(&self, writes: Vec<Write>) {
        let mut seq = 0;
        // A disk may take milliseconds: the store brings together what is handed in at once.
        for some in writes.chunks(TOGETHER) {
            let answers = some.iter().map(|write| hand_in(&self.submit, vec![write.clone()]));
            let answers: Vec<_> = answers.collect();
            for answer in answers {
                seq = answer.recv().unwrap().unwrap().seq;
            }
            // Whoever waits has a turn.
            tokio::task::yield_now().await;
        }
        let mut moved = self.desk.catalogue.moved();
        let is_behind = || {
            let kept = self.desk.catalogue.0.kept();
            kept.state != State::Idle && kept.seq < seq
        };
        while is_behind() {
            moved.changed().await.unwrap();
        }
    }
}

/// What wakes who waits for a view.
enum Touch {
    Commit(Vec<Write>),
    Act,
}

/// Each of these views is waited for while so much is committed, and then touched.
async fn check(writes: impl Fn(u32) -> Write, views: Vec<(View, Touch)>) {
    let dir = tempfile::tempdir().unwrap();
    let quiet = Quiet::new(dir.path()).await;
    let mut waiting = Vec::new();
    for (view, touch) in views {
        waiting.push((view.clone(), quiet.waiting(view).await, touch));
    }
    let reads = quiet.desk.engine.reads();
    let (before, read) = (quiet.looks(), reads.rows_read());
    quiet.commit((1..=COMMITS).map(writes).collect()).await;
    assert_eq!(quiet.looks(), before, "nobody looks again at what was not touched");
    // Where the catalogue is read, it reads what was committed.
    let is_read = quiet.desk.catalogue.is_begun();
    assert!(is_read || reads.rows_read() == read, "no row is read for anybody");
    for (view, waiting, _) in &waiting {
        assert!(!waiting.is_finished(), "{view:?} waits");
    }
    for (view, waiting, touch) in waiting {
        match touch {
            Touch::Commit(writes) => quiet.commit(writes).await,
            Touch::Act => {
                let trouble =
                    crate::Trouble { code: Code::NotificationsFailed, message: String::new(), detail: None };
                quiet.desk.set_notification_trouble(Some(trouble));
                quiet.desk.act(BringForward { item: None, link: None, token: None }).await.unwrap();
            }
        }
        let changes = waiting.await.unwrap().unwrap();
        assert!(changes.data.is_some(), "{view:?} is woken by what touches it");
    }
}

fn list() -> ListQuery {
    query("tool:deploy server:ci", "", "")
}

/// All views but what is offered: each with what touches it.
fn views() -> Vec<(View, Touch)> {
    let task =
        |summary: &str| vec![put(Call { summary: summary.to_owned(), open_requests: 1, ..going_on(1) })];
    let question = |message: &str| vec![ask(InputRequest { message: message.to_owned(), ..asked(1, 1) })];
    let inbox = |tab, filter: &str| View::Inbox {
        tab,
        filter: filter.to_owned(),
        within: String::new(),
        offset: 0,
        limit: 50,
    };
    let requests = |list, filter: &str| View::Requests {
        list,
        filter: filter.to_owned(),
        offset: 0,
        limit: 50,
        whole: false,
    };
    let over = InputRequest {
        state: signalbox_model::RequestState::Closed,
        closed_at: Some(Timestamp(9)),
        ..asked(2, 1)
    };
    let commit = Touch::Commit;
    vec![
        (View::Overview, commit(vec![put(going_on(3))])),
        (View::Tasks { query: list(), offset: 0, limit: 50 }, commit(task("1"))),
        (View::TaskEntries { query: list(), offset: 0, limit: 50 }, commit(task("2"))),
        (View::Task { call: CallId(1) }, commit(task("3"))),
        (inbox(InboxTab::NeedsYou, ""), commit(question("1"))),
        (inbox(InboxTab::NeedsYou, "server:ci"), commit(question("2"))),
        (inbox(InboxTab::All, "age>1h"), commit(question("3"))),
        (requests(RequestList::Waiting, ""), commit(question("4"))),
        (requests(RequestList::All { after: None }, "server:ci"), commit(question("5"))),
        (requests(RequestList::Open { call: CallId(1) }, ""), commit(question("6"))),
        (View::Request { request: RequestId(1) }, commit(question("7"))),
        (View::Stack { request: RequestId(1) }, commit(vec![put(going_on(4)), ask(asked(4, 4))])),
        (inbox(InboxTab::Answered, ""), commit(vec![ask(over)])),
        (View::Preference { key: "list".to_owned() }, commit(vec![set("list", 1)])),
        (View::Troubles, Touch::Act),
        (View::Forward { raises: false }, Touch::Act),
    ]
}

#[tokio::test(start_paused = true)]
async fn views_that_no_commit_touches_are_not_looked_at_again() {
    check(beside, views()).await;
}

#[tokio::test(start_paused = true)]
async fn where_nobody_looks_at_lists_no_row_is_read() {
    let needs_no_list = |view: &View| {
        let is_filtered = matches!(view, View::Requests { filter, .. } if !filter.is_empty());
        !is_filtered
            && !matches!(
                view,
                View::Tasks { .. } | View::TaskEntries { .. } | View::Inbox { .. } | View::Stack { .. }
            )
    };
    check(beside, views().into_iter().filter(|(view, _)| needs_no_list(view)).collect()).await;
}

#[tokio::test(start_paused = true)]
async fn what_a_window_remembers_wakes_no_view_but_its_own() {
    let mut views = views();
    views.insert(
        0,
        (View::Tasks { query: ListQuery::default(), offset: 0, limit: 50 }, Touch::Commit(vec![beside(0)])),
    );
    check(|n| set("columns", n), views).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_offered_is_counted_at_most_once_a_second() {
    let dir = tempfile::tempdir().unwrap();
    let quiet = Quiet::new(dir.path()).await;
    whole(&quiet.desk.begun()).await;
    let began = tokio::time::Instant::now();
    let waiting = quiet
        .waiting(View::Offers {
            list: ListOf::Tasks,
            within: String::new(),
            before: "tool:".to_owned(),
            after: String::new(),
        })
        .await;
    let before = quiet.looks();
    quiet.commit((1..=COMMITS).map(beside).collect()).await;
    let again = quiet.looks() - before;
    assert!(again <= began.elapsed().as_secs(), "{again} times in {:?}", began.elapsed());
    quiet.commit(vec![put(Call { tool: "rollback".to_owned(), ..going_on(3) })]).await;
    assert!(waiting.await.unwrap().unwrap().data.is_some(), "another tool is offered");
}
