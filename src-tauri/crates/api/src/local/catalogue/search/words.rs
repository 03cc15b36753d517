//! Words that somebody looks for in full texts, and how far that has come.

use std::{collections::HashMap, time::Duration};

use signalbox_catalogue::Filter;
use signalbox_store::ReadError;
use tokio::time::Instant;

use crate::ListOf;

/// The most words of all lists: beyond that the one goes that was asked for longest ago. One filter has at most half of them.
pub(super) const MOST: usize = 64;
/// Words that nobody asked for in this time are let go: while somebody types, each rest leaves one behind. Nobody waits longer for a change of a list that is open.
const KEPT: Duration = Duration::from_secs(90);

/// Words of a list, and which time it is that they are looked for: what was found for another time is not theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sought {
    pub(super) of: ListOf,
    pub(super) words: String,
    time: u64,
}

/// All of them.
#[derive(Debug, Default)]
pub(in super::super) struct Words {
    by_list: HashMap<(ListOf, String), Word>,
    times: u64,
    /// What was committed up to this transaction was looked through, for those that are whole.
    pub(super) seq: u64,
    /// Why they cannot be looked for.
    pub(in super::super) fault: Option<ReadError>,
}

#[derive(Debug)]
struct Word {
    asked_at: Instant,
    time: u64,
    stage: Stage,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The word has not been looked for.
    New,
    /// It was looked for in what the index has, and is in what comes into it.
    Followed,
    /// The index has all rows.
    Whole,
}

impl Words {
    /// Somebody looks for the words of a filter. Whether one of them is new, and which ones make room for it.
    pub(in super::super) fn ask(
        &mut self,
        of: ListOf,
        filter: &Filter,
        now: Instant,
    ) -> (bool, Vec<(ListOf, String)>) {
        let mut is_new = false;
        for words in filter.words() {
            let word = self.by_list.entry((of, words.to_owned())).or_insert_with(|| {
                is_new = true;
                self.times += 1;
                Word { asked_at: now, time: self.times, stage: Stage::New }
            });
            word.asked_at = now;
        }
        let mut room = Vec::new();
        while self.by_list.len() > MOST {
            let oldest =
                self.by_list.iter().min_by_key(|(_, word)| word.asked_at).map(|(key, _)| key.clone());
            let Some(key) = oldest else { break };
            self.by_list.remove(&key);
            room.push(key);
        }
        (is_new, room)
    }

    /// Lets those go that nobody asks for any more.
    pub(super) fn let_go(&mut self, now: Instant) -> Vec<(ListOf, String)> {
        let gone = self.by_list.extract_if(|_, word| now.duration_since(word.asked_at) >= KEPT);
        gone.map(|(key, _)| key).collect()
    }

    /// Whether all full texts were looked through for the words of a filter.
    pub(in super::super) fn are_whole(&self, of: ListOf, filter: &Filter) -> bool {
        filter.words().all(|words| {
            self.by_list.get(&(of, words.to_owned())).is_some_and(|word| word.stage == Stage::Whole)
        })
    }

    /// Whether that holds of all that was committed up to a transaction.
    pub(in super::super) fn are_whole_since(&self, of: ListOf, filter: &Filter, seq: u64) -> bool {
        self.are_whole(of, filter) && (self.seq >= seq || filter.words().next().is_none())
    }

    /// The words that are new.
    pub(super) fn fresh(&self) -> Vec<Sought> {
        self.those(|_, stage| stage == Stage::New)
    }

    /// The words of a list that are followed.
    pub(super) fn followed(&self, of: ListOf) -> Vec<Sought> {
        self.those(|list, stage| list == of && stage != Stage::New)
    }

    fn those(&self, is: impl Fn(ListOf, Stage) -> bool) -> Vec<Sought> {
        let those = self.by_list.iter().filter(|((of, _), word)| is(*of, word.stage));
        those.map(|((of, words), word)| Sought { of: *of, words: words.clone(), time: word.time }).collect()
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.by_list.is_empty()
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.by_list.len()
    }

    /// Whether these are still looked for.
    pub(super) fn has(&self, sought: &Sought) -> bool {
        let word = self.by_list.get(&(sought.of, sought.words.clone()));
        word.is_some_and(|word| word.time == sought.time)
    }

    /// The words were looked for in what the index has.
    pub(super) fn follow(&mut self, sought: &Sought) {
        if let Some(word) = self.by_list.get_mut(&(sought.of, sought.words.clone()))
            && word.time == sought.time
        {
            word.stage = Stage::Followed;
        }
    }

    /// The index has all rows. Whether that is news of any.
    pub(super) fn complete(&mut self) -> bool {
        let followed = self.by_list.values_mut().filter(|word| word.stage == Stage::Followed);
        followed.map(|word| word.stage = Stage::Whole).count() > 0
    }

    /// All of them have to be looked for anew.
    pub(in super::super) fn begin_anew(&mut self) {
        for word in self.by_list.values_mut() {
            self.times += 1;
            (word.time, word.stage) = (self.times, Stage::New);
        }
    }
}
