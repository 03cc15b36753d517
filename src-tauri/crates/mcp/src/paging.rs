//! Lists that come page by page.

use std::collections::HashSet;

use serde_json::value::RawValue;
use signalbox_model::Json;

use crate::{
    error::Error,
    view::{Fields, elements, text},
};

/// Where we are in a list.
pub(crate) struct Pages {
    what: &'static str,
    cursor: Option<String>,
    seen: HashSet<String>,
    limit: usize,
    left: usize,
}

/// What follows a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    Another,
    Nothing,
    /// There is more, and we have read enough.
    TooMuch,
}

impl Pages {
    /// At the beginning of a list that may have so many pages.
    pub(crate) fn new(what: &'static str, limit: usize) -> Self {
        Self { what, cursor: None, seen: HashSet::new(), limit, left: limit }
    }

    /// The cursor of the page to ask for. An empty string is a cursor like any other.
    pub(crate) fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// The list is longer than we read lists.
    pub(crate) fn too_many(&self) -> Error {
        Error::protocol(format!("the list of {} has more than {} pages", self.what, self.limit), None)
    }

    /// Takes the entries out of a page and moves on.
    ///
    /// # Errors
    /// A page without a list; a cursor that repeats or is illegible.
    pub(crate) fn turn<'a>(&mut self, page: &'a Json) -> Result<(Vec<&'a RawValue>, Follows), Error> {
        let fields = Fields::lenient(page.raw());
        let Some(entries) = fields.some(self.what).and_then(elements) else {
            let message = format!("the list of {} is no list", self.what);
            return Err(Error::protocol(message, Some(page.clone())));
        };
        self.left = self.left.saturating_sub(1);
        let follows = match fields.some("nextCursor").map(text) {
            None => Follows::Nothing,
            Some(Some(next)) if self.seen.insert(next.clone()) => {
                self.cursor = Some(next);
                if self.left == 0 { Follows::TooMuch } else { Follows::Another }
            }
            Some(_) => {
                let message =
                    format!("the list of {} does not end: its cursor is illegible or repeated", self.what);
                return Err(Error::protocol(message, None));
            }
        };
        Ok((entries, follows))
    }
}
