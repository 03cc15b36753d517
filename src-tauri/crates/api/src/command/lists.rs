//! Lists: how their filters are written, and what is found in all of them at once. The lists themselves are views.

use super::{FilterLanguage, Filtered, Ranked};
use crate::{ListOf, OwnEntry, PaletteItem};

commands! {
    /// Reads a filter that is being typed.
    ReadFilter -> Filtered, Again {
        /// The list that the filter is for.
        list: ListOf,
        /// The whole filter as typed so far.
        filter: String,
    }

    /// What a filter, sort and group may say.
    Language -> FilterLanguage, Again {
        /// The list that the language is of.
        list: ListOf,
    }

    /// What may be meant by a few letters, of all that there is: tools as they were listed last, questions, tasks, saved views,
    /// servers, and what the host has beside them.
    Palette -> Ranked, Again {
        /// What was typed. Where that is nothing, what was chosen of late comes first, and then what happened last.
        text: String,
        /// What the host has itself. At most 300 are looked at.
        own: Vec<OwnEntry>,
        /// What was chosen last, the latest first: of equals these come first. At most 8 count, and those that are gone do not.
        recent: Vec<PaletteItem>,
        /// The most entries that are wanted; never more than 50.
        limit: u32,
    }
}
