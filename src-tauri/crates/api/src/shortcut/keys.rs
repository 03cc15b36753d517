//! Which keys can be chosen, and how they are written: `Ctrl+Alt+S`.

use std::{fmt, str::FromStr};

use serde_with::{DeserializeFromStr, SerializeDisplay};

/// The keys that are held down meanwhile, in the order in which they are written.
const MODIFIERS: [Modifier; 4] = [
    Modifier { name: "Ctrl", others: &["Control"] },
    Modifier { name: "Alt", others: &["Option"] },
    Modifier { name: "Shift", others: &[] },
    Modifier { name: "Super", others: &["Meta", "Win", "Cmd", "Command"] },
];
/// Where Super stands among them.
const SUPER: usize = 3;
/// Ctrl and Alt among them, and no other.
const CTRL_ALT: [bool; MODIFIERS.len()] = [true, true, false, false];
/// With [`CTRL_ALT`], the function keys up to this one switch to another terminal on Linux.
const TERMINALS: u8 = 12;
/// The last function key that is known.
const FUNCTION_KEYS: u8 = 24;
/// The keys with a name, each with what browsers call it and its number on X11.
const NAMED: [Named; 13] = [
    Named { name: "Space", other: " ", keysym: 0x0020 },
    Named { name: "Enter", other: "Return", keysym: 0xff0d },
    Named { name: "Pause", other: "Pause", keysym: 0xff13 },
    Named { name: "Home", other: "Home", keysym: 0xff50 },
    Named { name: "Left", other: "ArrowLeft", keysym: 0xff51 },
    Named { name: "Up", other: "ArrowUp", keysym: 0xff52 },
    Named { name: "Right", other: "ArrowRight", keysym: 0xff53 },
    Named { name: "Down", other: "ArrowDown", keysym: 0xff54 },
    Named { name: "PageUp", other: "Prior", keysym: 0xff55 },
    Named { name: "PageDown", other: "Next", keysym: 0xff56 },
    Named { name: "End", other: "End", keysym: 0xff57 },
    Named { name: "Insert", other: "Ins", keysym: 0xff63 },
    Named { name: "Delete", other: "Del", keysym: 0xffff },
];

struct Modifier {
    name: &'static str,
    others: &'static [&'static str],
}

#[derive(Debug, PartialEq, Eq)]
struct Named {
    name: &'static str,
    other: &'static str,
    keysym: u32,
}

/// A key, with what is held down meanwhile. Never one that people type with: it would be missing in every program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Shortcut {
    /// Which of [`MODIFIERS`] are held down.
    held: [bool; MODIFIERS.len()],
    key: Key,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    /// A capital letter or a digit.
    Plain(char),
    Function(u8),
    Named(&'static Named),
}

/// Why a text is no such key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadShortcut {
    /// It does not end with a key that is known.
    #[error(
        "its last part must be a letter from A to Z, a digit, F1 to F24, Space, Enter, Pause, Insert, Delete, Home, End, \
         PageUp, PageDown, Left, Up, Right or Down, as in Ctrl+Alt+S"
    )]
    Key,
    /// What stands before the key is no modifier, or stands there twice.
    #[error("before the last + only Ctrl, Alt, Shift and Super can stand, each once, as in Ctrl+Alt+S")]
    Modifier,
    /// People type with it, or other programs use it all the time.
    #[error(
        "it needs Super, or two of Ctrl, Alt and Shift: every other program would lose it, as it would lose Ctrl+C"
    )]
    TooFew,
    /// Linux takes them before any program.
    #[error(
        "Ctrl+Alt with F1 to F12 switches to another terminal on Linux, and no program hears of it: choose another key"
    )]
    Terminal,
}

impl Shortcut {
    /// Whether Ctrl, Alt, Shift and Super are held down.
    pub const fn held(self) -> [bool; 4] {
        self.held
    }

    /// What the W3C calls its key by where it lies on an American keyboard, such as `KeyS` or `ArrowUp`.
    pub fn code(self) -> String {
        match self.key {
            Key::Plain(c) if c.is_ascii_digit() => format!("Digit{c}"),
            Key::Plain(c) => format!("Key{c}"),
            Key::Function(number) => format!("F{number}"),
            Key::Named(Named { name: name @ ("Left" | "Up" | "Right" | "Down"), .. }) => {
                format!("Arrow{name}")
            }
            Key::Named(named) => named.name.to_owned(),
        }
    }

    /// The number of its key on X11.
    #[cfg(target_os = "linux")]
    pub(super) fn keysym(self) -> u32 {
        match self.key {
            Key::Plain(c) => u32::from(c.to_ascii_lowercase()),
            Key::Function(number) => 0xffbd + u32::from(number),
            Key::Named(named) => named.keysym,
        }
    }
}

impl FromStr for Shortcut {
    type Err = BadShortcut;

    fn from_str(text: &str) -> Result<Self, BadShortcut> {
        let (before, key) = match text.rsplit_once('+') {
            Some((before, key)) => (Some(before), key),
            None => (None, text),
        };
        let key = key.parse()?;
        let mut held = [false; MODIFIERS.len()];
        for word in before.into_iter().flat_map(|before| before.split('+')) {
            let is = |modifier: &Modifier| modifier.is(word.trim());
            let at = MODIFIERS.iter().position(is).ok_or(BadShortcut::Modifier)?;
            let holds = held.get_mut(at).ok_or(BadShortcut::Modifier)?;
            if std::mem::replace(holds, true) {
                return Err(BadShortcut::Modifier);
            }
        }
        if !held[SUPER] && held.iter().filter(|held| **held).count() < 2 {
            return Err(BadShortcut::TooFew);
        }
        if held == CTRL_ALT && matches!(key, Key::Function(1..=TERMINALS)) {
            return Err(BadShortcut::Terminal);
        }
        Ok(Self { held, key })
    }
}

