//! Lists: what cannot be read of a filter. The lists themselves are views.

use super::Filtered;
use crate::ListOf;

commands! {
    /// Reads a filter that is being typed.
    ReadFilter -> Filtered, Again {
        /// Of which list.
        list: ListOf,
        /// All of it.
        filter: String,
    }
}
