//! Lists: what somebody who filters one may mean. The lists themselves are views.

use super::Filtered;
use crate::ListOf;

commands! {
    /// Reads a filter that is being typed, and says what may be meant.
    ReadFilter -> Filtered, Again {
        /// Of which list.
        list: ListOf,
        /// The filter up to the caret.
        before: String,
        /// The filter behind the caret.
        after: String,
    }
}
