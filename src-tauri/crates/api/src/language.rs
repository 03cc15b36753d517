//! How filters are written, for whoever explains it: the window, and the command's help.

use signalbox_catalogue::{Language, NarrowRequest, NarrowTask, language};

use crate::{
    ListOf,
    command::{FilterKey, FilterLanguage},
};

/// What a filter, sort and group of a list may say.
#[must_use]
pub fn filter_language(list: ListOf) -> FilterLanguage {
    let Language { keys, lengths, days, sorts, groups } = match list {
        ListOf::Tasks => language::<NarrowTask>(),
        ListOf::Inbox => language::<NarrowRequest>(),
    };
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    let key = |(name, words)| FilterKey { name: str::to_owned(name), words: owned(words) };
    FilterLanguage {
        keys: keys.into_iter().map(key).collect(),
        lengths: owned(lengths),
        days: owned(days),
        sorts: owned(sorts),
        groups: owned(groups),
    }
}
