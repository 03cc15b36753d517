//! The scripts that a host is written in.

use icu_properties::{CodePointMapData, PropertyNamesLong, props::Script};
use signalbox_model::bare_host;

/// Scripts that are written together in one word (UTS 39, "highly restrictive").
const TOGETHER: [&[Script]; 3] = [
    &[Script::Latin, Script::Han, Script::Hiragana, Script::Katakana],
    &[Script::Latin, Script::Han, Script::Bopomofo],
    &[Script::Latin, Script::Han, Script::Hangul],
];

/// The scripts of a host by name, unless all is Latin. The top-level name is left out: it is Latin for nearly every host, and
/// would make each one look mixed.
pub(super) fn named(host: &str) -> Vec<String> {
    let host = bare_host(host);
    let found = of(host.rsplit_once('.').map_or(host, |(name, _)| name));
    if found == [Script::Latin] {
        return Vec::new();
    }
    let names = PropertyNamesLong::<Script>::new();
    found.into_iter().filter_map(|script| names.get(script)).map(|name| name.replace('_', " ")).collect()
}

/// Whether a label of a host mixes scripts that are not written together.
pub(super) fn are_mixed(host: &str) -> bool {
    host.split('.').map(of).any(|found| {
        let fit = |together: &&[Script]| found.iter().all(|script| together.contains(script));
        found.len() > 1 && !TOGETHER.iter().any(fit)
    })
}

/// The scripts of the letters, in their order. Digits and marks belong to none.
fn of(text: &str) -> Vec<Script> {
    let scripts = CodePointMapData::<Script>::new();
    let mut found = Vec::new();
    for script in text.chars().map(|letter| scripts.get(letter)) {
        if !matches!(script, Script::Common | Script::Inherited) && !found.contains(&script) {
            found.push(script);
        }
    }
    found
}
