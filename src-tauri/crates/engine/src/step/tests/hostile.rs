//! Any order of wishes, replies, losses, outages, full disks, clocks that are set, sleeps and restarts: the audit holds after every step, no
//! question is lost, no answer is taken twice, and once the world is kind again everything comes to its end.

use proptest::prelude::*;
use signalbox_model::Snooze;

use super::{
    bench::START,
    legacy_world,
    temper::{Temper, legacy_story, story},
    world::{Fate, Op, World},
};

fn fate() -> impl Strategy<Value = Fate> {
    use Fate::*;
    prop_oneof![
        12 => Just(Served),
        2 => Just(LostAfter),
        2 => Just(LostBefore),
        2 => Just(Unreachable),
        1 => Just(Refused),
        1 => Just(NotFound),
        1 => Just(Throttled),
        1 => Just(Quiet),
        1 => Just(Garbled),
        1 => Just(TooLarge),
        1 => Just(SignIn),
        1 => Just(NotMcp),
        1 => Just(Barred),
        1 => Just(Closed),
        1 => Just(Swallowed),
        1 => Just(Odd),
    ]
}

/// Until when a question is put off; none brings it back.
fn snooze() -> impl Strategy<Value = Option<Snooze>> {
    prop_oneof![
        3 => (0_i64..3_600_000).prop_map(|ms| Some(Snooze::At { at: START.plus_ms(ms) })),
        2 => Just(Some(Snooze::Change)),
        2 => Just(Some(Snooze::BeforeExpiry)),
        1 => Just(None),
    ]
}

fn op(temper: Temper) -> impl Strategy<Value = Op> {
    let n = || 0_usize..8;
    // Most at one, so that its permits run out.
    let at = || prop_oneof![4 => Just(0_u32), 1 => 1_u32..World::SERVERS];
    prop_oneof![
        4 => at().prop_map(Op::Start),
        1 => at().prop_map(Op::Track),
        // In a crowd no story is heard.
        1 => at().prop_map(move |at| if temper == Temper::Even { Op::Crowd(at) } else { Op::Track(at) }),
        30 => (0_usize..12, fate(), any::<bool>()).prop_map(|(n, fate, stale)| Op::Land(n, fate, stale)),
        6 => Just(Op::Calm),
        10 => (1_u64..4_000).prop_map(Op::Pass),
        2 => (4_000_u64..100_000).prop_map(Op::Pass),
        1 => (-600_i32..600).prop_map(Op::Clock),
        1 => (0_u32..600, any::<bool>()).prop_map(|(minutes, counts)| Op::Sleep(minutes, counts)),
        2 => (n(), 0_u32..200_000).prop_map(|(n, ms)| Op::Ttl(n, ms)),
        12 => (n(), prop_oneof![Just(0_u32), Just(3_000)]).prop_map(|(n, hold)| Op::Answer(n, hold)),
        temper.when(Temper::Declining, 6, 1) => (n(), prop_oneof![Just(0_u32), Just(3_000)]).prop_map(|(n, hold)| Op::Decline(n, hold)),
        4 => (0_u8..8).prop_map(Op::Rounds),
        1 => n().prop_map(Op::Undo),
        1 => Just(Op::TakeBackHeld),
        1 => n().prop_map(Op::Draft),
        2 => (n(), snooze()).prop_map(|(n, until)| Op::Snooze(n, until)),
        2 => n().prop_map(Op::Cancel),
        1 => n().prop_map(Op::Forget),
        2 => n().prop_map(Op::Refresh),
        3 => (n(), any::<bool>()).prop_map(|(n, once_out)| Op::Await(n, once_out)),
        2 => at().prop_map(Op::Check),
        1 => (at(), any::<bool>()).prop_map(|(at, enabled)| Op::Enable(at, enabled)),
        10 => (n(), 0_u8..3).prop_map(|(n, key)| Op::Ask(n, key)),
        2 => (n(), 0_u8..3).prop_map(|(n, key)| Op::Unask(n, key)),
        2 => (n(), 0_u8..4).prop_map(|(n, how)| Op::End(n, how)),
        1 => (n(), 0_u8..4).prop_map(|(n, what)| Op::Stray(n, what)),
        3 => (0_u8..8).prop_map(Op::Acknowledge),
        8 => (n(), 0_u8..12).prop_map(|(n, what)| Op::Push(n, what)),
        1 => any::<bool>().prop_map(Op::Full),
        1 => (0_u64..10_000, any::<bool>()).prop_map(|(ms, all)| Op::Restart(ms, all)),
    ]
}

