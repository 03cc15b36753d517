//! Tokens of filters: as they are written, and what they mean.

use super::{Clock, Row, SERVERS, Unit, date};

/// A value of a key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    Word(&'static str),
    /// In quotation marks: that is no short id.
    Quoted(&'static str),
    /// The beginning of a value.
    Begins(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Day {
    Today,
    Yesterday,
    /// Counted from 1970.
    On(i64),
}

#[derive(Debug, Clone)]
pub(crate) enum Asks {
    /// One of these.
    Word(&'static str, Vec<Value>),
    Length {
        name: &'static str,
        longer: bool,
        n: i64,
        unit: Unit,
    },
    Day(&'static str, Day),
    Text(&'static str),
}

#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) not: bool,
    pub(crate) asks: Asks,
}

impl Value {
    fn text(self) -> String {
        match self {
            Self::Word(word) => word.to_owned(),
            Self::Quoted(word) => format!("\"{word}\""),
            Self::Begins(word) => format!("{word}*"),
        }
    }

    fn is(self, key: &str, word: &str) -> bool {
        match self {
            Self::Word("failed") if key == "outcome" => ["tool_error", "protocol_error"].contains(&word),
            Self::Word(own) | Self::Quoted(own) => own.to_lowercase() == word,
            Self::Begins(own) => word.starts_with(&own.to_lowercase()),
        }
    }

    fn is_server(self, row: &Row) -> bool {
        match self {
            Self::Word(own) if SERVERS.into_iter().any(|id| own == format!("s{id}")) => {
                row.server.id.to_string() == own
            }
            _ => self.is("server", &row.server.name.to_lowercase()),
        }
    }
}

impl Token {
    /// As a person writes it.
    pub(crate) fn text(&self) -> String {
        let asks = match &self.asks {
            Asks::Word(key, values) => {
                let values: Vec<_> = values.iter().map(|value| value.text()).collect();
                format!("{key}:{}", values.join(","))
            }
            Asks::Length { name, longer, n, unit } => {
                format!("{name}{}{n}{}", if *longer { '>' } else { '<' }, unit.letter)
            }
            Asks::Day(moment, Day::Today) => format!("{moment}:today"),
            Asks::Day(moment, Day::Yesterday) => format!("{moment}:yesterday"),
            Asks::Day(moment, Day::On(day)) => format!("{moment}:{}", date(*day)),
            Asks::Text(text) => format!("\"{text}\""),
        };
        format!("{}{asks}", if self.not { "-" } else { "" })
    }

    /// Tokens of which any is enough have the same one.
    pub(crate) fn kind(&self) -> Option<(bool, &'static str)> {
        match self.asks {
            _ if self.not => None,
            Asks::Word(key, _) => Some((false, key)),
            Asks::Day(moment, _) => Some((true, moment)),
            Asks::Length { .. } | Asks::Text(_) => None,
        }
    }

    pub(crate) fn holds(&self, row: &Row, clock: &Clock) -> bool {
        let asked = match &self.asks {
            Asks::Word("server", values) => values.iter().any(|value| value.is_server(row)),
            Asks::Word("tool", values) => {
                values.iter().any(|value| value.is("tool", &row.tool.to_lowercase()))
            }
            Asks::Word("tag", values) => {
                row.tags.iter().any(|tag| values.iter().any(|value| value.is("tag", tag)))
            }
            Asks::Word(key, values) => {
                row.words.get(key).is_some_and(|(_, word)| values.iter().any(|value| value.is(key, word)))
            }
            Asks::Length { name, longer, n, unit } => {
                let at = |moment| row.moments.get(moment).copied();
                let ms = match *name {
                    "age" => at("started").map(|at| clock.now - at),
                    "silent" => at("changed").map(|at| clock.now - at),
                    "ended" => at("ended").map(|at| clock.now - at),
                    _ => at("expires").map(|at| at - clock.now),
                };
                ms.is_some_and(|ms| (ms > n * unit.ms) == *longer)
            }
            Asks::Day(moment, day) => {
                let day = match day {
                    Day::Today => clock.day(clock.now),
                    Day::Yesterday => clock.day(clock.now) - 1,
                    Day::On(day) => *day,
                };
                row.moments.get(moment).is_some_and(|at| clock.day(*at) == day)
            }
            Asks::Text(text) => {
                row.found.contains(text)
                    || row.id == *text
                    || row.texts.iter().any(|said| said.contains(text))
            }
        };
        asked != self.not
    }
}
