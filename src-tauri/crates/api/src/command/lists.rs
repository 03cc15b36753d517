//! Lists: how their filters are written. The lists themselves are views.

use super::{FilterLanguage, Filtered};
use crate::ListOf;

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
}