fn legacy_op(temper: Temper) -> impl Strategy<Value = legacy_world::Op> {
    use legacy_world::Op;
    let n = || 0_usize..6;
    let hold = || prop_oneof![Just(0_u32), Just(3_000)];
    let people = prop_oneof![
        12 => (n(), hold()).prop_map(|(n, hold)| Op::Answer(n, hold)),
        temper.when(Temper::Declining, 14, 2) => (n(), any::<bool>(), hold()).prop_map(|(n, dismissed, hold)| Op::No(n, dismissed, hold)),
        3 => n().prop_map(Op::Undo),
        1 => Just(Op::TakeBackHeld),
        1 => n().prop_map(Op::Draft),
        2 => (n(), snooze()).prop_map(|(n, until)| Op::Snooze(n, until)),
        1 => n().prop_map(Op::PutAway),
        2 => n().prop_map(Op::Cancel),
        1 => n().prop_map(Op::Drop),
        1 => n().prop_map(Op::Refresh),
        2 => n().prop_map(Op::Await),
        2 => Just(Op::Check),
        1 => any::<bool>().prop_map(Op::Enable),
    ];
    let peer = prop_oneof![
        14 => (n(), 0_u16..1_024).prop_map(|(n, kind)| Op::Ask(n, kind)),
        5 => (n(), any::<bool>(), any::<bool>()).prop_map(|(n, same, held)| Op::Again(n, same, held)),
        3 => (n(), any::<bool>()).prop_map(|(n, late)| Op::Withdraw(n, late)),
        8 => (n(), 0_u8..8).prop_map(|(n, what)| Op::Hosted(n, what)),
        1 => n().prop_map(Op::GiveUp),
        3 => (n(), 0_u8..10).prop_map(|(n, what)| Op::Tell(n, what)),
        5 => (n(), any::<bool>(), 0_u8..4).prop_map(|(n, needs, message)| Op::Need(n, needs, message)),
        2 => (n(), 0_u8..4).prop_map(|(n, how)| Op::End(n, how)),
        1 => (n(), 0_u32..200_000).prop_map(|(n, ms)| Op::Ttl(n, ms)),
        2 => (0_u8..5).prop_map(Op::Cut),
        1 => any::<bool>().prop_map(Op::Forget),
        2 => Just(Op::Told),
        1 => (0_u8..4).prop_map(Op::Late),
    ];
    prop_oneof![
        4 => (0..legacy_world::World::SERVERS).prop_map(Op::Turn),
        4 => Just(Op::Start),
        1 => Just(Op::Plain),
        2 => Just(Op::Track),
        22 => (0_usize..12, fate()).prop_map(|(n, fate)| Op::Land(n, fate)),
        4 => Just(Op::Calm),
        14 => (0_usize..6, fate()).prop_map(|(n, fate)| Op::Reply(n, fate)),
        10 => (1_u64..4_000).prop_map(Op::Pass),
        2 => (4_000_u64..100_000).prop_map(Op::Pass),
        1 => (-600_i32..600).prop_map(Op::Clock),
        1 => (0_u32..600, any::<bool>()).prop_map(|(minutes, counts)| Op::Sleep(minutes, counts)),
        1 => any::<bool>().prop_map(Op::Full),
        2 => (0_u64..10_000, any::<bool>()).prop_map(|(ms, all)| Op::Restart(ms, all)),
        24 => people,
        40 => peer,
    ]
}

/// What happens in a world of the modern wire.
pub(crate) fn modern(temper: Temper) -> impl Strategy<Value = Vec<Op>> {
    temper.world(op(temper), story(temper))
}

/// What happens in a world of the legacy wire: whether all shares one channel, and whether we start anew before the end.
pub(crate) fn legacy(temper: Temper) -> impl Strategy<Value = (bool, bool, Vec<legacy_world::Op>)> {
    (prop::bool::weighted(0.25), any::<bool>(), temper.world(legacy_op(temper), legacy_story(temper)))
}

pub(crate) fn play_modern(ops: Vec<Op>) {
    let world = ops.into_iter().fold(World::new(), World::play);
    world.come_to_an_end();
}

pub(crate) fn play_legacy((shared, restarts, ops): (bool, bool, Vec<legacy_world::Op>)) {
    let world = ops.into_iter().fold(legacy_world::World::new(shared), legacy_world::World::play);
    world.come_to_an_end(restarts);
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_happens(ops in Temper::any().prop_flat_map(modern)) {
        play_modern(ops);
    }

    #[test]
    fn whatever_happens_on_the_legacy_wire(ops in Temper::any().prop_flat_map(legacy)) {
        play_legacy(ops);
    }
}
