//! What a world is inclined to. Chance alone seldom lets an answer and the end of its task cross, or fetches one answer three
//! times: so worlds have tempers, and each tells stories of one question over and over, beside all else that happens.

use proptest::prelude::*;

use super::{bench::LATEST, legacy_world, world};

/// Longer than it takes until an answer that is acknowledged and still asked for counts as not taken, in ms.
const TOO_LONG: u64 = 36_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Temper {
    /// Nothing in particular goes wrong.
    Even,
    /// What carries answers is slow: the end of the task overtakes it.
    Crossing,
    /// Answers are lost or refused, or never leave.
    Losing,
    /// Servers take no answer: they acknowledge it and ask on; or fetch it, and fetch it again.
    Insisting,
    /// People say no, to models too.
    Declining,
    /// Tasks end, are given up or forgotten, and questions go, however the question stands just then.
    Ending,
}

use Temper::{Crossing, Declining, Ending, Even, Insisting, Losing};

impl Temper {
    const ALL: [Self; 6] = [Even, Crossing, Losing, Insisting, Declining, Ending];

    /// Of the n-th world: each has its turn.
    pub(crate) fn of(n: u64) -> Self {
        let at = usize::try_from(n % Self::ALL.len() as u64).unwrap_or(0);
        Self::ALL[at]
    }

    pub(crate) fn any() -> impl Strategy<Value = Self> {
        prop::sample::select(&Self::ALL)
    }

    /// How often something happens in a world of this temper, and in all others.
    pub(crate) fn when(self, temper: Self, often: u32, seldom: u32) -> u32 {
        if self == temper { often } else { seldom }
    }

    /// What happens, with stories among it.
    pub(crate) fn world<T: std::fmt::Debug + Clone + 'static>(
        self,
        op: impl Strategy<Value = T> + 'static,
        story: impl Strategy<Value = Vec<T>> + 'static,
    ) -> impl Strategy<Value = Vec<T>> {
        let (most, stories) = match self {
            Even => (150, 1),
            Crossing => (65, 5),
            Losing | Insisting | Declining => (65, 4),
            Ending => (65, 8),
        };
        let parts = prop_oneof![10 => op.prop_map(|op| vec![op]), stories => story];
        prop::collection::vec(parts, 1..most).prop_map(|parts| parts.concat())
    }
}

/// What becomes of something that carries an answer.
pub(crate) fn fate(temper: Temper) -> impl Strategy<Value = world::Fate> {
    use world::Fate::*;
    let bad = match temper {
        Even | Declining => 1,
        Losing | Insisting | Ending => 3,
        Crossing => 4,
    };
    prop_oneof![
        4 => Just(Served),
        bad => Just(LostAfter),
        bad => Just(LostBefore),
        bad => Just(Unreachable),
        bad => Just(Refused),
        temper.when(Insisting, 8, 1) => Just(Swallowed),
    ]
}

/// Of one question: it is asked and answered, and then this and that becomes of it and of its call.
pub(crate) fn story(temper: Temper) -> BoxedStrategy<Vec<world::Op>> {
    match temper {
        Ending => prop_oneof![3 => end_of_task(), 2 => end_of_round()].boxed(),
        Even | Crossing | Losing | Insisting | Declining => story_of_task(temper).boxed(),
    }
}

/// An undo window, in ms, in which a whole story has room.
const HELD: u32 = 3_000;
/// In so many ms a poll that was asked for is answered, and no undo window ends.
const AT_ONCE: u64 = 50;

