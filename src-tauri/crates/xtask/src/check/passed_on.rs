//! What the crossing of the rooms passes on: a room must not get from `step/mod.rs` what another room owns.

use super::paths::{Path, paths, statements};

/// A name that the crossing passes on, and the room that owns it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PassedOn {
    pub(super) room: String,
    pub(super) name: String,
}

/// What a `mod.rs` re-exports of its modules, outside of tests.
pub(super) fn passed_on(crossing: &str) -> Vec<PassedOn> {
    let uses = statements(crossing, "use").into_iter().filter(|statement| !statement.of_tests);
    let named = uses.flat_map(|statement| paths(statement.text)).filter_map(|path| {
        let own: Vec<&str> = path.segments.iter().map(String::as_str).collect();
        let inner = match own.as_slice() {
            ["crate", "step", inner @ ..] | ["self", inner @ ..] | inner => inner,
        };
        let [room, .., _] = inner else { return None };
        Some(PassedOn { room: (*room).to_owned(), name: path.name })
    });
    named.collect()
}

/// The lines of a file that name, by way of the crossing, what one of the `others` owns. The file lies `depth` modules below
/// the crossing.
pub(super) fn of_text<'a>(
    text: &str,
    depth: usize,
    passed: &'a [PassedOn],
    others: &'a [&str],
) -> Vec<(usize, &'a PassedOn)> {
    let by_the_crossing = |path: Path| {
        let name = match path.segments.as_slice() {
            [first, second, name, ..] if first == "crate" && second == "step" => name,
            all => {
                let up = all.iter().take_while(|segment| *segment == "super").count();
                all.get(up).filter(|_| up >= depth)?
            }
        };
        let theirs = |passed: &&PassedOn| others.contains(&passed.room.as_str());
        let found = passed.iter().filter(theirs).find(|passed| passed.name == *name || name == "*")?;
        Some((path.line, found))
    };
    paths(text).into_iter().filter_map(by_the_crossing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CROSSING: &str = "
mod call;
pub(crate) use self::call::slot;
pub(crate) use self::{
    call::{Calls, poll::{SLOT as GRID, MS}},
    question::Question,
    turn::Turn,
};
#[cfg(test)]
pub(crate) use self::{
    call::Doubt,
};
use crate::schedule::Due;
fn take(call: &Call) { call::taken(); }
";

    fn found(text: &str, depth: usize, others: &[&str]) -> Vec<(usize, String)> {
        let passed = passed_on(CROSSING);
        let found = of_text(text, depth, &passed, others).into_iter();
        found.map(|(line, passed)| (line, format!("{} of {}", passed.name, passed.room))).collect()
    }

    #[test]
    fn what_the_crossing_passes_on_is_known_with_its_room() {
        let named = |passed: &PassedOn| (passed.room.clone(), passed.name.clone());
        let of_call: Vec<_> = passed_on(CROSSING)
            .iter()
            .map(named)
            .filter(|(room, _)| room == "call")
            .map(|(_, name)| name)
            .collect();
        assert_eq!(of_call, ["slot", "Calls", "GRID", "MS"], "what only tests get does not count");
    }

    #[test]
    fn a_room_gets_nothing_of_another_by_the_crossing() {
        let slot = |line| vec![(line, "slot of call".to_owned())];
        let server = ["call", "question"];
        assert_eq!(found("use super::super::slot;", 2, &server), slot(1));
        assert_eq!(found("use super::slot;", 1, &server), slot(1), "the mod.rs of a room lies higher");
        assert_eq!(found("use super::{\n    super::{Turn,\n slot},\n Station};", 2, &server), slot(3));
        assert_eq!(found("use crate::{\n    State,\n    step::{Turn, slot},\n};", 2, &server), slot(3));
        assert_eq!(found("\nlet at = super::super::slot(7);", 2, &server), slot(2), "with no use either");
        assert_eq!(found("let at = crate::step::slot(7);", 2, &server), slot(1));
        assert_eq!(found("use super::super::*;", 2, &server).len(), 1, "all of it is that, too");
    }

    #[test]
    fn what_is_its_own_or_below_it_is_none_of_that() {
        assert_eq!(found("use super::super::slot;", 2, &["server"]), [], "a room may know what it owns");
        assert_eq!(
            found("use super::super::{Turn, Question};", 2, &["server"]),
            [],
            "and what lies below it"
        );
        assert_eq!(found("use super::slot;", 2, &["call"]), [], "another module of the same room has one");
        assert_eq!(found("use crate::schedule::slot;", 2, &["call"]), [], "and so may the crate");
        assert_eq!(
            found("// super::super::slot\nlet slot = 7;", 2, &["call"]),
            [],
            "what is told is not used"
        );
    }
}
