//! What somebody who types a filter may mean, with how many rows each would show.

use std::{cmp::Reverse, collections::BTreeMap};

use signalbox_model::{ServerId, Timestamp};

use crate::{
    Filter, Key, NarrowRow, Rows, ToolNumber, World,
    filter::{Judge, words},
    fold::fold,
};

/// The most that are offered at once.
const MOST: usize = 8;

/// Something that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What would stand there.
    pub text: String,
    /// How many of the rows that the rest of the filter shows it would show.
    pub count: usize,
}

/// What somebody may mean who has typed this, up to `caret`, a place in bytes: what would stand for the word there, the
/// likeliest first. Rows that a filter beside it does not show are not counted, and nothing is offered that would show no row, or stands there already.
#[must_use]
pub fn suggest<L: NarrowRow>(
    rows: &Rows<L>,
    within: &Filter,
    text: &str,
    caret: usize,
    world: &World,
    now: Timestamp,
) -> Vec<Suggestion> {
    let spans = words(text);
    let at = spans.iter().find(|word| (word.start..=word.end).contains(&caret));
    let at = at.cloned().unwrap_or(caret..caret);
    let typed = Typed::read(text.get(at.clone()).unwrap_or_default());
    let rest = [text.get(..at.start), text.get(at.end..)].map(Option::unwrap_or_default).concat();
    // What cannot be read narrows nothing here: it is told where the filter is read.
    let mut rest = Filter::read::<L>(&rest, world).unwrap_or_default();
    if let Some(key) = typed.key.filter(|_| !typed.not) {
        // It joins those of its key: what is counted is what it adds.
        rest.leave_out(key);
    }
    let rest = within.clone().and(rest);
    let now = world.now(now);
    let mut often: Vec<(&str, Filter, usize)> = L::OFTEN
        .iter()
        .filter(|often| typed.may_mean(often))
        .filter_map(|often| Some((*often, Filter::read::<L>(often, world).ok()?, 0)))
        .collect();
    let (mut counts, mut all) = (Counts::of::<L>(), 0);
    let judge = Judge::new(&rest, world, rows.found(), &now);
    for line in rows.iter().filter(|line| judge.of(*line).shown) {
        for (_, filter, count) in &mut often {
            *count += usize::from(Judge::new(filter, world, rows.found(), &now).of(line).shown);
        }
        counts.take(line, world);
        all += 1;
    }
    let often = often.into_iter().map(|(text, _, count)| Suggestion { text: text.to_owned(), count });
    let mut words: Vec<(u8, Suggestion)> = counts
        .words::<L>(world)
        .filter_map(|(key, word, count)| {
            let count = if typed.not { all - count } else { count };
            Some((typed.likeness(key, word)?, Suggestion { text: typed.completed(key, word), count }))
        })
        .collect();
    words.sort_by(|(likeness, one), (other, another)| {
        (likeness, Reverse(one.count), &one.text).cmp(&(other, Reverse(another.count), &another.text))
    });
    // What many look for stands first, always in the same place.
    let words = words
        .into_iter()
        .map(|(_, suggestion)| suggestion)
        .filter(|of| !L::OFTEN.contains(&of.text.as_str()));
    let there: Vec<&str> = spans.iter().filter(|span| **span != at).map(|span| &text[span.clone()]).collect();
    let is_there = |of: &Suggestion| of.text.split(' ').all(|token| there.contains(&token));
    let mut offered: Vec<Suggestion> =
        often.chain(words).filter(|of| of.count > 0 && !is_there(of)).collect();
    offered.truncate(MOST);
    offered
}

