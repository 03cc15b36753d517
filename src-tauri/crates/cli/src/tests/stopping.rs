//! What stops with the owner, in numbers and in words.

use signalbox_api::{
    Counts, Overview, Owner, OwnerKind, Page, ServerView, Settings, ShortcutState, Stops, TabCounts,
    TaskGroup, TaskRow, stops,
};
use signalbox_model::{CallId, ServerId, Status};

use super::desk::{http, stdio, task};

/// An HTTP server and a program, each with a task that works and one that needs its person.
fn overview(program: ServerView) -> Overview {
    let tasks = Counts { needs_you: 1, working: 1, ended: 5 };
    let servers = vec![ServerView { tasks, ..http() }, ServerView { tasks, id: ServerId(2), ..program }];
    Overview {
        inbox: 2,
        tabs: TabCounts::default(),
        held: 0,
        tasks: Counts { needs_you: 2, working: 2, ended: 10 },
        servers,
        settings: Settings::default(),
        notifications_paused_until: None,
        shortcut: ShortcutState::Nobody,
        troubles: Vec::new(),
        owner: Owner {
            kind: OwnerKind::Serve,
            pid: 1,
            version: String::new(),
            home: String::new(),
            logs: None,
        },
    }
}

fn working(server: u32, has_task: bool, status: Status) -> TaskRow {
    TaskRow { server: ServerId(server), has_task, status, ..task(1).row }
}

#[test]
fn programs_end_and_servers_go_on() {
    let tasks = [working(1, true, Status::Working), working(2, true, Status::Working)];
    let of = |program| Stops::of(&overview(program), &tasks);
    assert_eq!(of(stdio()), Stops { unfollowed: 2, lost: 2, ..Stops::default() });
    let none_ends = Stops { unfollowed: 4, ..Stops::default() };
    let demo = of(ServerView { demo: true, ..stdio() });
    assert_eq!(demo, Stops { unfollowed: 2, demo: 2, ..Stops::default() }, "it stops, and keeps its work");
    assert!(!demo.loses() && demo.lines()[0].contains("of the demo stop, and go on"), "{:?}", demo.lines());
    for goes_on in
        [ServerView { enabled: false, ..stdio() }, ServerView { trusted: false, ..stdio() }, http()]
    {
        assert_eq!(of(goes_on.clone()), none_ends, "it does not run, or keeps its work: {goes_on:?}");
    }
}

#[test]
fn a_call_that_waits_is_unknown_afterwards() {
    let waits = [working(1, false, Status::Working), working(2, false, Status::Working)];
    let all = Stops { unfollowed: 1, lost: 2, unknown: 1, ..Stops::default() };
    assert_eq!(Stops::of(&overview(stdio()), &waits), all, "that of a program is lost, which is worse");
    let asks = [working(1, false, Status::InputRequired)];
    assert_eq!(Stops::of(&overview(stdio()), &asks).unknown, 0, "a round of questions is kept");
}

#[test]
fn a_page_is_all_only_where_something_stands_behind_it_that_is_over() {
    let live = |id| TaskRow { id: CallId(id), ..working(1, true, Status::Working) };
    let over = TaskRow { group: TaskGroup::Ended, ..live(9) };
    let page = |rows: &[TaskRow], total| {
        let ids = rows.iter().map(|row| row.id).collect();
        stops::live_of(Page::of(ids, rows.to_vec(), total), 500)
    };
    assert_eq!(page(&[live(2), live(1), over.clone()], 700), (vec![live(2), live(1)], false));
    assert_eq!(page(&[live(2), live(1)], 502), (vec![live(2), live(1)], false), "the list ends there");
    let more = page(&[live(2), live(1)], 503);
    assert_eq!(more, (vec![live(2), live(1)], true), "a call that came since may have pushed one out");
    assert_eq!(page(&[over], 700), (vec![], false));
}

#[test]
fn an_answer_that_can_be_taken_back_is_told() {
    let held = Overview { held: 700, ..overview(http()) };
    assert_eq!(Stops::of(&held, &[]).held, 700, "however many there are, and whatever else is asked");
}

#[test]
fn words_say_the_worst_first() {
    let words = Stops { unfollowed: 1, lost: 1, unknown: 1, held: 1, ..Stops::default() }.lines();
    assert!(
        words[0].contains("is lost")
            && words[1].contains("waits")
            && words[2].contains("a draft")
            && words[3].contains("goes on"),
        "{words:?}"
    );
    let words = Stops { unfollowed: 3, lost: 2, unknown: 2, held: 2, ..Stops::default() }.lines();
    assert!(
        words[0].contains("2 tasks")
            && words[1].contains("2 calls")
            && words[2].contains("2 answers")
            && words[3].contains("3 tasks"),
        "{words:?}"
    );
    assert_eq!(Stops::default().lines(), Vec::<String>::new());
    let held = Stops { held: 1, ..Stops::default() };
    assert!(!held.is_nothing() && !held.loses(), "it is said, and nothing is gone");
    let unsure = Stops { unfollowed: 9, unsure: true, ..Stops::default() };
    assert!(unsure.loses() && unsure.takes_two(), "nobody knows what else is lost");
    assert!(
        unsure.lines().last().is_some_and(|line| line.contains("more may be lost")),
        "{:?}",
        unsure.lines()
    );
    assert!(Stops::default().is_nothing() && !Stops { unfollowed: 9, ..Stops::default() }.loses());
}

#[test]
fn servers_whose_secrets_are_forgotten_are_named() {
    let of = |n: usize| Stops { forgotten: (0..n).map(|n| format!("s{n}")).collect(), ..Stops::default() };
    assert!(of(2).loses() && !of(2).is_nothing(), "nobody else has them");
    assert!(of(2).lines()[0].ends_with(": s0, s1"), "{:?}", of(2).lines());
    assert!(of(10).lines()[0].ends_with("s7 and 2 more"), "{:?}", of(10).lines());
}
