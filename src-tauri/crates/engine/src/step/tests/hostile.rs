//! Any order of wishes, replies, losses, outages, full disks, clocks that are set, sleeps and restarts: the audit holds after every step, no
//! question is lost, no answer is taken twice, and once the world is kind again everything comes to its end.

use proptest::prelude::*;

use super::world::{Fate, Op, World};

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

fn op() -> impl Strategy<Value = Op> {
    let n = || 0_usize..8;
    prop_oneof![
        4 => Just(Op::Start),
        1 => Just(Op::Track),
        1 => Just(Op::Crowd),
        30 => (0_usize..12, fate(), any::<bool>()).prop_map(|(n, fate, stale)| Op::Land(n, fate, stale)),
        10 => (1_u64..4_000).prop_map(Op::Pass),
        2 => (4_000_u64..100_000).prop_map(Op::Pass),
        1 => (-600_i32..600).prop_map(Op::Clock),
        1 => (0_u32..600, any::<bool>()).prop_map(|(minutes, counts)| Op::Sleep(minutes, counts)),
        2 => (n(), 0_u32..200_000).prop_map(|(n, ms)| Op::Ttl(n, ms)),
        8 => (n(), prop_oneof![Just(0_u32), Just(3_000)]).prop_map(|(n, hold)| Op::Answer(n, hold)),
        1 => (n(), prop_oneof![Just(0_u32), Just(3_000)]).prop_map(|(n, hold)| Op::Decline(n, hold)),
        4 => (0_u8..8).prop_map(Op::Rounds),
        1 => n().prop_map(Op::Undo),
        1 => Just(Op::TakeBackHeld),
        1 => n().prop_map(Op::Draft),
        2 => n().prop_map(Op::Cancel),
        1 => n().prop_map(Op::Forget),
        2 => n().prop_map(Op::Refresh),
        3 => (n(), any::<bool>()).prop_map(|(n, once_out)| Op::Await(n, once_out)),
        2 => Just(Op::Check),
        1 => any::<bool>().prop_map(Op::Enable),
        6 => (n(), 0_u8..3).prop_map(|(n, key)| Op::Ask(n, key)),
        2 => (n(), 0_u8..3).prop_map(|(n, key)| Op::Unask(n, key)),
        2 => (n(), 0_u8..4).prop_map(|(n, how)| Op::End(n, how)),
        1 => (n(), 0_u8..4).prop_map(|(n, what)| Op::Stray(n, what)),
        3 => (0_u8..8).prop_map(Op::Acknowledge),
        8 => (n(), 0_u8..12).prop_map(|(n, what)| Op::Push(n, what)),
        1 => any::<bool>().prop_map(Op::Full),
        1 => (0_u64..10_000, any::<bool>()).prop_map(|(ms, all)| Op::Restart(ms, all)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_happens(ops in prop::collection::vec(op(), 1..150)) {
        let world = ops.into_iter().fold(World::new(), World::play);
        world.come_to_an_end();
    }
}