/// A task's question stands like this or that, and then it goes, or its task does.
fn end_of_task() -> impl Strategy<Value = Vec<world::Op>> {
    use world::{Fate, Op};
    let stands = prop_oneof![
        1 => Just(Vec::new()),
        3 => Just(vec![Op::Answer(0, HELD)]),
        1 => Just(vec![Op::Answer(0, 0), Op::Update(0, Fate::Served)]),
        2 => Just(vec![Op::Answer(0, 0), Op::Update(0, Fate::Refused)]),
        3 => Just(vec![Op::Answer(0, 0), Op::Update(0, Fate::LostBefore), Op::Watch(LATEST), Op::Update(0, Fate::Refused)]),
        3 => Just(vec![Op::Answer(0, 0), Op::Update(0, Fate::Swallowed), Op::Watch(TOO_LONG)]),
    ];
    let goes = |key: u8| {
        prop_oneof![
            3 => (0_u8..4).prop_map(|how| Op::End(0, how)),
            2 => Just(Op::Unask(0, key)),
            1 => Just(Op::Refresh(0)),
            1 => Just(Op::Forget(0)),
        ]
    };
    let ends = (stands, 0_u8..3).prop_flat_map(move |(stands, key)| (Just((stands, key)), goes(key)));
    ends.prop_map(|((stands, key), goes)| {
        let asked = vec![Op::Track(0), Op::Ask(0, key), Op::Watch(LATEST)];
        asked.into_iter().chain(stands).chain([goes, Op::Refresh(0), Op::Watch(AT_ONCE)]).collect()
    })
}

/// A call's question stands like this or that, and then the call is given up, or ends.
fn end_of_round() -> impl Strategy<Value = Vec<world::Op>> {
    use world::{Fate, Op};
    let stands = prop_oneof![
        1 => Just(Vec::new()),
        2 => Just(vec![Op::Answer(0, HELD)]),
        2 => Just(vec![Op::Answer(0, 0)]),
        2 => Just(vec![Op::Decline(0, 0)]),
        4 => Just(vec![Op::Answer(0, 0), Op::Call(0, Fate::Barred)]),
        4 => fate(Ending).prop_map(|fate| vec![Op::Answer(0, 0), Op::Call(0, fate)]),
    ];
    let goes = prop_oneof![
        3 => Just(vec![Op::Cancel(0), Op::Cancel(0)]),
        1 => Just(vec![Op::Forget(0)]),
        1 => fate(Ending).prop_map(|fate| vec![Op::Call(0, fate)]),
        1 => any::<bool>().prop_map(|all| vec![Op::Cancel(0), Op::Restart(0, all)]),
    ];
    (1_u8..4, stands, prop::collection::vec(goes, 1..3)).prop_map(|(kinds, stands, goes)| {
        let asked = vec![Op::Rounds(kinds), Op::Start(0), Op::Call(0, Fate::Served)];
        asked.into_iter().chain(stands).chain(goes.concat()).collect()
    })
}

/// A request of the server stands like this or that, and then its task ends or is forgotten.
fn end_on_the_wire() -> impl Strategy<Value = Vec<legacy_world::Op>> {
    use legacy_world::Op;
    let stands = prop_oneof![
        1 => Just(Vec::new()),
        5 => Just(vec![Op::Answer(0, HELD)]),
        2 => fate(Ending).prop_map(|fate| vec![Op::Answer(0, 0), Op::Reply(0, fate)]),
        2 => any::<bool>().prop_map(|late| vec![Op::Withdraw(0, late)]),
        3 => Just(vec![Op::Answer(0, 0), Op::Cut(1), Op::Calm, Op::PutAway(0)]),
        1 => Just(vec![Op::No(0, false, 0)]),
        2 => (0_u8..8).prop_map(|what| vec![Op::Hosted(0, what)]),
    ];
    let goes = (0_usize..3).prop_flat_map(|n| {
        prop_oneof![
            4 => (0_u8..4).prop_map(move |how| vec![Op::End(n, how), Op::Refresh(n), Op::Watch(AT_ONCE)]),
            1 => Just(vec![Op::Cancel(n), Op::Cancel(n)]),
            1 => Just(vec![Op::Drop(n)]),
            1 => any::<bool>().prop_map(|all| vec![Op::Restart(0, all)]),
            1 => (0_u8..5).prop_map(|why| vec![Op::Cut(why)]),
        ]
        .prop_map(move |goes| (n, goes))
    });
    (stands, goes, prop::bool::weighted(0.3)).prop_map(|(stands, (n, goes), hosted)| {
        let mut story = vec![Op::Ask(n, Op::NAMES_ITS_TASK | if hosted { Op::HOSTED } else { 0 })];
        if hosted {
            story.push(Op::Reply(0, world::Fate::Served));
        }
        story.into_iter().chain(stands).chain(goes).collect()
    })
}

