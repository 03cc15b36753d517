//! What stops when the window closes and nobody else follows: what the person is told before they decide. Where `serve` goes on
//! that was started for the tray, and nothing on the desktop shows it now, that is told as well.
//!
//! First stands, by name, what ends with its follower whoever goes on: tasks of servers that are its programs, and
//! calls without a task that wait on its connections. Then come the others, and what is held, as the overview counts
//! it. "Keep following" is offered for the others, beside the list of what it does not save; where nothing else is left
//! it is not offered.
//!
//! At most 10,000 tasks are looked through, for at most 2 s, and the person is told when there may be more.
//! What may stop never closes unasked.

use serde::Serialize;
use signalbox_api::{
    Desk, DeskExt as _, Ending, Overview, OwnerKind, SecretPlace, TaskRow, WhyEnds, command, look,
    stops::live_tasks,
};
use signalbox_model::CallId;
use tokio::time::{self, Instant};

/// So many of what ends are named: more than anybody reads before a window closes.
const NAMED: usize = 50;

/// What stops: `CloseRequest` in the UI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Stops {
    /// Tasks that nobody would follow.
    live: u32,
    /// Who follows them now: this window, a command for as long as it runs, or `serve`, which is to end, too.
    follower: OwnerKind,
    /// How many of them end with their follower, also when `serve` goes on.
    ending: u32,
    /// How many of those are calls that wait.
    #[serde(skip)]
    waits: u32,
    /// How many others are the demo's.
    #[serde(skip)]
    demo: u32,
    /// The first of those.
    ends: Vec<Ends>,
    /// Not everything was looked through, as there was too much or the desk was too slow: more may end.
    unsure: bool,
    /// Answers within their undo time: they go back to drafts.
    held: u32,
    /// Servers whose secrets or sign-ins end with their owner: they wait until these are given again.
    forgotten: Vec<String>,
    /// Nothing stops, but what follows the tasks goes on where nobody sees it.
    unseen: bool,
    /// The person is asked about quitting: what would go on without the window is to end, too.
    pub(crate) quits: bool,
}

impl Stops {
    /// The desk said nothing.
    pub(crate) fn unknown(follower: OwnerKind) -> Self {
        Self { unsure: true, ..Self::nothing(follower) }
    }

    /// Nothing stops, but nothing shows what goes on.
    pub(crate) fn unseen(follower: OwnerKind) -> Self {
        Self { unseen: true, ..Self::nothing(follower) }
    }

    /// Who follows the tasks now.
    pub(crate) fn follower(&self) -> OwnerKind {
        self.follower
    }

    /// Whether nothing stops, but what follows the tasks goes on where nobody sees it.
    pub(crate) fn is_unseen(&self) -> bool {
        self.unseen
    }

    /// Whether nothing is known of what stops.
    pub(crate) fn is_unknown(&self) -> bool {
        self.unsure && self.live == 0 && self.held == 0 && self.forgotten.is_empty()
    }

    /// In words, as the command and the tray say it.
    pub(crate) fn lines(&self) -> Vec<String> {
        let goes_on = self.live.saturating_sub(self.ending);
        let stops = signalbox_api::Stops {
            unfollowed: goes_on.saturating_sub(self.demo),
            demo: self.demo.min(goes_on),
            lost: self.ending.saturating_sub(self.waits),
            unknown: self.waits,
            held: self.held,
            forgotten: self.forgotten.clone(),
            unsure: self.unsure,
        };
        stops.lines()
    }

    /// What becomes of answers within their undo time, whoever follows the tasks on; empty where there are none.
    pub(crate) fn held_lines(&self) -> Vec<String> {
        signalbox_api::Stops { held: self.held, ..signalbox_api::Stops::default() }.lines()
    }

