//! A stack: open questions that are alike ([`signalbox_model::Alike`]), with what tells them apart.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::RequestRow;

/// Questions that can be answered together, and in what they differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Stack {
    /// The one that was asked for, then the others, the oldest first: at most 200, or as many as have 1 MiB of arguments.
    pub questions: Vec<Stacked>,
    /// How many more there are.
    pub more: u32,
    /// In what these questions differ, beside their tasks and deadlines. Arguments that are the same in all of them are none.
    pub columns: Vec<StackColumn>,
    /// Their tool says that it may destroy something: then each is answered by itself.
    pub destructive: bool,
}

/// A question of a stack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Stacked {
    /// The question as a row of the inbox.
    pub row: RequestRow,
    /// Stands for all that it asks, as its server words it. Asked in other words, or for something else, it is another text.
    pub asks: String,
    /// What it has in each column: a message as text, arguments as JSON. None where it has no such argument. One above 1 KiB is cut,
    /// with `…` at its end.
    pub values: Vec<Option<String>>,
}

/// In what questions of a stack differ.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum StackColumn {
    /// What the server says.
    Message,
    /// An argument of the tool call.
    Argument {
        /// The argument's name.
        name: String,
    },
    /// All arguments: where they are no objects, or too many of them differ to stand side by side.
    Arguments,
}
