//! What the tray says and offers: from how things stand to words. Pure.
//!
//! Texts of servers stand behind the person's own name for the server. They are one line, cut short, and nothing in them acts.

use signalbox_api::{LedPlace, Stops, words::counted, words::span};
use signalbox_model::{CallId, ItemRef, RequestId, Timestamp, sanitise};

/// So many questions are named.
pub(crate) const NAMED: usize = 3;
/// So many tasks under way are named.
pub(crate) const NAMED_TASKS: usize = 5;
/// The longest text of a server in a label, in characters.
const LONGEST: usize = 60;
/// The longest line of ours with names in it.
const LONGEST_LINE: usize = 200;
/// The longest name, of a server or a tool.
const LONGEST_NAME: usize = 24;

/// How things stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// How many questions need their person.
    pub(crate) needs_you: u32,
    /// The first of them, at most [`NAMED`].
    pub(crate) questions: Vec<Question>,
    /// How many tasks are under way.
    pub(crate) working: u32,
    /// The first of them, at most [`NAMED_TASKS`].
    pub(crate) tasks: Vec<Task>,
    /// Until when no notification is shown.
    pub(crate) paused_until: Option<Timestamp>,
    /// What stops with us.
    pub(crate) stops: Stops,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) id: RequestId,
    pub(crate) server: String,
    pub(crate) tool: String,
    pub(crate) message: String,
    pub(crate) expires_at: Option<Timestamp>,
}

/// A task under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Task {
    pub(crate) id: CallId,
    pub(crate) server: String,
    pub(crate) tool: String,
}

/// What a press asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Press {
    /// The window, as it was.
    Show,
    /// The window, at a question.
    Ask(RequestId),
    /// The window, at a task.
    Task(CallId),
    /// The window, at a place.
    Go(LedPlace),
    /// No notifications for an hour.
    PauseHour,
    /// No notifications until tomorrow morning.
    PauseTomorrow,
    /// Notifications again.
    GoOn,
    /// The end.
    Quit {
        /// Whether it was said that something is lost.
        knowing: bool,
    },
}

impl Press {
    /// Its name, by which a menu knows it that keeps texts alone.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Show => "show".to_owned(),
            Self::Ask(request) => request.to_string(),
            Self::Task(task) => task.to_string(),
            Self::Go(place) => place.name().to_owned(),
            Self::PauseHour => "pause-hour".to_owned(),
            Self::PauseTomorrow => "pause-tomorrow".to_owned(),
            Self::GoOn => "go-on".to_owned(),
            Self::Quit { knowing: false } => "quit".to_owned(),
            Self::Quit { knowing: true } => "quit-knowing".to_owned(),
        }
    }

    /// The press of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let item = || match name.parse().ok()? {
            ItemRef::Request(request) => Some(Self::Ask(request)),
            ItemRef::Call(task) => Some(Self::Task(task)),
        };
        let fixed = [
            Self::Show,
            Self::PauseHour,
            Self::PauseTomorrow,
            Self::GoOn,
            Self::Quit { knowing: false },
            Self::Quit { knowing: true },
        ];
        let fixed = || fixed.into_iter().find(|press| press.name() == name);
        LedPlace::named(name).map(Self::Go).or_else(fixed).or_else(item)
    }
}

/// A line of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MenuEntry {
    /// Can be pressed.
    Item(String, Press),
    /// Only says something.
    Words(String),
    /// Opens more lines.
    More(String, Vec<Self>),
    /// A line between groups.
    Line,
}

/// The menu, as it stands then.
pub(crate) fn menu(state: &State, now: Timestamp) -> Vec<MenuEntry> {
    let mut menu = Vec::new();
    if state.needs_you == 0 {
        menu.push(MenuEntry::Words("Nothing needs you".to_owned()));
    }
    let named = state.questions.iter();
    menu.extend(named.map(|question| MenuEntry::Item(asked(question, now), Press::Ask(question.id))));
    let others = u64::from(state.needs_you).saturating_sub(state.questions.len() as u64);
    if others > 0 {
        let more = if state.questions.is_empty() { "" } else { "more " };
        let label = format!(
            "{} {}",
            others,
            if others == 1 { format!("{more}question") } else { format!("{more}questions") }
        );
        menu.push(MenuEntry::Item(label, Press::Go(LedPlace::Inbox)));
    }
    menu.push(MenuEntry::Line);
    menu.push(working(state));
    menu.push(pause(state.paused_until, now));
    menu.push(MenuEntry::Line);
    menu.push(show());
    menu.push(quit(&state.stops));
    menu
}

/// The menu while nobody knows how things stand.
pub(crate) fn unknown() -> Vec<MenuEntry> {
    vec![show(), quit(&Stops::default())]
}