fn story_of_task(temper: Temper) -> impl Strategy<Value = Vec<world::Op>> {
    use world::Op;
    // Each crossing needs a task that goes on.
    let begins = if temper == Crossing { vec![Op::Track(0)] } else { Vec::new() };
    let tasks = if temper == Crossing { 0..1_usize } else { 0..3 };
    let then = (tasks, 0_u8..3).prop_flat_map(move |(n, key)| {
        let overtaken = (0_u8..4, fate(temper))
            .prop_map(move |(how, fate)| vec![Op::End(n, how), Op::Watch(LATEST), Op::Update(0, fate)]);
        let next = prop_oneof![
            8 => fate(temper).prop_map(|fate| vec![Op::Update(0, fate)]),
            6 => Just(vec![Op::Watch(LATEST)]),
            temper.when(Insisting, 4, 1) => any::<bool>().prop_map(move |gone| {
                let mut insists = vec![Op::Watch(TOO_LONG)];
                insists.extend([Op::Unask(n, key), Op::Watch(LATEST)].into_iter().filter(|_| gone));
                insists
            }),
            temper.when(Crossing, 1, 5) => Just(vec![Op::Unask(n, key)]),
            1 => Just(vec![Op::Ask(n, key)]),
            temper.when(Crossing, 8, 1) => overtaken,
        ];
        (Just((n, key)), prop::collection::vec(next, 1..8))
    });
    then.prop_map(move |((n, key), then)| {
        let asked = [Op::Ask(n, key), Op::Watch(LATEST), Op::Answer(0, 0)];
        begins.clone().into_iter().chain(asked).chain(then.concat()).collect()
    })
}

/// The same where questions are requests. Of one that wants a task for its answer, the server knows by then which it is,
/// and fetches it more than once.
pub(crate) fn legacy_story(temper: Temper) -> BoxedStrategy<Vec<legacy_world::Op>> {
    match temper {
        Ending => end_on_the_wire().boxed(),
        Even | Crossing | Losing | Insisting | Declining => story_of_request(temper).boxed(),
    }
}

fn story_of_request(temper: Temper) -> impl Strategy<Value = Vec<legacy_world::Op>> {
    use legacy_world::Op;
    let then = (0_usize..3).prop_flat_map(move |n| {
        let next = prop_oneof![
            8 => fate(temper).prop_map(|fate| Op::Reply(0, fate)),
            temper.when(Crossing, 4, 1) => Just(Op::Watch(LATEST)),
            temper.when(Insisting, 4, 1) => Just(Op::Hosted(0, 0)),
            temper.when(Insisting, 4, 1) => Just(Op::GiveUp(0)),
            1 => any::<bool>().prop_map(|late| Op::Withdraw(0, late)),
            1 => (0_u8..5).prop_map(Op::Cut),
            temper.when(Crossing, 4, 1) => prop_oneof![3 => Just(0_u8), 1 => 0_u8..4]
                .prop_map(move |how| Op::End(n, how)),
        ];
        (Just(n), prop::collection::vec(next, 1..8))
    });
    let kind = prop_oneof![1 => Just(0), temper.when(Declining, 3, 1) => Just(Op::OF_MODEL)];
    let hosted = prop::bool::weighted(if temper == Insisting { 0.8 } else { 0.2 });
    (then, kind, hosted).prop_map(move |((n, then), kind, hosted)| {
        let mut story = vec![Op::Ask(n, kind | Op::NAMES_ITS_TASK | if hosted { Op::HOSTED } else { 0 })];
        if hosted {
            story.extend([Op::Reply(0, world::Fate::Served), Op::Hosted(0, 0), Op::Hosted(0, 0)]);
        }
        story.push(if temper == Declining { Op::No(0, false, 0) } else { Op::Answer(0, 0) });
        story.extend(then);
        story
    })
}