    /// So many tasks are not over, and so many of them end: one of those is a call that waits, the others are of programs.
    #[cfg(test)]
    pub(crate) fn for_test(follower: OwnerKind, live: u32, ending: u32, held: u32) -> Self {
        Self { live, ending, waits: ending.min(1), held, ..Self::nothing(follower) }
    }

    fn nothing(follower: OwnerKind) -> Self {
        Self {
            live: 0,
            follower,
            ending: 0,
            waits: 0,
            demo: 0,
            ends: Vec::new(),
            unsure: false,
            held: 0,
            forgotten: Vec::new(),
            unseen: false,
            quits: false,
        }
    }

    /// With what the person is asked about. Where nothing goes on without the window, quitting is closing it.
    pub(crate) fn asked(self, scope: Scope, outlives_window: bool) -> Self {
        let goes_on = outlives_window || self.follower == OwnerKind::Serve;
        Self { quits: scope == Scope::All && goes_on, ..self }
    }
}

/// Whether all of it goes on as it is where another program follows it instead of this window. What is kept for this run
/// only stays with who has it, and an answer that is held for a question of a connection would be a draft again.
pub(crate) fn passes_on_whole(overview: &Overview, stops: Option<&Stops>, secrets: SecretPlace) -> bool {
    overview.owner.kind == OwnerKind::Window
        && secrets != SecretPlace::ThisRun
        && stops.is_none_or(|stops| stops.ending == 0 && stops.held == 0 && !stops.unsure)
}

/// Work that ends with its follower.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Ends {
    id: CallId,
    server: String,
    tool: String,
    why: WhyEnds,
}

/// How much is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The window.
    Window,
    /// What follows the tasks in the background, too.
    All,
}

impl Scope {
    /// Who would be the last to end.
    pub(crate) fn follower(self) -> OwnerKind {
        match self {
            Self::Window => OwnerKind::Window,
            Self::All => OwnerKind::Serve,
        }
    }
}

/// What nobody would follow; none when nothing stops. What the desk does not say until `end` may stop: then it is
/// `unsure`. `shown`: whether the desktop shows what goes on in the background.
pub(crate) async fn what_stops(
    desk: &dyn Desk,
    scope: Scope,
    shown: impl Future<Output = bool>,
    end: Instant,
) -> Option<Stops> {
    let Ok(Some(overview)) = time::timeout_at(end, overview(desk)).await else {
        return Some(Stops::unknown(scope.follower()));
    };
    let follower = overview.owner.kind;
    if follower == OwnerKind::Serve && scope == Scope::Window {
        // It follows on, whoever closes. Who runs it without a tray knows that it does.
        let live = overview.tasks.live() > 0;
        let seen = !overview.owner_has_face() || shown.await;
        return (live && !seen).then(|| Stops::unseen(follower));
    }
    // Where one is slow, what the other has found is told all the same.
    let (tasks, forgotten) = tokio::join!(
        time::timeout_at(end, live_tasks(desk, &overview)),
        time::timeout_at(end, forgotten(desk, follower)),
    );
    let (tasks, more) = tasks.unwrap_or((Vec::new(), true));
    let forgotten = forgotten.ok().flatten();
    let unsure = more || forgotten.is_none();
    let forgotten = forgotten.unwrap_or_default();
    let stops = stops(&overview, &tasks, unsure);
    match stops {
        None if forgotten.is_empty() => None,
        stops => Some(Stops { forgotten, ..stops.unwrap_or_else(|| Stops::nothing(follower)) }),
    }
}

/// The servers whose secrets end with the `serve` that has them; none where it did not say. A window's run is its person's own:
/// what was to be kept for that only is not spoken of when it ends.
async fn forgotten(desk: &dyn Desk, follower: OwnerKind) -> Option<Vec<String>> {
    match follower {
        OwnerKind::Serve => desk.act(command::ReadForgotten {}).await.ok().map(|forgotten| forgotten.servers),
        OwnerKind::Window | OwnerKind::Command => Some(Vec::new()),
    }
}

