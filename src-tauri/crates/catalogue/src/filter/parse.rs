//! From text to tokens.

use std::ops::Range;

use super::{
    FilterError,
    token::{Asks, Day, Text, Token, Value},
};
use crate::{Key, Moment, NarrowRow, World, fold::fold, length};

/// The longest filter, in bytes.
const LONGEST: usize = 1_024;
/// The most tokens.
const MOST: usize = 32;

/// The lengths of time that a filter knows; and from which moment, or to which.
const LENGTHS: [(&str, Moment); 4] = [
    ("age", Moment::Started),
    ("silent", Moment::Changed),
    ("ended", Moment::Ended),
    ("left", Moment::Expires),
];
/// The moments whose day a filter knows.
pub(crate) const DAYS: [(&str, Moment); 2] = [("started", Moment::Started), ("ended", Moment::Ended)];

pub(super) fn tokens<L: NarrowRow>(text: &str, world: &World) -> Result<Vec<Token>, FilterError> {
    let too_long = |most, what| Err(FilterError::TooLong { most, what });
    if text.len() > LONGEST {
        return too_long(LONGEST, "bytes");
    }
    let words = words(text);
    if words.len() > MOST {
        return too_long(MOST, "tokens");
    }
    words.into_iter().filter_map(|span| token::<L>(&text[span], world).transpose()).collect()
}

/// Where the words of a filter stand: blanks part them, but for those in quotation marks. A mark that is not closed yet holds
/// to the end.
pub(crate) fn words(text: &str) -> Vec<Range<usize>> {
    let (mut words, mut start, mut quoted) = (Vec::new(), None, false);
    for (at, c) in text.char_indices() {
        match c {
            c if c.is_whitespace() && !quoted => words.extend(start.take().map(|start| start..at)),
            c => {
                quoted ^= c == '"';
                start.get_or_insert(at);
            }
        }
    }
    words.extend(start.map(|start| start..text.len()));
    words
}

/// None where nothing is asked.
fn token<L: NarrowRow>(whole: &str, world: &World) -> Result<Option<Token>, FilterError> {
    // A dash alone is somebody about to exclude something.
    let (not, word) = whole.strip_prefix('-').map_or((false, whole), |word| (true, word));
    let asks =
        asks::<L>(word, world)?.filter(|asks| !matches!(asks, Asks::Text(text) if text.folded.is_empty()));
    Ok(asks.map(|asks| Token { not, asks }))
}

fn asks<L: NarrowRow>(word: &str, world: &World) -> Result<Option<Asks>, FilterError> {
    if let Some((name, sign, value)) = split(word) {
        let (name, folded) = (&*fold(name), &*fold(value));
        let found = match sign {
            ':' => key::<L>(name, value).or_else(|| day(name, folded, world)).or_else(|| no_sign(name)),
            _ => length::<L>(name, sign == '>', folded),
        };
        if let Some(asks) = found {
            let none = value.replace(['"', ','], "").trim().is_empty();
            return match asks {
                Err(error @ (FilterError::NotOfTheseRows { .. } | FilterError::NoSign(_))) => Err(error),
                _ if none => Err(FilterError::NoValue(format!("{name}{sign}"))),
                asks => asks.map(Some),
            };
        }
    }
    let folded = fold(&word.replace('"', ""));
    Ok(Some(Asks::Text(Box::new(Text::new::<L>(folded)))))
}

fn split(word: &str) -> Option<(&str, char, &str)> {
    let at = word.find([':', '<', '>', '"'])?;
    let sign = word[at..].chars().next().filter(|sign| *sign != '"')?;
    Some((&word[..at], sign, &word[at + 1..]))
}

/// None where there is no such key.
fn key<L: NarrowRow>(name: &str, value: &str) -> Option<Result<Asks, FilterError>> {
    let key = Key::of_name(name)?;
    let known = L::words(key);
    if !key.is_of::<L>() {
        return Some(Err(not_of_these_rows::<L>(key.name())));
    }
    let mut all = Vec::new();
    for value in values(value) {
        let Some(words) = known.filter(|words| !words.iter().any(|word| value.is(word))) else {
            all.push(value);
            continue;
        };
        let Some((_, _, meant)) = L::ALIASES.iter().find(|(of, word, _)| *of == key && value.is(word)) else {
            let words = words.iter().chain(aliases::<L>(key)).copied().collect();
            return Some(Err(FilterError::UnknownWord { key: key.name(), value: value.word, words }));
        };
        all.extend(meant.iter().map(|word| Value::of(word)));
    }
    Some(Ok(Asks::Word(key, all)))
}

/// The names of the lengths of time that such rows have.
pub(crate) fn lengths<L: NarrowRow>() -> impl Iterator<Item = &'static str> {
    LENGTHS.into_iter().filter(|(_, moment)| moment.is_of::<L>()).map(|(name, _)| name)
}

pub(crate) fn aliases<L: NarrowRow>(key: Key) -> impl Iterator<Item = &'static &'static str> {
    L::ALIASES.iter().filter(move |(of, _, _)| *of == key).map(|(_, alias, _)| alias)
}

fn not_of_these_rows<L: NarrowRow>(name: &'static str) -> FilterError {
    let mut names: Vec<_> = Key::all_of::<L>().map(Key::name).chain(lengths::<L>()).collect();
    for (day, _) in DAYS {
        if !names.contains(&day) {
            names.push(day);
        }
    }
    FilterError::NotOfTheseRows { name, names }
}

/// Commas part values, but for those in quotation marks.
fn values(text: &str) -> impl Iterator<Item = Value> {
    let mut quoted = false;
    let parts = text.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    parts.filter(|part| !part.replace('"', "").is_empty()).map(|part| {
        let (folded, quoted) = (fold(&part.replace('"', "")), part.contains('"'));
        match folded.strip_suffix('*') {
            Some(word) => Value { word: word.to_owned(), begins: true, server: None },
            None => {
                let server = if quoted { None } else { folded.parse().ok() };
                Value { word: folded, begins: false, server }
            }
        }
    })
}

fn day(name: &str, value: &str, world: &World) -> Option<Result<Asks, FilterError>> {
    let (_, moment) = DAYS.into_iter().find(|(known, _)| *known == name)?;
    let day = match value {
        "today" => Ok(Day::Today),
        "yesterday" => Ok(Day::Yesterday),
        date => date
            .parse()
            .map(|date| Day::On(world.day(date)))
            .map_err(|_| FilterError::BadDay(date.to_owned())),
    };
    Some(day.map(|day| Asks::Day { moment, day }))
}

/// A length behind a colon says not whether it is to be longer.
fn no_sign(name: &str) -> Option<Result<Asks, FilterError>> {
    Some(Err(FilterError::NoSign(length_of(name)?.0)))
}

/// A length of time by its name, or by that of its moment, as it stands in orders.
fn length_of(name: &str) -> Option<(&'static str, Moment)> {
    let moment = Moment::of_name(name);
    LENGTHS.into_iter().find(|(known, of)| *known == name || Some(*of) == moment)
}

fn length<L: NarrowRow>(name: &str, longer: bool, value: &str) -> Option<Result<Asks, FilterError>> {
    let (name, moment) = length_of(name)?;
    if !moment.is_of::<L>() {
        return Some(Err(not_of_these_rows::<L>(name)));
    }
    let ms = length::read(value).ok_or_else(|| FilterError::BadLength(value.to_owned()));
    Some(ms.map(|ms| Asks::Length { moment, longer, ms }))
}
