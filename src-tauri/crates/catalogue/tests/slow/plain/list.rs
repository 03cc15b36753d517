//! A list as somebody asks for it, read out of all rows.

use std::cmp::Ordering;

use super::{Clock, Row, token::Token};

/// What somebody asks for.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) tokens: Vec<Token>,
    /// A filter beside the other.
    pub(crate) within: Vec<Token>,
    /// By what, and whether the last one comes first.
    pub(crate) sort: Vec<(&'static str, bool)>,
    pub(crate) group: &'static str,
}

fn written(tokens: &[Token]) -> String {
    tokens.iter().map(Token::text).collect::<Vec<_>>().join(" ")
}

fn shown(tokens: &[Token], row: &Row, clock: &Clock) -> bool {
    tokens.iter().all(|token| match token.kind() {
        None => token.holds(row, clock),
        kind => tokens.iter().filter(|other| other.kind() == kind).any(|other| other.holds(row, clock)),
    })
}

/// What rows are compared by; none where a row has no such thing.
fn key(name: &str, row: &Row, clock: &Clock) -> Option<(i64, String)> {
    let number = |number: i64| Some((number, String::new()));
    match name {
        "server" => Some((0, format!("{}\0{:08}", row.server.name.to_lowercase(), row.server.id.0))),
        "tool" => Some((0, format!("{}\0{}", row.tool.to_lowercase(), row.tool))),
        "id" => number(row.number.into()),
        "day" => number(-clock.day(row.moments["started"])),
        "started" | "changed" | "ended" | "expires" => number(*row.moments.get(name)?),
        _ => number(i64::try_from(row.words.get(name)?.0).ok()?),
    }
}

impl Asked {
    /// The filter as a person writes it.
    pub(crate) fn filter(&self) -> String {
        written(&self.tokens)
    }

    /// The filter beside it.
    pub(crate) fn within(&self) -> String {
        written(&self.within)
    }

    /// The order, as a query has it.
    pub(crate) fn order(&self) -> String {
        let sort = self.sort.iter().map(|(name, down)| format!("{}{name}", if *down { "-" } else { "" }));
        sort.collect::<Vec<_>>().join(",")
    }

    /// Those of these rows that are shown, in order.
    pub(crate) fn list<'a>(&self, rows: &'a [Row], clock: &Clock) -> Vec<&'a Row> {
        let is_shown = |row: &&Row| shown(&self.tokens, row, clock) && shown(&self.within, row, clock);
        let mut list: Vec<&Row> = rows.iter().filter(is_shown).collect();
        let last = self.sort.last().is_some_and(|(_, descending)| *descending);
        let compare = |(name, descending): (&str, bool), one: &Row, another: &Row| {
            match (key(name, one, clock), key(name, another, clock)) {
                (Some(one), Some(another)) if descending => another.cmp(&one),
                (Some(one), Some(another)) => one.cmp(&another),
                // What has none stands last either way.
                (one, another) => another.is_some().cmp(&one.is_some()),
            }
        };
        list.sort_by(|one, another| {
            let group = (self.group != "none").then_some((self.group, false));
            let keys = group.into_iter().chain(self.sort.iter().copied()).chain([("id", last)]);
            keys.map(|by| compare(by, one, another)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        list
    }

    /// The heads of such a list: the first row under each, and how many there are.
    pub(crate) fn heads<'a>(&self, list: &[&'a Row], clock: &Clock) -> Vec<(&'a Row, usize)> {
        let under = |row: &Row| if self.group == "none" { None } else { key(self.group, row, clock) };
        let alike = list.chunk_by(|one, another| under(one) == under(another));
        alike.map(|rows| (rows[0], rows.len())).collect()
    }
}