/// How many rows have each word. Servers and tools are told apart by number: no name is compared for each row.
struct Counts<'r> {
    servers: BTreeMap<ServerId, usize>,
    tools: BTreeMap<ToolNumber, usize>,
    tags: BTreeMap<&'r str, usize>,
    /// Of each key, how many have each of its words.
    closed: Vec<(Key, Vec<(&'static str, usize)>)>,
}

impl<'r> Counts<'r> {
    fn of<L: NarrowRow>() -> Self {
        let none = |words: &[&'static str]| words.iter().map(|word| (*word, 0)).collect();
        let closed = L::WORDS.iter().map(|(key, words)| (*key, none(words))).collect();
        Self { servers: BTreeMap::new(), tools: BTreeMap::new(), tags: BTreeMap::new(), closed }
    }

    fn take<L: NarrowRow>(&mut self, line: &'r L, world: &World) {
        *self.servers.entry(line.server()).or_default() += 1;
        *self.tools.entry(line.tool()).or_default() += 1;
        for tag in line.tags() {
            *self.tags.entry(tag).or_default() += 1;
        }
        for (key, words) in &mut self.closed {
            let own = line.word(*key, world);
            if let Some((_, count)) = words.iter_mut().find(|(word, _)| Some(*word) == own) {
                *count += 1;
            }
        }
    }

    fn words<'a, L: NarrowRow>(&'a self, world: &'a World) -> impl Iterator<Item = (Key, &'a str, usize)> {
        let servers = self.servers.iter().map(|(server, count)| (world.server_name(*server), *count));
        let tools = self.tools.iter().map(|(tool, count)| (world.tool_name(*tool), *count));
        let servers = by_name(servers).into_iter().map(|(name, count)| (Key::Server, name, count));
        let tools = by_name(tools).into_iter().map(|(name, count)| (Key::Tool, name, count));
        let tags = self.tags.iter().map(|(tag, count)| (Key::Tag, *tag, *count));
        let of_key =
            |(key, words): &'a (Key, Vec<_>)| words.iter().map(|(word, count)| (*key, *word, *count));
        let aliases = L::ALIASES.iter().map(|(key, alias, words)| {
            let counted = |word| self.count_of(*key, word);
            (*key, *alias, words.iter().map(|word| counted(word)).sum())
        });
        servers.chain(tools).chain(tags).chain(aliases).chain(self.closed.iter().flat_map(of_key))
    }

    fn count_of(&self, key: Key, word: &str) -> usize {
        let words = self.closed.iter().filter(|(of, _)| *of == key).flat_map(|(_, words)| words);
        words.filter(|(known, _)| *known == word).map(|(_, count)| count).sum()
    }
}

/// A filter asks for names, whatever their letters' case, and several may have the same one: also a server that was removed.
fn by_name<'a>(all: impl Iterator<Item = (&'a str, usize)>) -> Vec<(&'a str, usize)> {
    let mut by_name = BTreeMap::<String, (&str, usize)>::new();
    for (name, count) in all {
        by_name.entry(fold(name)).or_insert((name, 0)).1 += count;
    }
    by_name.into_values().collect()
}

/// What stands at the caret.
struct Typed<'a> {
    not: bool,
    /// All of it but the dash.
    whole: &'a str,
    /// The key, where one is written out.
    key: Option<Key>,
    /// What stands before the value that is being typed: `server:ci,` of `server:ci,de`.
    before: &'a str,
    /// The value that is being typed, folded.
    value: String,
}

impl<'a> Typed<'a> {
    fn read(word: &'a str) -> Self {
        let (not, whole) = word.strip_prefix('-').map_or((false, word), |whole| (true, whole));
        let key = whole.split_once(':').and_then(|(name, _)| Key::of_name(name));
        let end = if key.is_some() { whole.rfind([':', ',']).map_or(0, |at| at + 1) } else { 0 };
        let (before, value) = whole.split_at(end);
        Self { not, whole, key, before, value: fold(&value.replace('"', "")) }
    }

    /// How near this is to what is typed, the nearest first; none where it is something else.
    fn likeness(&self, key: Key, word: &str) -> Option<u8> {
        if word.is_empty() || self.key.is_some_and(|typed| typed != key) {
            return None;
        }
        let folded = fold(word);
        if folded.starts_with(&self.value) {
            Some(if self.value.is_empty() && self.key.is_none() { 2 } else { 0 })
        } else if self.key.is_none() && key.name().starts_with(&self.value) {
            Some(1)
        } else {
            folded.replace('_', " ").contains(&self.value).then_some(2)
        }
    }

    /// Whether one of the tokens of a filter begins so, its key or its value.
    fn may_mean(&self, often: &str) -> bool {
        let begins = |token: &str| {
            let value = token.split_once([':', '<', '>']).map_or("", |(_, value)| value);
            token.starts_with(self.whole) || value.starts_with(self.whole)
        };
        !self.not && often.split(' ').any(begins)
    }

    fn completed(&self, key: Key, word: &str) -> String {
        let dash = if self.not { "-" } else { "" };
        let before = if self.key.is_some() { self.before.to_owned() } else { format!("{}:", key.name()) };
        let plain = |c: char| !(c.is_whitespace() || matches!(c, ',' | '"' | '*'));
        // It would be read as the short id of a server.
        let is_id = key == Key::Server && fold(word).parse::<ServerId>().is_ok();
        // A quotation mark cannot be written: it is left out, and the beginning before it is meant.
        let word = match word.split_once('"') {
            Some((beginning, _)) => format!("\"{beginning}\"*"),
            None if word.chars().all(plain) && !is_id => word.to_owned(),
            None => format!("\"{word}\""),
        };
        format!("{dash}{before}{word}")
    }
}
