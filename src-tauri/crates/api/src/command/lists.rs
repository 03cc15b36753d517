//! Lists: how their filters are written. The lists themselves are views.

use super::{FilterLanguage, Filtered};
use crate::ListOf;

commands! {
    /// Reads a filter that is being typed.
    ReadFilter -> Filtered, Again {
        /// Of which list.
        list: ListOf,
        /// All of it.
        filter: String,
    }

    /// What a filter, sort and group may say.
    Language -> FilterLanguage, Again {
        /// Of which list.
        list: ListOf,
    }
}
