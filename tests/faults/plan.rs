//! What a round will do, and when: a pure function of its seed.

use signalbox_tests::Dice;

/// How long the trouble lasts (ms) before everything is mended.
const TROUBLE_MS: u64 = 1_300;

/// A round, as decided beforehand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Two servers over HTTP, each behind a proxy, in this order; a third is a program (stdio), where there is one.
    pub(crate) http: [Http; 2],
    pub(crate) program: Option<Wire>,
    /// What happens, by time (ms from the beginning).
    pub(crate) acts: Vec<(u64, Act)>,
}

/// A server over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Http {
    /// How many requests of a hundred meet a fault on the way.
    pub(crate) rough: u64,
    /// Whether it answers with event streams.
    pub(crate) sse: bool,
    /// Whether no answer to a question comes through until all is calm.
    pub(crate) stuck: bool,
    pub(crate) wire: Wire,
    /// Whether it pushes (modern).
    pub(crate) pushes: bool,
    /// Words for its manners (legacy).
    pub(crate) manners: &'static str,
}

/// What a server speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Wire {
    #[default]
    Modern,
    Legacy,
}

/// How a disk is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disk {
    /// No file may grow by more than so many bytes: a write is cut short, then refused (EFBIG).
    Limit(u64),
    /// No file may grow at all, for want of room (ENOSPC).
    NoSpace,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    Person(Wanted),
    /// `kill -9` of the owner, and a new one.
    Kill,
    /// The owner is ended with care, and a new one started.
    Terminate,
    /// `kill -9` of the owner, and so long (ms) after that of whoever takes over: the next one, wherever it is in its start, or
    /// a command.
    KillTwice(u64),
    /// `kill -9` of all commands that people have under way.
    KillGuests,
    /// The owner is stopped for so long (ms), as by a laptop's lid.
    Freeze(u64),
    /// The owner's disk is full, until [`Act::Room`].
    Full(Disk),
    Room,
    /// The owner's wall clock jumps by so much (ms).
    Clock(i64),
    /// A server is away for so long (ms), and refuses connections meanwhile or not.
    Away {
        server: usize,
        ms: u64,
        refuses: bool,
        forgets: bool,
    },
    /// `kill -9` of the server that is a program.
    KillProgram,
}

/// What a person does. The numbers choose among what is there by then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    Start {
        server: usize,
        tool: &'static str,
    },
    Answer {
        nth: usize,
        how: How,
        hold_ms: u32,
    },
    Undo {
        nth: usize,
    },
    Cancel {
        nth: usize,
    },
    Refresh {
        nth: usize,
    },
    /// A task that somebody else made is adopted.
    Track {
        server: usize,
        tool: &'static str,
    },
    Forget {
        nth: usize,
    },
    /// Several people turn to one question at the same moment, each with a command of their own: a guest that takes over
    /// when the owner dies.
    Rivals {
        nth: usize,
        rivals: Vec<Rival>,
    },
}

/// What one of several people does about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rival {
    Answer(How),
    Undo,
    /// They want its call cancelled.
    Cancel,
    /// They want its call forgotten.
    Forget,
}

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Accept,
    Decline,
    Dismiss,
}

const TOOLS: [&str; 16] = [
    "deploy",
    "deploy",
    "deploy",
    "two_questions",
    "two_questions",
    "survey",
    "sign",
    "build",
    "build",
    "lint",
    "crash",
    "forever",
    "slow_plain",
    "short_lived",
    "echo",
    "echo",
];
/// What somebody else starts: it must come to an end by itself or by answers.
const ELSEWHERE: [&str; 3] = ["deploy", "build", "two_questions"];
/// Tools that ask in rounds, without a task.
const ROUNDS: [&str; 3] = ["mrtr_question", "confirm", "connect_account"];
/// Manners on the legacy wire: sessions end with the server or outlive it, and status is told or not.
const MANNERS: [&str; 4] = ["", "notices", "keep-sessions", "keep-sessions,notices"];
const SECOND: i64 = 1_000;
const HOUR: i64 = 3_600 * SECOND;
/// As of a time server, a laptop that slept, a battery that was empty, a person.
const JUMPS: [i64; 6] = [-2 * SECOND, 90 * SECOND, 2 * HOUR, 40 * 24 * HOUR, -90 * SECOND, -2 * HOUR];

impl Wire {
    fn of(dice: &mut Dice) -> Self {
        if dice.percent(40) { Self::Legacy } else { Self::Modern }
    }
}