pub(crate) async fn overview(desk: &dyn Desk) -> Option<Overview> {
    desk.see(look::Overview {}).await.ok()?.after(None)
}

fn stops(overview: &Overview, tasks: &[TaskRow], unsure: bool) -> Option<Stops> {
    let (live, held) = (overview.tasks.live(), overview.held);
    if live == 0 && held == 0 && !unsure {
        return None;
    }
    let all = Ending::of(overview);
    let ending = tasks.iter().filter_map(|task| {
        let (server, tool) = (task.server_name.clone(), task.tool.clone());
        all.why(task).map(|why| Ends { id: task.id, server, tool, why })
    });
    let mut ends: Vec<Ends> = ending.collect();
    let count = |why| u32::try_from(ends.iter().filter(|end| end.why == why).count()).unwrap_or(u32::MAX);
    // The look at the tasks is later than that at their number, and may have been at some of them only.
    let (waits, looked) = (count(WhyEnds::Waits), count(WhyEnds::Program));
    let lost = if unsure { looked.max(all.live()) } else { looked };
    let ending = lost.saturating_add(waits).min(live);
    ends.truncate(NAMED);
    Some(Stops {
        live,
        ending,
        waits: waits.min(ending),
        demo: overview.demo_live(),
        ends,
        unsure,
        held,
        ..Stops::nothing(overview.owner.kind)
    })
}

#[cfg(test)]
mod tests {
    use std::{future::ready, sync::Mutex, time::Duration};

    use signalbox_api::{
        Answering, Changes, Command, Counts, Cursor, Home, InboxTab, NewSecret, NewTransport, Opened,
        OverviewChange, Owner, Page, Reply, SecretText, ServerView, Settings, ShortcutState, View, ViewData,
        open,
    };
    use signalbox_demo::{Demo, Speed};
    use signalbox_model::{Action, Json, RequestId};

    use super::*;

    /// Nothing waits for it to pass.
    const LONG: Duration = Duration::from_secs(60);

    fn overview(kind: OwnerKind, tasks: Counts) -> Overview {
        Overview {
            inbox: 0,
            tabs: signalbox_api::TabCounts::default(),
            held: 0,
            tasks,
            servers: Vec::new(),
            settings: Settings::default(),
            notifications_paused_until: None,
            shortcut: ShortcutState::Nobody,
            troubles: Vec::new(),
            owner: Owner { kind, pid: 1, version: String::new(), home: String::new(), logs: None },
        }
    }

    /// A desk that answers with this overview and is too busy for more; without one it answers nothing.
    struct Busy(Option<Overview>);

    impl Desk for Busy {
        fn call(&self, command: Command) -> Answering<'_, Reply> {
            assert!(matches!(command, Command::ReadForgotten(_)), "{command:?}: closing only looks");
            Box::pin(std::future::pending())
        }

