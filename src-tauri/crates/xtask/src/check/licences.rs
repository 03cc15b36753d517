//! The licences that may be part of what we ship.

use anyhow::{Context, Result};
use cargo_metadata::Metadata;
use spdx::{Expression, Licensee, ParseMode};

/// A package may be used under any one of these.
const ALLOWED: [&str; 17] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "MPL-2.0",
    "CC0-1.0",
    "0BSD",
    "Unlicense",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CDLA-Permissive-2.0",
    "OpenSSL",
];

/// What only builds or tests the UI and is never shipped may have one of these as well.
const ALLOWED_TOOLS: [&str; 2] = ["CC-BY-4.0", "Python-2.0"];

/// Every resolved crate whose licence is not on the list, or that names none.
pub(super) fn not_allowed(metadata: &Metadata) -> Vec<String> {
    let packages = metadata.packages.iter();
    packages
        .filter_map(|package| {
            let why = offence(package.license.as_deref())?;
            Some(format!("{} {}: {why}", package.name, package.version))
        })
        .collect()
}

/// What is wrong with a package's licence expression; nothing when it may be used.
pub(super) fn offence(licence: Option<&str>) -> Option<String> {
    offence_against(licence, &ALLOWED)
}

/// The same for a package that is only a tool.
pub(super) fn offence_of_tool(licence: Option<&str>) -> Option<String> {
    offence_against(licence, &[ALLOWED.as_slice(), ALLOWED_TOOLS.as_slice()].concat())
}

fn offence_against(licence: Option<&str>, allowed: &[&str]) -> Option<String> {
    let Some(text) = licence else { return Some("names no licence".to_owned()) };
    match is_allowed(text, allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!("`{text}` is not on the list")),
        Err(error) => Some(format!("{error:#}")),
    }
}

fn is_allowed(text: &str, allowed: &[&str]) -> Result<bool> {
    // Lenient about the old `MIT/Apache-2.0`, not about unknown names.
    let mode = ParseMode { allow_slash_as_or_operator: true, ..ParseMode::STRICT };
    let expression =
        Expression::parse_mode(text, mode).with_context(|| format!("`{text}` is no licence expression"))?;
    let allowed: Vec<_> = allowed.iter().filter_map(|name| Licensee::parse(name).ok()).collect();
    Ok(expression.evaluate(|required| allowed.iter().any(|licensee| licensee.satisfies(required))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_allowed_name_is_one() {
        for name in ALLOWED {
            assert_eq!(offence(Some(name)), None, "{name} must allow itself");
        }
    }

    #[test]
    fn expressions_are_understood() {
        for fine in
            ["MIT OR Apache-2.0", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "(MIT OR GPL-2.0-only) AND ISC"]
        {
            assert_eq!(offence(Some(fine)), None, "{fine} leaves an allowed choice");
        }
        for not in ["GPL-3.0-only", "MIT AND AGPL-3.0-only", "LGPL-2.1-or-later", "SSPL-1.0"] {
            assert!(offence(Some(not)).is_some(), "{not} leaves none");
        }
    }

    #[test]
    fn no_licence_or_nonsense_is_an_offence() {
        assert_eq!(offence(None).as_deref(), Some("names no licence"));
        assert!(offence(Some("Freely usable")).is_some());
        assert!(offence(Some("")).is_some());
    }

    #[test]
    fn tools_have_a_little_more_choice() {
        assert_eq!(offence_of_tool(Some("CC-BY-4.0")), None);
        assert!(offence(Some("CC-BY-4.0")).is_some(), "what is shipped has not");
        assert!(offence_of_tool(Some("GPL-3.0-only")).is_some());
    }
}