fn show() -> MenuEntry {
    MenuEntry::Item("Show Signalbox".to_owned(), Press::Show)
}

/// Who asks, for how long still, and what.
fn asked(question: &Question, now: Timestamp) -> String {
    let Question { server, tool, message, expires_at, .. } = question;
    let mut label = label(server, LONGEST_NAME);
    for part in
        [expires_at.map(|at| left(at, now)), Some(self::label(tool, LONGEST_NAME))].into_iter().flatten()
    {
        if !part.is_empty() {
            label.push_str(" · ");
            label.push_str(&part);
        }
    }
    let message = self::label(message, LONGEST);
    if !message.is_empty() {
        label.push_str(": ");
        label.push_str(&message);
    }
    label
}

/// What runs. The last line leads to all of it.
fn working(state: &State) -> MenuEntry {
    if state.working == 0 {
        let others = if state.needs_you == 0 { "" } else { "other " };
        return MenuEntry::Words(format!("No {others}task is under way"));
    }
    let label = format!("{} under way", counted(state.working.into(), "task", "tasks"));
    let all = Press::Go(LedPlace::Tasks);
    if state.tasks.is_empty() {
        return MenuEntry::Item(label, all);
    }
    let mut tasks: Vec<_> =
        state.tasks.iter().map(|task| MenuEntry::Item(called(task), Press::Task(task.id))).collect();
    let others = u64::from(state.working).saturating_sub(state.tasks.len() as u64);
    let last = if others == 0 { "All tasks".to_owned() } else { format!("{others} more") };
    tasks.extend([MenuEntry::Line, MenuEntry::Item(last, all)]);
    MenuEntry::More(label, tasks)
}

/// Who does what. One that was adopted has no tool.
fn called(Task { id, server, tool }: &Task) -> String {
    let tool = if tool.is_empty() { id.to_string() } else { label(tool, LONGEST_NAME) };
    format!("{} · {tool}", label(server, LONGEST_NAME))
}

fn pause(until: Option<Timestamp>, now: Timestamp) -> MenuEntry {
    let mut more = vec![
        MenuEntry::Item("For 1 hour".to_owned(), Press::PauseHour),
        MenuEntry::Item("Until tomorrow, 9:00".to_owned(), Press::PauseTomorrow),
    ];
    match until.filter(|until| *until > now) {
        None => MenuEntry::More("Pause notifications".to_owned(), more),
        Some(until) => {
            more.insert(0, MenuEntry::Item("Resume now".to_owned(), Press::GoOn));
            MenuEntry::More(format!("Notifications are paused: {}", left(until, now)), more)
        }
    }
}

/// Where something is lost, or there is more than one thing to say, the end takes a second press, beside what it costs.
fn quit(stops: &Stops) -> MenuEntry {
    // Names of servers stand among them.
    let words: Vec<String> = stops.lines().iter().map(|line| label(line, LONGEST_LINE)).collect();
    if stops.takes_two() {
        let mut more: Vec<MenuEntry> = words.into_iter().map(MenuEntry::Words).collect();
        more.push(MenuEntry::Item("Quit anyway".to_owned(), Press::Quit { knowing: true }));
        return MenuEntry::More("Quit…".to_owned(), more);
    }
    let label = words.first().map_or_else(|| "Quit".to_owned(), |line| format!("Quit: {line}"));
    MenuEntry::Item(label, Press::Quit { knowing: false })
}

/// What the icon says in words.
pub(crate) fn title(state: &State) -> String {
    match state.needs_you {
        0 => "Signalbox".to_owned(),
        1 => "Signalbox: 1 question needs you".to_owned(),
        n => format!("Signalbox: {n} questions need you"),
    }
}

/// What it says beside that.
pub(crate) fn more(state: &State) -> String {
    match state.working {
        0 => String::new(),
        n => format!("{} under way", counted(n.into(), "task", "tasks")),
    }
}

/// How long still, never rounded up. Below a minute nothing ticks.
fn left(at: Timestamp, now: Timestamp) -> String {
    match u64::try_from(at.ms_since(now)) {
        Ok(ms @ 60_000..) => format!("{} left", span(ms)),
        Ok(1..) => "less than a minute left".to_owned(),
        _ => "time is up".to_owned(),
    }
}

/// In how many ms something of it reads otherwise although nothing has happened; none while no time is shown.
pub(crate) fn ticks_in(state: &State, now: Timestamp) -> Option<u64> {
    let questions = state.questions.iter().filter_map(|question| question.expires_at);
    let ticks = questions.chain(state.paused_until).filter_map(|at| match u64::try_from(at.ms_since(now)) {
        Ok(ms @ 60_000..) => Some(ms % 60_000 + 1),
        Ok(ms @ 1..) => Some(ms),
        _ => None,
    });
    ticks.min()
}