        fn changes(&self, view: View, _: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
            let seen = self.0.clone().filter(|_| view == View::Overview);
            Box::pin(async move {
                let Some(overview) = seen else { return std::future::pending().await };
                let data = ViewData::Overview { change: Box::new(OverviewChange::whole(overview)) };
                Ok(Changes { cursor: Cursor { epoch: 1, seq: 1, shape: 0 }, data: Some(data) })
            })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_could_not_be_looked_through_in_time_is_asked_about() {
        let limit = Duration::from_secs(2);
        let busy = overview(OwnerKind::Command, Counts { needs_you: 2, working: 3, ended: 40 });
        let stops = what_stops(&Busy(Some(busy)), Scope::Window, ready(true), Instant::now() + limit)
            .await
            .expect("five tasks stop");
        assert_eq!((stops.live, stops.follower, stops.unsure), (5, OwnerKind::Command, true));
        assert_eq!(stops.ending, 0, "none of them is known to end");

        let still = overview(OwnerKind::Window, Counts { needs_you: 0, working: 0, ended: 40 });
        let still = Overview { held: 700, ..still };
        let stops = what_stops(&Busy(Some(still)), Scope::Window, ready(true), Instant::now() + limit)
            .await
            .expect("answers are held");
        assert_eq!(
            (stops.live, stops.held, stops.unsure),
            (0, 700, false),
            "their number is known, and that is all"
        );

        let stops = what_stops(&Busy(None), Scope::Window, ready(true), Instant::now() + limit)
            .await
            .expect("nobody knows what stops");
        assert!(stops.unsure);

        let busy = Counts { needs_you: 2, working: 3, ended: 40 };
        let serve = Overview { shortcut: ShortcutState::Off, ..overview(OwnerKind::Serve, busy) };
        assert_eq!(
            what_stops(&Busy(Some(serve.clone())), Scope::Window, ready(true), Instant::now() + limit).await,
            None,
            "it goes on, and nothing more is looked at"
        );
        let stops = what_stops(&Busy(Some(serve)), Scope::All, ready(true), Instant::now() + limit).await;
        let stops = stops.expect("five tasks stop when that is to end, too");
        assert_eq!((stops.live, stops.follower), (5, OwnerKind::Serve));
    }

    /// A desk that has more tasks and questions than anybody looks through.
    struct Endless(Mutex<Vec<u32>>);

    impl Desk for Endless {
        fn call(&self, command: Command) -> Answering<'_, Reply> {
            panic!("{command:?}: closing only looks")
        }

        fn changes(&self, view: View, _: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
            let total = 1_000_000;
            let data = match view {
                View::Overview => {
                    let busy = Counts { needs_you: total, working: total, ended: 0 };
                    let overview = overview(OwnerKind::Window, busy);
                    ViewData::Overview { change: Box::new(OverviewChange::whole(overview)) }
                }
                View::Tasks { offset, .. } => {
                    self.0.lock().unwrap().push(offset);
                    ViewData::Tasks { page: Page::of(vec![], vec![], total) }
                }
                other => panic!("{other:?}"),
            };
            let cursor = Cursor { epoch: 1, seq: 1, shape: 0 };
            Box::pin(std::future::ready(Ok(Changes { cursor, data: Some(data) })))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn of_very_many_tasks_the_first_are_looked_through_and_it_is_said() {
        let desk = Endless(Mutex::default());
        let stops = what_stops(&desk, Scope::Window, ready(true), Instant::now() + LONG)
            .await
            .expect("two million tasks stop");
        assert_eq!((stops.live, stops.unsure), (2_000_000, true));
        let looked = desk.0.into_inner().unwrap();
        assert_eq!((looked.len(), looked.iter().max()), (20, Some(&9_500)), "10,000 of them");
    }

    #[test]
    fn what_stops_depends_on_what_is_live() {
        let busy = Counts { needs_you: 2, working: 3, ended: 40 };
        for follower in [OwnerKind::Window, OwnerKind::Command] {
            let stops = stops(&overview(follower, busy), &[], false).expect("five tasks stop");
            assert_eq!((stops.live, stops.follower, stops.ending), (5, follower, 0));
        }
        let over = overview(OwnerKind::Window, Counts { needs_you: 0, working: 0, ended: 40 });
        assert_eq!(stops(&over, &[], false), None);
        let held =
            stops(&Overview { held: 2, ..over }, &[], false).expect("an answer to a question of no task");
        assert_eq!((held.live, held.held), (0, 2));
    }

    #[test]
    fn quitting_is_asked_about_where_something_goes_on_without_the_window() {
        use OwnerKind::{Command, Serve, Window};
        for (scope, outlives_window, follower, quits) in [
            (Scope::All, false, Serve, true),
            (Scope::All, true, Window, true),
            (Scope::All, true, Command, true),
            (Scope::All, false, Window, false),
            (Scope::All, false, Command, false),
            (Scope::Window, true, Window, false),
            (Scope::Window, false, Serve, false),
        ] {
            let asked = Stops::nothing(follower).asked(scope, outlives_window);
            let told = serde_json::to_value(asked).unwrap();
            assert_eq!(told["quits"], quits, "{scope:?}, outlives it: {outlives_window}, {follower:?}");
        }
    }

    #[test]
    fn only_what_loses_nothing_is_passed_on_unasked() {
        let of = |kind| overview(kind, Counts { needs_you: 0, working: 3, ended: 0 });
        let (ours, all) = (of(OwnerKind::Window), |ending, held, unsure| Stops {
            live: 3,
            ending,
            unsure,
            held,
            ..Stops::nothing(OwnerKind::Window)
        });
        assert!(passes_on_whole(&ours, None, SecretPlace::Keychain), "nothing stops");
        assert!(passes_on_whole(&ours, Some(&all(0, 0, false)), SecretPlace::File), "all goes on");
        assert!(!passes_on_whole(&ours, Some(&all(0, 1, false)), SecretPlace::File), "an answer may go back");
        assert!(
            !passes_on_whole(&ours, Some(&all(1, 0, false)), SecretPlace::Keychain),
            "a task would be lost"
        );
        assert!(!passes_on_whole(&ours, Some(&all(0, 0, true)), SecretPlace::Keychain), "one may be");
        assert!(!passes_on_whole(&ours, None, SecretPlace::ThisRun), "secrets would be");
        assert!(!passes_on_whole(&of(OwnerKind::Command), None, SecretPlace::Keychain), "it is not ours");
    }

    /// A window with a task at a server over HTTP, one at a program, and a call that waits on its connection.
    async fn stage(kind: OwnerKind) -> (tempfile::TempDir, signalbox_demo::HttpServer, Opened) {
        let dir = tempfile::tempdir().unwrap();
        let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
        let server = demo.serve_http(([127, 0, 0, 1], 0).into()).await.unwrap();
        let opened = open(&Home::at(&dir.path().join("home")).unwrap(), kind).await.unwrap();
        let transport = NewTransport::Http { url: server.url(), headers: vec![] };
        let add = command::AddServer { name: "ci".into(), transport, untrusted: false };
        opened.desk().act(add).await.unwrap();
        (dir, server, opened)
    }

    async fn question(opened: &Opened) -> RequestId {
        let arguments = Json::parse(r#"{"service":"a","version":"1","region":"eu-west"}"#).unwrap();
        let start = command::Start { server: "ci".into(), tool: "deploy".into(), arguments, ttl_ms: None };
        opened.desk().act(start).await.unwrap();
        let view = View::Inbox {
            tab: InboxTab::NeedsYou,
            filter: String::new(),
            within: String::new(),
            offset: 0,
            limit: 1,
        };
        let (mut after, wait) = (None, Duration::from_secs(20));
        loop {
            let changes = opened.desk().changes(view.clone(), after, wait).await.unwrap();
            after = Some(changes.cursor);
            if let Some(ViewData::Inbox { page }) = changes.data
                && let Some(id) = page.ids.first()
            {
                return *id;
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_held_answer_is_told_and_a_task_over_http_does_not_end() {
        let (_dir, _server, opened) = stage(OwnerKind::Window).await;
        let request = question(&opened).await;
        let answer = command::Answer {
            request,
            action: Action::Decline,
            content: None,
            hold_ms: 60_000,
            seen: None,
            remark: None,
            asks: None,
        };
        opened.desk().act(answer).await.unwrap();
        let stops = what_stops(opened.desk().as_ref(), Scope::Window, ready(true), Instant::now() + LONG)
            .await
            .expect("a task is under way");
        assert_eq!((stops.live, stops.ending, stops.held), (1, 0, 1));
        opened.close().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_programs_are_at_work_on_is_counted_although_it_was_not_looked_through() {
        let (_dir, _server, opened) = stage(OwnerKind::Window).await;
        let transport = NewTransport::Stdio { command: "true".into(), args: vec![], env: vec![], cwd: None };
        let add = command::AddServer { name: "lab".into(), transport, untrusted: true };
        opened.desk().act(add).await.unwrap();
        let mut seen = super::overview(opened.desk().as_ref()).await.expect("it answers");
        opened.close().await;
        let counts = Counts { needs_you: 1, working: 2, ended: 7 };
        seen.tasks = Counts { working: 4, ..counts };
        for server in &mut seen.servers {
            server.tasks =
                if server.name == "lab" { counts } else { Counts { working: 2, ..Counts::default() } };
            server.trusted = true;
        }
        let unsure = stops(&seen, &[], true).expect("five tasks stop");
        assert_eq!((unsure.live, unsure.ending, unsure.ends), (5, 3, vec![]), "those of the program end");
        let sure = stops(&seen, &[], false).expect("five tasks stop");
        assert_eq!(sure.ending, 0, "what was looked through is newer than the counts");
        let none_of: [fn(&mut ServerView); 3] =
            [|lab| lab.enabled = false, |lab| lab.trusted = false, |lab| lab.demo = true];
        for change in none_of {
            let mut seen = seen.clone();
            seen.servers.iter_mut().filter(|server| server.name == "lab").for_each(change);
            let stops = stops(&seen, &[], true).expect("five tasks stop");
            assert_eq!(stops.ending, 0, "it does not run, or goes on: {:?}", seen.servers);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn serve_goes_on_whoever_closes_and_it_is_said_where_its_tray_has_gone() {
        let what = async |shortcut, shown| {
            let busy = Counts { needs_you: 2, working: 3, ended: 40 };
            let serve = Busy(Some(Overview { shortcut, ..overview(OwnerKind::Serve, busy) }));
            what_stops(&serve, Scope::Window, ready(shown), Instant::now() + LONG).await
        };
        let unseen = Stops::unseen(OwnerKind::Serve);
        for has_face in [ShortcutState::Off, ShortcutState::NoDisplay, ShortcutState::Held] {
            assert_eq!(what(has_face, true).await, None, "the tray shows it: closing costs nothing");
            assert_eq!(what(has_face, false).await.as_ref(), Some(&unseen), "nobody would know of it");
        }
        assert_eq!(what(ShortcutState::NotHere, false).await, None, "the system has no such tray");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_runs_serve_without_a_tray_knows_that_it_goes_on() {
        let (_dir, _server, opened) = stage(OwnerKind::Serve).await;
        question(&opened).await;
        let desk = opened.desk();
        for shown in [true, false] {
            let stops = what_stops(desk.as_ref(), Scope::Window, ready(shown), Instant::now() + LONG).await;
            assert_eq!(stops, None, "they would be asked at each close: {shown}");
        }
        opened.close().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn secrets_of_one_run_are_told_where_that_is_the_run_of_serve() {
        for (kind, told) in [(OwnerKind::Serve, true), (OwnerKind::Window, false)] {
            let (_dir, server, opened) = stage(kind).await;
            let keep =
                command::KeepSecrets { place: SecretPlace::ThisRun, passphrase: None, set_aside: false };
            opened.desk().act(keep).await.unwrap();
            let value = NewSecret::Literal { value: SecretText("v".into()) };
            let transport = NewTransport::Http { url: server.url(), headers: vec![("K".into(), value)] };
            let add = command::AddServer { name: "keyed".into(), transport, untrusted: false };
            opened.desk().act(add).await.unwrap();
            let stops =
                what_stops(opened.desk().as_ref(), Scope::All, ready(true), Instant::now() + LONG).await;
            let names = stops.map(|stops| stops.forgotten).unwrap_or_default();
            let keyed: &[&str] = if told { &["keyed"] } else { &[] };
            assert_eq!(names, keyed, "{kind:?}");
            opened.close().await;
        }
    }
}