impl Plan {
    pub(crate) fn of(seed: u64) -> Self {
        let mut dice = Dice::apart(seed, 1);
        let http = [0, 1].map(|_| Http {
            rough: *dice.pick(&[0, 15, 35]),
            sse: dice.percent(30),
            stuck: dice.percent(15),
            wire: Wire::of(&mut dice),
            pushes: dice.percent(50),
            manners: MANNERS[dice.below(MANNERS.len())],
        });
        let wire = Wire::of(&mut dice);
        let program = dice.percent(40).then_some(wire);
        let mut acts = Vec::new();
        let wires: Vec<Wire> = http.iter().map(|http| http.wire).chain(program).collect();
        persons(&mut dice, &wires, &mut acts);
        troubles(&mut dice, program.is_some(), &mut acts);
        rivals(seed, program.is_some(), &mut acts);
        acts.sort_by_key(|(at, _)| *at);
        Self { http, program, acts }
    }
}

fn persons(dice: &mut Dice, wires: &[Wire], acts: &mut Vec<(u64, Act)>) {
    let mut add = |at: u64, wanted: Wanted| acts.push((at, Act::Person(wanted)));
    // The first call comes early: a round without work would show nothing.
    add(0, Wanted::Start { server: 0, tool: "deploy" });
    for _ in 0..dice.between(5, 10) {
        let rounds = dice.percent(25);
        let server = dice.below(wires.len());
        // On the legacy wire a plain call's questions name no call: whose they are is guessed.
        let nameless = wires[server] == Wire::Legacy;
        let tools: &[&str] = if rounds && !nameless { &ROUNDS } else { &TOOLS };
        let wanted = Wanted::Start { server, tool: tools[dice.below(tools.len())] };
        add(dice.between(0, TROUBLE_MS), wanted);
    }
    for _ in 0..dice.between(0, 2) {
        let wanted = Wanted::Track { server: dice.below(2), tool: ELSEWHERE[dice.below(ELSEWHERE.len())] };
        add(dice.between(50, TROUBLE_MS), wanted);
    }
    for _ in 0..dice.between(4, 8) {
        let how = *dice.pick(&[How::Accept, How::Accept, How::Decline, How::Dismiss]);
        let hold_ms = if dice.percent(25) { 120 } else { 0 };
        add(dice.between(250, TROUBLE_MS), Wanted::Answer { nth: dice.below(16), how, hold_ms });
    }
    for _ in 0..dice.between(0, 3) {
        add(dice.between(200, TROUBLE_MS), Wanted::Cancel { nth: dice.below(16) });
    }
    for _ in 0..dice.between(0, 2) {
        add(dice.between(200, TROUBLE_MS), Wanted::Refresh { nth: dice.below(16) });
        add(dice.between(350, TROUBLE_MS), Wanted::Undo { nth: dice.below(4) });
    }
    if dice.percent(40) {
        add(dice.between(200, TROUBLE_MS), Wanted::Forget { nth: dice.below(16) });
    }
}

/// In some rounds several people turn to the same questions, and mostly somebody dies just then.
fn rivals(seed: u64, program: bool, acts: &mut Vec<(u64, Act)>) {
    let (mut dice, mut deaths) = (Dice::apart(seed, 3), Dice::apart(seed, 4));
    if !dice.percent(35) {
        return;
    }
    for _ in 0..dice.between(1, 2) {
        let at = dice.between(300, TROUBLE_MS);
        let rivals = (0..dice.between(2, 3)).map(|_| match dice.below(10) {
            0..=4 => Rival::Answer(How::Accept),
            5 | 6 => Rival::Answer(How::Decline),
            7 => Rival::Undo,
            8 => Rival::Cancel,
            _ => Rival::Forget,
        });
        let rivals = rivals.collect();
        acts.push((at, Act::Person(Wanted::Rivals { nth: dice.below(4), rivals })));
        // A command is at the owner's socket some 30 ms after its start.
        if dice.percent(70) {
            acts.push((at + dice.between(0, 150), Act::Kill));
        }
        if dice.percent(30) {
            acts.push((at + dice.between(0, 300), Act::KillTwice(dice.between(0, 60))));
        }
        if dice.percent(30) {
            acts.push((at + dice.between(0, 300), Act::KillGuests));
        }
        // The question may be the program's: then what they say is on its way to nobody.
        if program && deaths.percent(50) {
            acts.push((at + deaths.between(0, 300), Act::KillProgram));
        }
    }
}

