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
}

use Temper::{Crossing, Declining, Even, Insisting, Losing};

impl Temper {
    const ALL: [Self; 5] = [Even, Crossing, Losing, Insisting, Declining];

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
        Losing | Insisting => 3,
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

/// Of one question of a task: it is asked and answered, and then this and that becomes of both.
pub(crate) fn story(temper: Temper) -> impl Strategy<Value = Vec<world::Op>> {
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
pub(crate) fn legacy_story(temper: Temper) -> impl Strategy<Value = Vec<legacy_world::Op>> {
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
