//! Words that somebody looks for in full texts, and how far that has come.

use std::{collections::HashMap, time::Duration};

use signalbox_catalogue::Filter;
use signalbox_store::ReadError;
use tokio::time::Instant;

use crate::ListOf;

/// The most words of all lists: beyond that the one goes that was asked for longest ago. One filter has at most half of them.
const MOST: usize = 64;
/// Words that nobody asked for in this time are let go, and with the last of them the index.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// All of them.
#[derive(Debug, Default)]
pub(in super::super) struct Words {
    by_list: HashMap<(ListOf, String), Word>,
    /// Why they cannot be looked for.
    pub(in super::super) fault: Option<ReadError>,
}

#[derive(Debug)]
struct Word {
    asked_at: Instant,
    stage: Stage,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nowhere.
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
        let before = self.by_list.len();
        for word in filter.words() {
            let known = self.by_list.entry((of, word.to_owned()));
            known.or_insert(Word { asked_at: now, stage: Stage::New }).asked_at = now;
        }
        let is_new = self.by_list.len() > before;
        let mut room = Vec::new();
        while self.by_list.len() > MOST {
            let oldest = self.by_list.iter().min_by_key(|(_, word)| word.asked_at);
            let Some((key, _)) = oldest.map(|(key, word)| (key.clone(), word.asked_at)) else { break };
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
        filter.words().all(|word| {
            self.by_list.get(&(of, word.to_owned())).is_some_and(|word| word.stage == Stage::Whole)
        })
    }

    /// Those that are at a stage.
    pub(super) fn at(&self, stage: Stage) -> Vec<(ListOf, String)> {
        let at = self.by_list.iter().filter(|(_, word)| word.stage == stage);
        at.map(|(key, _)| key.clone()).collect()
    }

    /// Those of a list that are followed.
    pub(super) fn followed(&self, of: ListOf) -> Vec<String> {
        let followed =
            self.by_list.iter().filter(|((list, _), word)| *list == of && word.stage != Stage::New);
        followed.map(|((_, word), _)| word.clone()).collect()
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.by_list.is_empty()
    }

    /// One has come further. One that was let go meanwhile stays gone.
    pub(super) fn set(&mut self, key: &(ListOf, String), stage: Stage) {
        if let Some(word) = self.by_list.get_mut(key) {
            word.stage = stage;
        }
    }

    /// All of them have to be looked for anew.
    pub(in super::super) fn begin_anew(&mut self) -> Vec<(ListOf, String)> {
        self.by_list.values_mut().for_each(|word| word.stage = Stage::New);
        self.by_list.keys().cloned().collect()
    }
}