fn troubles(dice: &mut Dice, program: bool, acts: &mut Vec<(u64, Act)>) {
    for _ in 0..dice.between(1, 3) {
        let at = dice.between(100, TROUBLE_MS);
        let act = match dice.below(if program { 9 } else { 8 }) {
            0 | 1 => Act::Kill,
            2 => Act::Terminate,
            3 => Act::Freeze(dice.between(100, 500)),
            4 => {
                acts.push((at + dice.between(100, 400), Act::Room));
                let limits = [Disk::Limit(0), Disk::Limit(4_096), Disk::Limit(40_000)];
                // A program that is started meanwhile inherits the limit, and could not write its journal.
                let limited = !program && dice.percent(60);
                Act::Full(if limited { *dice.pick(&limits) } else { Disk::NoSpace })
            }
            5 => Act::Clock(*dice.pick(&JUMPS)),
            6 | 7 => Act::Away {
                server: dice.below(2),
                ms: dice.between(20, 300),
                refuses: dice.percent(50),
                forgets: dice.percent(35),
            },
            _ => Act::KillProgram,
        };
        acts.push((at, act));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_everything_in_the_order_of_time() {
        for seed in 0..300 {
            let plan = Plan::of(seed);
            assert_eq!(plan, Plan::of(seed), "the same seed");
            assert!(plan.acts.is_sorted_by_key(|(at, _)| *at));
            assert!(
                plan.acts.iter().any(|(_, act)| !matches!(act, Act::Person(_))),
                "some trouble: {plan:?}"
            );
            let servers = 2 + usize::from(plan.program.is_some());
            let exist = plan.acts.iter().all(|(_, act)| match act {
                Act::Person(Wanted::Start { server, .. }) => *server < servers,
                Act::Person(Wanted::Track { server, .. }) | Act::Away { server, .. } => *server < 2,
                Act::KillProgram => plan.program.is_some(),
                _ => true,
            });
            assert!(exist, "only servers that there are: {plan:?}");
        }
        assert_ne!(Plan::of(1).acts, Plan::of(2).acts);
    }

    #[test]
    fn every_trouble_and_wish_comes_up() {
        let mut seen = std::collections::BTreeSet::new();
        let mut wanted = std::collections::BTreeSet::new();
        let word = |words: String| words.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
        for (_, act) in (0..200).flat_map(|seed| Plan::of(seed).acts) {
            if let Act::Person(what) = &act {
                wanted.insert(word(format!("{what:?}")));
            }
            seen.insert(word(format!("{act:?}")));
        }
        let wishes = ["Answer", "Cancel", "Forget", "Refresh", "Rivals", "Start", "Track", "Undo"];
        assert_eq!(wanted.iter().map(String::as_str).collect::<Vec<_>>(), wishes);
        let all = [
            "Away",
            "Clock",
            "Freeze",
            "Full",
            "Kill",
            "KillGuests",
            "KillProgram",
            "KillTwice",
            "Person",
            "Room",
            "Terminate",
        ];
        assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), all);
    }

    #[test]
    fn everybody_may_die_beside_rivals() {
        let mut beside = std::collections::BTreeSet::new();
        for plan in (0..200).map(Plan::of) {
            let is_rivals = |act: &Act| matches!(act, Act::Person(Wanted::Rivals { .. }));
            for (at, _) in plan.acts.iter().filter(|(_, act)| is_rivals(act)) {
                let soon = plan.acts.iter().filter(|(when, _)| (*at..*at + 300).contains(when));
                beside.extend(soon.filter_map(|(_, act)| match act {
                    Act::Kill => Some("owner"),
                    Act::KillTwice(_) => Some("next owner"),
                    Act::KillGuests => Some("guests"),
                    Act::KillProgram => Some("program"),
                    _ => None,
                }));
            }
        }
        assert_eq!(beside.into_iter().collect::<Vec<_>>(), ["guests", "next owner", "owner", "program"]);
    }

    #[test]
    fn every_kind_of_server_comes_up() {
        let mut seen = std::collections::BTreeSet::new();
        for plan in (0..200).map(Plan::of) {
            seen.extend(plan.program.map(|wire| format!("program {wire:?}")));
            seen.extend(plan.http.map(|http| match http.wire {
                Wire::Modern => format!("modern, pushes: {}", http.pushes),
                Wire::Legacy => format!("legacy {}", http.manners),
            }));
        }
        assert_eq!(seen.len(), 2 + 2 + MANNERS.len(), "{seen:?}");
    }
}
