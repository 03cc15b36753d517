//! What was forgotten stays so.

use std::collections::BTreeSet;

use super::{Law, Verdict};
use crate::evidence::{Evidence, What};

pub(super) fn check(evidence: &Evidence, verdict: &mut Verdict) {
    for wish in &evidence.wishes {
        let What::Forget { call: id } = &wish.what else { continue };
        if !wish.said.promised() {
            continue;
        }
        let back = evidence.kept.iter().skip(wish.life).find_map(|kept| kept.call(*id));
        verdict
            .hold(Law::WishesKept, back.is_none(), || format!("t{id} was forgotten, and is there: {back:?}"));
        let before = evidence.kept.iter().take(wish.life).filter_map(|kept| kept.call(*id)?.task.as_deref());
        let tasks: BTreeSet<&str> = before.collect();
        let late = evidence
            .sent
            .iter()
            .find(|sent| sent.life > wish.life && sent.tasks().any(|task| tasks.contains(task)));
        verdict.hold(Law::EndedForGood, late.is_none(), || {
            format!("t{id} was forgotten in life {}, and asked about again: {late:?}", wish.life)
        });
    }
}
