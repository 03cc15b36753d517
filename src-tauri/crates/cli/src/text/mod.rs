//! What people read. Every text of a server passes `sanitise` on its way here.

pub(crate) mod advice;
mod answered;
pub(crate) mod arguments;
pub(crate) mod csv;
pub(crate) mod difference;
pub(crate) mod earlier;
mod ending;
pub(crate) mod event;
pub(crate) mod exchange;
pub(crate) mod notifications;
pub(crate) mod page;
pub(crate) mod request;
pub(crate) mod resource;
mod result;
pub(crate) mod salvage;
pub(crate) mod sampling;
pub(crate) mod secrets;
pub(crate) mod server;
pub(crate) mod several;
pub(crate) mod shortcut;
pub(crate) mod stack;
pub(crate) mod table;
pub(crate) mod task;
pub(crate) mod time;
mod timeline;
pub(crate) mod ways;

pub(crate) use signalbox_api::words::counted;
pub(crate) use signalbox_model::sanitise;

/// What a tool says of itself by `destructiveHint`.
pub(crate) const DESTROYS: &str = "the tool says that it may destroy something";

/// What is said where its server could not be asked.
pub(crate) const MAY_DESTROY: &str =
    "Signalbox could not learn whether the tool says that it may destroy something";

/// A hue that goes with a word, never without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hue {
    /// As it is.
    Plain,
    /// Grey: what matters less.
    Dim,
    /// Needs a person.
    Amber,
    /// Green: it went well.
    Green,
    /// Red: it went wrong.
    Red,
}

/// How stdout shows emphasis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    /// Whether it shows colours.
    pub(crate) colour: bool,
}

impl Paint {
    /// The text in a hue. The text must be sanitised already.
    #[must_use]
    pub(crate) fn on(self, hue: Hue, text: &str) -> String {
        let code = match hue {
            Hue::Plain => return text.to_owned(),
            Hue::Dim => "2",
            Hue::Amber => "1;33",
            Hue::Green => "32",
            Hue::Red => "31",
        };
        if self.colour && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// How many there are.
pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A closed word of ours as people read it: `tool_error` becomes `tool error`.
pub(crate) fn words(word: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(word).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}
