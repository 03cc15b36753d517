//! In which rows words were found that are not in their narrow texts: whoever has an index of the full ones tells it.

use std::collections::BTreeMap;

use bit_set::BitSet;

/// Rows by word: there are few words, and each row asks for all of them.
#[derive(Debug, Default)]
pub(crate) struct Found(BTreeMap<Box<str>, BitSet>);

impl Found {
    /// Whether this was found in the row of this number.
    pub(crate) fn has(&self, words: &str, number: u32) -> bool {
        self.0.get(words).is_some_and(|rows| rows.contains(number as usize))
    }

    /// Whether it was, or was not: is that new?
    pub(crate) fn set(&mut self, words: &str, number: u32, found: bool) -> bool {
        if !self.0.contains_key(words) {
            self.0.insert(words.into(), BitSet::new());
        }
        let rows = self.0.get_mut(words).expect("BUG: it was put there");
        if found { rows.insert(number as usize) } else { rows.remove(number as usize) }
    }

    pub(crate) fn forget(&mut self, words: &str) {
        self.0.remove(words);
    }
}