impl Modifier {
    fn is(&self, word: &str) -> bool {
        word.eq_ignore_ascii_case(self.name)
            || self.others.iter().any(|other| word.eq_ignore_ascii_case(other))
    }
}

impl FromStr for Key {
    type Err = BadShortcut;

    fn from_str(text: &str) -> Result<Self, BadShortcut> {
        // A space is the name of a key, too.
        let word = if text == " " { text } else { text.trim() };
        if let [byte] = word.as_bytes()
            && byte.is_ascii_alphanumeric()
        {
            return Ok(Self::Plain(char::from(byte.to_ascii_uppercase())));
        }
        let is =
            |named: &&Named| word.eq_ignore_ascii_case(named.name) || word.eq_ignore_ascii_case(named.other);
        if let Some(named) = NAMED.iter().find(is) {
            return Ok(Self::Named(named));
        }
        let number = word.strip_prefix(['F', 'f']).filter(|number| !number.starts_with(['+', '0']));
        match number.and_then(|number| number.parse().ok()) {
            Some(number) if (1..=FUNCTION_KEYS).contains(&number) => Ok(Self::Function(number)),
            _ => Err(BadShortcut::Key),
        }
    }
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (modifier, _) in MODIFIERS.iter().zip(self.held).filter(|(_, held)| *held) {
            write!(f, "{}+", modifier.name)?;
        }
        match self.key {
            Key::Plain(c) => write!(f, "{c}"),
            Key::Function(number) => write!(f, "F{number}"),
            Key::Named(named) => f.write_str(named.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_written_in_one_way_and_read_in_several() {
        for (text, written) in [
            ("Ctrl+Alt+S", "Ctrl+Alt+S"),
            ("alt + control + s", "Ctrl+Alt+S"),
            ("super+f12", "Super+F12"),
            ("Cmd+Shift+9", "Shift+Super+9"),
            ("Meta+ ", "Super+Space"),
            ("Ctrl+Shift+ArrowUp", "Ctrl+Shift+Up"),
            ("Option+Shift+pagedown", "Alt+Shift+PageDown"),
            ("Win+F24", "Super+F24"),
            ("Ctrl+Alt+F13", "Ctrl+Alt+F13"),
            ("Ctrl+Alt+Shift+F1", "Ctrl+Alt+Shift+F1"),
            ("Ctrl+Shift+F1", "Ctrl+Shift+F1"),
        ] {
            let read = text.parse::<Shortcut>().unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(read.to_string(), written);
            assert_eq!(written.parse(), Ok(read), "what is written is read as the same");
            let json = serde_json::to_string(&read).unwrap();
            assert_eq!(json, format!("{written:?}"), "it is kept as it is written");
        }
    }

    #[test]
    fn what_is_no_key_of_the_whole_system_says_why() {
        use BadShortcut as Bad;
        for (text, why) in [
            ("", Bad::Key),
            ("Ctrl+Alt", Bad::Key),
            ("Ctrl+Alt+", Bad::Key),
            ("Ctrl+Alt+F25", Bad::Key),
            ("Ctrl+Alt+F0", Bad::Key),
            ("Ctrl+Alt+F+1", Bad::Modifier),
            ("Ctrl+Alt++", Bad::Key),
            ("Ctrl+Alt+ß", Bad::Key),
            ("Ctrl+Alt+SS", Bad::Key),
            ("S+Ctrl+S", Bad::Modifier),
            ("Ctrl+Ctrl+S", Bad::Modifier),
            ("+S", Bad::Modifier),
            ("Hyper+S", Bad::Modifier),
            ("S", Bad::TooFew),
            ("F12", Bad::TooFew),
            ("Ctrl+C", Bad::TooFew),
            ("Shift+A", Bad::TooFew),
            ("Alt+Space", Bad::TooFew),
            ("Ctrl+Alt+F1", Bad::Terminal),
            ("alt+control+f12", Bad::Terminal),
        ] {
            assert_eq!(text.parse::<Shortcut>(), Err(why), "{text:?}");
        }
    }

    #[test]
    fn every_key_has_the_code_that_other_systems_know_it_by() {
        use keyboard_types::Code;
        let mut codes = std::collections::HashSet::new();
        let plain = ('A'..='Z').chain('0'..='9').map(Key::Plain);
        let functions = (1..=FUNCTION_KEYS).map(Key::Function);
        for key in plain.chain(functions).chain(NAMED.iter().map(Key::Named)) {
            let code = Shortcut { held: [true; 4], key }.code();
            assert!(code.parse::<Code>().is_ok(), "{code} is none");
            assert!(codes.insert(code.clone()), "{code} is one key, not two");
        }
        assert_eq!(codes.len(), 26 + 10 + usize::from(FUNCTION_KEYS) + NAMED.len(), "all that can be chosen");
        for (text, code) in [
            ("Super+S", Code::KeyS),
            ("Super+7", Code::Digit7),
            ("Super+F24", Code::F24),
            ("Super+Left", Code::ArrowLeft),
            ("Super+PageUp", Code::PageUp),
            ("Super+Space", Code::Space),
        ] {
            assert_eq!(text.parse::<Shortcut>().unwrap().code().parse::<Code>().ok(), Some(code), "{text}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn keys_have_the_numbers_of_x11() {
        for (text, keysym) in
            [("Super+S", 0x73), ("Super+7", 0x37), ("Super+F1", 0xffbe), ("Super+F24", 0xffd5)]
        {
            assert_eq!(text.parse::<Shortcut>().unwrap().keysym(), keysym, "{text}");
        }
    }
}
