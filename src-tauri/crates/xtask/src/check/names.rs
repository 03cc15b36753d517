//! No public type has the name of another: whoever reads a name knows what is meant, in whatever crate.
//!
//! A type that is `pub` in the source of two crates is an offence. What is `pub(crate)` does not count, nor what tests
//! declare. Two of one name within a crate are none either: there they are one thing, built for different systems.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use crate::repo::{Repo, files_under};

/// Where the crates lie.
const CRATES: &str = "src-tauri/crates";

/// What a type is declared by.
const KINDS: [&str; 5] = ["struct", "enum", "union", "trait", "type"];

/// Every name that types of several crates have.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let crates = repo.root.join(CRATES);
    let mut sources = Vec::new();
    for file in files_under(&crates, &["tests", "target"])? {
        let name = file.strip_prefix(&crates).unwrap_or(&file);
        if is_source(name) {
            let text = std::fs::read_to_string(&file).with_context(|| format!("read {}", file.display()))?;
            sources.push((name.display().to_string(), text));
        }
    }
    Ok(of_sources(&sources))
}

/// Whether a file, named from the folder of all crates, is compiled into its crate: tests are not.
fn is_source(file: &Path) -> bool {
    file.iter().nth(1).is_some_and(|folder| folder == "src")
        && file.extension().is_some_and(|extension| extension == "rs")
        && !file.ends_with("tests.rs")
}

/// The same for the text of each file.
fn of_sources(sources: &[(String, String)]) -> Vec<String> {
    let mut types: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
    for (file, text) in sources {
        let owner = file.split(['/', '\\']).next().unwrap_or_default();
        for (line, name) in public_types(text) {
            types.entry(name).or_default().push((owner, format!("{file}:{line}")));
        }
    }
    let twice = types.into_iter().filter(|(_, places)| places.iter().any(|(owner, _)| *owner != places[0].0));
    twice
        .map(|(name, places)| {
            let places: Vec<_> = places.into_iter().map(|(_, place)| place).collect();
            format!("{name} is the name of several public types: {}", places.join(", "))
        })
        .collect()
}

/// The types that a file declares for other crates, each with its line. Behind the beginning of its tests are none.
fn public_types(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.lines().enumerate().take_while(|(_, line)| *line != "mod tests {");
    code.filter_map(|(at, line)| {
        let mut words = line.trim_start().strip_prefix("pub ")?.split_whitespace();
        let name =
            words.find(|word| *word != "unsafe").filter(|kind| KINDS.contains(kind)).and(words.next())?;
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        Some((at + 1, &name[..end])).filter(|(_, name)| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sources: &[(&str, &str)]) -> Vec<String> {
        let owned: Vec<_> =
            sources.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
        of_sources(&owned)
    }

    #[test]
    fn no_public_type_has_the_name_of_another_crates() {
        let (one, two) = ("pub struct Round {\n}\n", "use x;\n\npub enum Round<'a> {}\n");
        assert_eq!(
            found(&[("mcp/src/tool.rs", one), ("store/src/rounds.rs", two)]),
            ["Round is the name of several public types: mcp/src/tool.rs:1, store/src/rounds.rs:3"]
        );
        assert_eq!(
            found(&[("notify/src/bus.rs", one), ("notify/src/native.rs", two)]),
            [""; 0],
            "for two systems"
        );
        assert_eq!(found(&[("a/src/x.rs", one), ("b/src/y.rs", "pub fn Round() {}")]), [""; 0], "no type");
    }

    #[test]
    fn what_no_other_crate_sees_may_have_any_name() {
        let shown = ("a/src/x.rs", "pub trait Round: Sized {}");
        assert_eq!(found(&[shown, ("b/src/y.rs", "pub(crate) struct Round;\nstruct Round;")]), [""; 0]);
        assert_eq!(
            found(&[shown, ("b/src/y.rs", "#[cfg(test)]\nmod tests {\n    pub struct Round;\n}")]),
            [""; 0]
        );
        assert!(!is_source(Path::new("b/src/view/tests.rs")) && !is_source(Path::new("b/examples/y.rs")));
        assert!(is_source(Path::new("b/src/view/task.rs")));
    }
}
