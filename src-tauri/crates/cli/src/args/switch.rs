//! On or off. What each means stands where it is typed.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Takes both words, and says in the help what each means.
pub(super) fn switch(on: &'static str, off: &'static str) -> impl TypedValueParser<Value = bool> {
    let words = [PossibleValue::new("on").help(on), PossibleValue::new("off").help(off)];
    PossibleValuesParser::new(words).map(|word| word == "on")
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::args::{AtDesk, Cli, Command};

    #[test]
    fn the_help_says_what_on_and_off_mean() {
        for (command, on, off) in [
            (
                &["autostart"][..],
                "on: Your session starts Signalbox, hidden",
                "off: Your session does not start Signalbox",
            ),
            (
                &["notifications", "contents"],
                "on: Also up to four lines of what is asked, or the first line of what came of it",
                "off: Only who asks, or what ended and how",
            ),
        ] {
            let words = [&["signalbox"], command, &["--help"]].concat();
            let help = Cli::try_parse_from(words).expect_err("the help is no command").to_string();
            // However its lines are filled.
            let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
            for means in [on, off] {
                assert!(help.contains(means), "{means}: {help}");
            }
        }
    }

    #[test]
    fn both_words_are_taken_and_no_other() {
        let typed = |word| Cli::try_parse_from(["signalbox", "autostart", word]).map(|cli| cli.command);
        for (word, is_on) in [("on", true), ("off", false)] {
            let Ok(Command::AtDesk(AtDesk::Autostart(autostart))) = typed(word) else { panic!("{word}") };
            assert_eq!(autostart.on, Some(is_on), "{word}");
        }
        for wrong in ["true", "yes", "On", ""] {
            assert!(typed(wrong).is_err(), "{wrong:?} is neither");
        }
    }
}
