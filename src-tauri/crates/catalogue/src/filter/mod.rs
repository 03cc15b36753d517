//! The filter language: tokens that combine and exclude.
//!
//! `server:ci status:working -tool:deploy age>1h silent>10m outcome:tool_error text`
//!
//! All tokens must hold; of one key, any: `server:ci server:dev` is both servers. A `-` before a token excludes. A value with
//! blanks stands in quotation marks, and several may stand behind one colon (`status:working,failed`); one that ends
//! with `*` is a beginning. A plain word is looked for in the texts of a row, the name of its server and tool, how it
//! stands, and its short id. A server is meant by its name or its short id; a name that looks like the id of another one stands
//! in quotation marks. What begins like a token and has no known key is a plain word: people look for
//! `error: 42`.

mod error;
mod judge;
mod parse;
#[cfg(test)]
mod tests;
mod token;

use std::hash;

pub use error::FilterError;
pub(crate) use judge::Judge;
pub(crate) use parse::{DAYS, aliases, lengths, words};
use token::{Asks, Token};

use crate::{Key, NarrowRow, World, part::Part};

/// A plain word of fewer characters is not looked for in full texts: most of them have it.
const SHORTEST: usize = 3;

/// Which rows a list shows. Empty means all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// As it was written: more than one text where filters stand beside each other.
    texts: Vec<String>,
    /// All of these must hold; of each, any token.
    clauses: Vec<Vec<Token>>,
}

impl Filter {
    /// Reads a filter of such rows. Dates are days of this world.
    ///
    /// # Errors
    /// Which token cannot be read, and why.
    pub fn read<L: NarrowRow>(text: &str, world: &World) -> Result<Self, FilterError> {
        let mut clauses: Vec<Vec<Token>> = Vec::new();
        for token in parse::tokens::<L>(text, world)? {
            let alike = clauses.iter_mut().find(|clause| clause.iter().all(|other| other.joins(&token)));
            match alike {
                Some(clause) => clause.push(token),
                None => clauses.push(vec![token]),
            }
        }
        Ok(Self { texts: vec![text.to_owned()], clauses })
    }

    /// No longer asks for words of a key, but for those that it excludes.
    pub(crate) fn leave_out(&mut self, key: Key) {
        let is_of = |token: &Token| !token.not && matches!(token.asks, Asks::Word(of, _) if of == key);
        self.clauses.retain(|clause| !clause.iter().all(is_of));
    }

    /// Shows what both show: no token of one joins a token of the other.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.texts.extend(other.texts);
        self.clauses.extend(other.clauses);
        self
    }

    /// The plain words, folded, that are looked for in full texts, too: those of at least three characters.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let text = |token| match token {
            &Token { asks: Asks::Text(ref text), .. } => Some(text.folded.as_str()),
            _ => None,
        };
        let long = |words: &&str| words.chars().nth(SHORTEST - 1).is_some();
        self.clauses.iter().flatten().filter_map(text).filter(long)
    }

    pub(crate) fn asks_for(&self, words: &str) -> bool {
        self.words().any(|own| own == words)
    }

    /// Whether rows that did not change may come and go when a part of the world does.
    pub(crate) fn follows(&self, part: Part) -> bool {
        // A row says its server's name and what is known of following it. Its own tool stays what it is.
        let asks = |token: &Token| match &token.asks {
            Asks::Text(_) => true,
            Asks::Word(key, _) => *key == Key::of_part(part),
            Asks::Length { .. } | Asks::Day { .. } => false,
        };
        part != Part::Tools && self.clauses.iter().flatten().any(asks)
    }
}

impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        self.texts == other.texts
    }
}

impl Eq for Filter {}

impl hash::Hash for Filter {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.texts.hash(state);
    }
}
