//! `step` is pure: a world that is played twice, with the same seeds, clocks and inputs, has the same outputs. A look at
//! another clock, a random number or the order of a hash map would make them differ.

use std::cell::RefCell;

use super::simulate::world;
use crate::Output;

/// Worlds of each wire.
const WORLDS: u64 = 8;

thread_local! {
    static OUTPUTS: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Notes an output while a world is watched. Its undo is left out: it is a copy of what was, with sets that have no order.
pub(crate) fn note(output: &Output) {
    OUTPUTS.with_borrow_mut(|outputs| {
        if let Some(outputs) = outputs {
            outputs.push(format!("{:?} {:?} {:?}", output.kind, output.writes, output.after_commit));
        }
    });
}

/// All outputs in the world of this seed. What its servers and people do follows from the seed and from the outputs before.
fn outputs_of(seed: u64) -> Vec<String> {
    OUTPUTS.set(Some(Vec::new()));
    let played = world(seed, 0);
    let outputs = OUTPUTS.take().unwrap_or_default();
    assert_eq!(played, Ok(()), "seed {seed}");
    outputs
}

#[test]
fn the_same_inputs_have_the_same_outputs() {
    let mut all = 0;
    for seed in 0..2 * WORLDS {
        let (first, second) = (outputs_of(seed), outputs_of(seed));
        for (n, (one, other)) in first.iter().zip(&second).enumerate() {
            assert_eq!(one, other, "seed {seed}, output {n}");
        }
        assert_eq!(first.len(), second.len(), "seed {seed}");
        all += first.len();
    }
    assert!(all > 1_000, "something happens in these worlds: {all} outputs");
}
