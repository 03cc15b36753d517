//! Lists: which rows, in which order, under which heads.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::ServerId;

/// Which rows of a list are shown, and how they stand. Empty is as the list always is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct ListQuery {
    /// Tokens that combine and exclude: `server:ci status:working -tool:deploy age>1h text`. At most 1 KiB, and 32 of them.
    pub filter: String,
    /// Filters beside `filter`: rows are shown by all of them. No token of one joins a token of another, as `server:ci server:dev`
    /// do.
    pub within: Vec<String>,
    /// Up to four keys, the first one first, each with a `-` before it where the last one is to stand first:
    /// `server,-started`.
    pub sort: String,
    /// By what rows stand under heads: `server`, `tool`, `status`, `day`, `is` …, or `none`.
    pub group: String,
}

/// A head in a list, with how many rows stand under it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Head {
    /// What the rows have in common.
    pub of: HeadOf,
    /// How many there are.
    pub count: u32,
}

/// What the rows under a head have in common.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum HeadOf {
    /// The rows have this server in common.
    Server {
        /// The server's id.
        server: ServerId,
        /// The person's name for it.
        name: String,
    },
    /// The rows have this tool in common; it is empty for adopted handles.
    Tool {
        /// The tool's name.
        tool: String,
    },
    /// The rows have a word of this key in common: `is`, `status`, `outcome` …
    Word {
        /// The key's name, as it stands before the colon in a filter.
        key: String,
        /// The word; none for rows that have none.
        word: Option<String>,
    },
    /// The day on which they were started, where this owner is.
    Day {
        /// The day, written as `2026-11-26`.
        day: String,
    },
}

/// A list that can be filtered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ListOf {
    /// The list of tasks.
    Tasks,
    /// The list of questions.
    Inbox,
}

/// What may be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Offer {
    /// What would stand in the place of what is being typed.
    pub text: String,
    /// How many of the rows that the rest of the filter shows it would show.
    pub count: u32,
}