/// A text for a label: one line in which nothing acts, cut short.
fn label(text: &str, longest: usize) -> String {
    let line = sanitise::line(text);
    let mut words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = words.char_indices().nth(longest) {
        let end = words[..at].char_indices().next_back().map_or(0, |(last, _)| last);
        words.truncate(end);
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000_000_000);

    fn question(id: u32, message: &str, left_ms: Option<i64>) -> Question {
        Question {
            id: RequestId(id),
            server: "ci".into(),
            tool: "deploy".into(),
            message: message.into(),
            expires_at: left_ms.map(|ms| NOW.plus_ms(ms)),
        }
    }

    /// The labels, indented by their depth; what only says something stands in brackets.
    fn labels(entries: &[MenuEntry]) -> Vec<String> {
        let mut all = Vec::new();
        for entry in entries {
            match entry {
                MenuEntry::Item(label, _) => all.push(label.clone()),
                MenuEntry::Words(label) => all.push(format!("({label})")),
                MenuEntry::Line => all.push("-".to_owned()),
                MenuEntry::More(label, more) => {
                    all.push(format!("{label} >"));
                    all.extend(labels(more).into_iter().map(|label| format!("  {label}")));
                }
            }
        }
        all
    }

    #[test]
    fn nothing_to_do_is_said() {
        let expected = [
            "(Nothing needs you)",
            "-",
            "(No task is under way)",
            "Pause notifications >",
            "  For 1 hour",
            "  Until tomorrow, 9:00",
            "-",
            "Show Signalbox",
            "Quit",
        ];
        assert_eq!(labels(&menu(&State::default(), NOW)), expected);
        let asked = labels(&menu(&State { needs_you: 1, ..State::default() }, NOW));
        assert!(asked.contains(&"(No other task is under way)".to_owned()), "one of them waits: {asked:?}");
        assert_eq!((title(&State::default()), more(&State::default())), ("Signalbox".into(), String::new()));
    }

    #[test]
    fn the_next_questions_stand_first_with_what_is_left() {
        let state = State {
            needs_you: 5,
            questions: vec![
                question(1, "Roll out?", Some(12 * 60_000 + 59_999)),
                question(2, "", Some(59_999)),
                question(3, "Which region?", None),
            ],
            working: 1,
            tasks: Vec::new(),
            paused_until: Some(NOW.plus_ms(3_600_000)),
            stops: Stops { unfollowed: 2, ..Stops::default() },
        };
        let menu = menu(&state, NOW);
        let expected = [
            "ci · 12 min left · deploy: Roll out?",
            "ci · less than a minute left · deploy",
            "ci · deploy: Which region?",
            "2 more questions",
            "-",
            "1 task under way",
            "Notifications are paused: 1 h left >",
            "  Resume now",
            "  For 1 hour",
            "  Until tomorrow, 9:00",
            "-",
            "Show Signalbox",
            "Quit: 2 tasks go on at their servers, where nobody follows them",
        ];
        assert_eq!(labels(&menu), expected);
        assert!(
            matches!(menu[2], MenuEntry::Item(_, Press::Ask(RequestId(3)))),
            "a question shows itself: {:?}",
            menu[2]
        );
        let leads = [3, 5].map(|line| match &menu[line] {
            MenuEntry::Item(_, press) => *press,
            other => panic!("{other:?}"),
        });
        assert_eq!(
            leads,
            [Press::Go(LedPlace::Inbox), Press::Go(LedPlace::Tasks)],
            "a number leads to its list"
        );
        assert_eq!(title(&state), "Signalbox: 5 questions need you");
        assert_eq!(more(&state), "1 task under way");
    }

    #[test]
    fn the_first_tasks_under_way_are_named_and_lead_there() {
        let task =
            |id, server: &str, tool: &str| Task { id: CallId(id), server: server.into(), tool: tool.into() };
        let hostile = "t\u{202e}\n_".repeat(1_000);
        let tasks = vec![task(4, "ci", "deploy"), task(7, "lab", ""), task(9, "ci", &hostile)];
        for (count, last) in [(3, "All tasks"), (12, "9 more")] {
            let state = State { working: count, tasks: tasks.clone(), ..State::default() };
            let MenuEntry::More(label, more) = working(&state) else { panic!("they are named") };
            assert_eq!(label, format!("{count} tasks under way"));
            let [first, adopted, long, MenuEntry::Line, all] = more.as_slice() else { panic!("{more:?}") };
            assert_eq!(*first, MenuEntry::Item("ci · deploy".into(), Press::Task(CallId(4))));
            assert_eq!(*adopted, MenuEntry::Item("lab · t7".into(), Press::Task(CallId(7))));
            assert!(
                matches!(long, MenuEntry::Item(label, _) if !label.contains(['\n', '\u{202e}'])
                    && label.chars().count() <= 2 * LONGEST_NAME + 3),
                "a server's text is cut short, and nothing in it acts: {long:?}"
            );
            assert_eq!(*all, MenuEntry::Item(last.into(), Press::Go(LedPlace::Tasks)));
        }
        let unread = working(&State { working: 3, ..State::default() });
        assert_eq!(unread, MenuEntry::Item("3 tasks under way".into(), Press::Go(LedPlace::Tasks)));
    }

    #[test]
    fn a_press_is_known_by_its_name() {
        let all = [
            Press::Show,
            Press::Ask(RequestId(7)),
            Press::Task(CallId(12)),
            Press::Go(LedPlace::Inbox),
            Press::Go(LedPlace::Tasks),
            Press::PauseHour,
            Press::PauseTomorrow,
            Press::GoOn,
            Press::Quit { knowing: false },
            Press::Quit { knowing: true },
        ];
        assert_eq!(all.map(|press| Press::named(&press.name())), all.map(Some));
        assert_eq!(["", "quit now", "s1", "r"].map(Press::named), [None; 4]);
    }

    #[test]
    fn an_end_that_costs_much_takes_a_second_press() {
        let table = [
            (Stops { lost: 1, ..Stops::default() }, "1 task is lost"),
            (Stops { unknown: 2, ..Stops::default() }, "2 calls wait"),
            (Stops { lost: 3, unknown: 1, unfollowed: 9, held: 1, ..Stops::default() }, "3 tasks are lost"),
            (
                Stops { forgotten: vec!["my_ci".into()], ..Stops::default() },
                "secrets and sign-ins kept for this run only have to be given again: my_ci",
            ),
            (Stops { held: 1, unfollowed: 1, ..Stops::default() }, "1 answer has not gone out"),
        ];
        for (stops, said) in table {
            let MenuEntry::More(_, more) = quit(&stops) else { panic!("{stops:?} must not end at once") };
            assert!(matches!(&more[0], MenuEntry::Words(words) if words.starts_with(said)), "{more:?}");
            let [words @ .., last] = more.as_slice() else { panic!("{more:?}") };
            assert!(words.iter().all(|entry| matches!(entry, MenuEntry::Words(_))), "{words:?}");
            assert_eq!(*last, MenuEntry::Item("Quit anyway".into(), Press::Quit { knowing: true }));
        }
    }

    #[test]
    fn no_text_of_a_server_acts_or_grows() {
        let table = [
            ("two\nlines\tand  blanks", "two lines and blanks"),
            ("snake_case_", "snake_case_"),
            ("pay \u{202e}001", r"pay \u{202e}001"),
            ("\u{1b}[31mred", r"\u{1b}[31mred"),
            ("", ""),
            (" \n ", ""),
        ];
        for (text, shown) in table {
            assert_eq!(label(text, LONGEST), shown, "{text:?}");
        }
        for fill in ["é", "_", "\u{202e}", "w w "] {
            let long = label(&fill.repeat(10_000), LONGEST);
            assert_eq!(long.chars().count(), LONGEST, "{long}");
            assert!(long.ends_with('…'), "{long}");
        }
        let huge = Question {
            server: "s".repeat(5_000),
            tool: "t".repeat(5_000),
            ..question(1, &"m".repeat(5_000), None)
        };
        assert!(asked(&huge, NOW).chars().count() < 120, "a label fits on a screen");
    }

    #[test]
    fn it_reads_otherwise_once_a_minute_while_a_time_is_shown() {
        let of = |left: &[Option<i64>]| State {
            questions: left.iter().map(|ms| question(1, "", *ms)).collect(),
            ..State::default()
        };
        let table: [(&[Option<i64>], Option<u64>); 6] = [
            (&[], None),
            (&[None], None),
            (&[Some(90_000)], Some(30_001)),
            (&[Some(59_000)], Some(59_000)),
            (&[Some(0)], None),
            (&[Some(-5), Some(7_200_000), Some(61_000)], Some(1)),
        ];
        for (left, ticks) in table {
            assert_eq!(ticks_in(&of(left), NOW), ticks, "{left:?}");
        }
        let paused = State { paused_until: Some(NOW.plus_ms(100_000)), ..State::default() };
        assert_eq!(ticks_in(&paused, NOW), Some(40_001));
        let before = self::left(NOW.plus_ms(90_000), NOW);
        let after = self::left(NOW.plus_ms(90_000), NOW.plus_ms(30_001));
        assert_ne!(before, after, "that is when it reads otherwise");
    }
}
