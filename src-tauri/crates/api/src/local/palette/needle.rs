//! What was typed, and how well a text fits it.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{Atom, AtomKind, CaseMatching, Normalization},
};

/// The most letters that are looked for, and the most words that they make: what a text costs grows with them.
const LONGEST: usize = 64;
const MOST_WORDS: usize = 8;
/// The part of a name that is looked at, in characters.
const NAME: usize = 200;
/// What each letter of a name must bring on average. Letters in a row bring that, and so do those that begin words; letters that are
/// strewn over it do not, and would be found in nearly anything.
const LEAST: u16 = 16;

struct Word {
    text: String,
    /// In names its letters may stand apart.
    apart: Atom,
    /// In longer texts they stand in a row.
    together: Atom,
}

/// The words that were typed. All of them are looked for, each wherever it is.
pub(super) struct Needle {
    words: Vec<Word>,
    matcher: Matcher,
    letters: Vec<char>,
}

impl Needle {
    pub(super) fn new(typed: &str) -> Self {
        let typed: String = typed.chars().take(LONGEST).collect();
        let atom =
            |word: &str, kind| Atom::new(word, CaseMatching::Ignore, Normalization::Smart, kind, false);
        let words = typed.split_whitespace().take(MOST_WORDS).map(|word| Word {
            text: word.to_lowercase(),
            apart: atom(word, AtomKind::Fuzzy),
            together: atom(word, AtomKind::Substring),
        });
        Self { words: words.collect(), matcher: Matcher::new(Config::DEFAULT), letters: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words themselves, in lower case.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }

    /// How well each of the words fits a name.
    pub(super) fn in_name(&mut self, name: &str) -> Vec<Option<u16>> {
        let Self { words, matcher, letters } = self;
        let name = beginning(name);
        let name = utf32(name, letters);
        let fits = |word: &Word, matcher: &mut Matcher| {
            let least = u16::try_from(word.text.chars().count()).unwrap_or(u16::MAX).saturating_mul(LEAST);
            word.apart.score(name, matcher).filter(|score| *score >= least)
        };
        words.iter().map(|word| fits(word, matcher)).collect()
    }

    /// How well one of the words fits a text.
    pub(super) fn in_text(&mut self, word: usize, text: &str) -> Option<u16> {
        let Self { words, matcher, letters } = self;
        words[word].together.score(utf32(text, letters), matcher)
    }

    /// Where in a text the letters stand, of those words that it has, in code points.
    pub(super) fn places(&mut self, text: &str) -> Vec<u32> {
        let fits = self.in_name(text);
        let Self { words, matcher, letters } = self;
        let text = utf32(text, letters);
        let mut places = Vec::new();
        for (word, in_name) in words.iter().zip(fits) {
            // In a row is how they are shown wherever they stand so.
            if word.together.indices(text, matcher, &mut places).is_none() && in_name.is_some() {
                word.apart.indices(text, matcher, &mut places);
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// The part of a name that is looked at.
fn beginning(name: &str) -> &str {
    name.char_indices().nth(NAME).map_or(name, |(at, _)| &name[..at])
}

/// The matcher's own way makes one letter of several code points, after which its places are not those of the text.
fn utf32<'a>(text: &'a str, letters: &'a mut Vec<char>) -> Utf32Str<'a> {
    if text.is_ascii() {
        return Utf32Str::Ascii(text.as_bytes());
    }
    letters.clear();
    letters.extend(text.chars());
    Utf32Str::Unicode(letters)
}
