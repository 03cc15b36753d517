//! Characters that are not what they seem: those that act or do not show, and letters that look like Latin ones and are none.
//! Whoever reads "раypal" reads a name that is not there.
//!
//! Texts in another alphabet stay as they are. So a letter counts only where it pretends to be Latin: within a Latin word,
//! or in a text that has Latin letters and none of that alphabet which looks like no Latin one. The window keeps to the
//! same rule (`ui/src/format/lookAlikes.ts`); `tests/corpus/look-alikes.json` is the test of both.

/// An alphabet that has look-alikes.
struct Alphabet {
    /// Whether a character belongs to it.
    has: fn(char) -> bool,
    /// Those of its letters that look like Latin ones; none: all of them.
    alike: Option<&'static str>,
}

/// Wide, bold and other drawn letters count as one more alphabet.
const ALPHABETS: [Alphabet; 5] = [
    Alphabet {
        has: |c| matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}'),
        alike: Some("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧικνορυϲϳ"),
    },
    Alphabet {
        has: |c| matches!(c, '\u{400}'..='\u{52f}'),
        alike: Some("АВЕЅІЈКМНОРСТУХҮԌԚԜаеѕіјорсухһԁԛԝѵүӏ"),
    },
    Alphabet { has: |c| matches!(c, '\u{531}'..='\u{587}'), alike: Some("ՍՏՕհոսցօ") },
    Alphabet {
        has: |c| matches!(c, '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}'),
        alike: Some("ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏃᏂᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧ"),
    },
    Alphabet {
        has: |c| matches!(c, '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' | '\u{1d400}'..='\u{1d7ff}'),
        alike: None,
    },
];

impl Alphabet {
    fn looks_latin(&self, c: char) -> bool {
        self.alike.map_or((self.has)(c), |alike| alike.contains(c))
    }
}

/// Controls (escape sequences begin with one), separators, characters that are none, and what reorders text or shows as
/// nothing. The two joiners stay, and so do the selectors of how a sign is drawn: scripts and emoji need them, and alone they
/// change nothing that could mislead.
#[must_use]
pub fn acts(c: char) -> bool {
    c.is_control()
        || u32::from(c) & 0xfffe == 0xfffe
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
            | '\u{3164}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffc}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Where a text has characters that pass for others: their places in it, in bytes and in order.
#[must_use]
pub fn look_alikes(text: &str) -> Vec<usize> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut places = marks(text);
    if text.contains(|c: char| c.is_ascii_alphabetic()) {
        let pretends =
            ALPHABETS.map(|alphabet| !text.contains(|c| (alphabet.has)(c) && !alphabet.looks_latin(c)));
        for (start, word) in words(text) {
            let mixed = word.contains(|c: char| c.is_ascii_alphabetic());
            let looks =
                |c| (0..).zip(&ALPHABETS).any(|(n, one)| (mixed || pretends[n]) && one.looks_latin(c));
            places.extend(word.char_indices().filter(|(_, c)| looks(*c)).map(|(at, _)| start + at));
        }
    }
    places.sort_unstable();
    places
}

/// Marks that stand for a slash, a full stop or a colon of an address. Between digits a stroke makes a fraction.
fn marks(text: &str) -> Vec<usize> {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let passes = |(at, c): (usize, char)| match c {
        '\u{2024}' | '\u{2215}' | '\u{2236}' | '\u{29f8}' | '\u{a789}' => true,
        '\u{2044}' => {
            !(is_digit(text[..at].chars().next_back()) && is_digit(text[at + c.len_utf8()..].chars().next()))
        }
        _ => false,
    };
    text.char_indices().filter(|found| passes(*found)).map(|(at, _)| at).collect()
}

/// The words of a text, each with its place in it. An accent of its own parts no word.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}');
    let parts = text.split(move |c| !belongs(c));
    parts.map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word)).filter(|(_, word)| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pretends_to_be_latin_is_found_as_in_the_window() {
        let corpus = include_str!("../../../../tests/corpus/look-alikes.json");
        let cases: Vec<(String, Vec<usize>, String)> = serde_json::from_str(corpus).unwrap();
        assert!(cases.len() > 10, "the corpus is not empty");
        for (text, places, why) in cases {
            let found: Vec<usize> =
                look_alikes(&text).iter().map(|at| text[..*at].encode_utf16().count()).collect();
            assert_eq!(found, places, "{text:?}: {why}");
        }
    }
}
