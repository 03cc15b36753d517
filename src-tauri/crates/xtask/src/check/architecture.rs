//! ARCHITECTURE.md is two pages, and each of its invariants is short and names what keeps it and what proves it.

use std::fs;

use anyhow::{Context, Result};

use super::tree::Tree;
use crate::repo::Repo;

/// So many words has the document at most.
const MOST_WORDS: usize = 1_900;

/// So many words has an invariant at most, without the paths under it.
const MOST_OF_ONE: usize = 40;

/// What of the document does not hold.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let file = repo.root.join("src-tauri/ARCHITECTURE.md");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(of(&text, &Tree { root: repo.root.clone() }))
}

fn of(text: &str, tree: &Tree) -> Vec<String> {
    let mut offences = Vec::new();
    let words = text.split_whitespace().count();
    if words > MOST_WORDS {
        offences.push(format!("ARCHITECTURE.md has {words} words: at most {MOST_WORDS}"));
    }
    let all = invariants(text);
    if all.is_empty() {
        offences.push("ARCHITECTURE.md has no invariants".to_owned());
    }
    for Invariant { number, words, paths } in all {
        if words > MOST_OF_ONE {
            offences.push(format!("invariant {number} has {words} words: at most {MOST_OF_ONE}"));
        }
        let (tests, files): (Vec<&str>, Vec<&str>) = paths.into_iter().partition(|path| path.contains("::"));
        if tests.is_empty() || files.is_empty() {
            offences.push(format!("invariant {number} names no file, or no test"));
        }
        let gone = files.into_iter().filter(|file| !tree.has_file(file));
        let gone = gone.chain(tests.into_iter().filter(|test| !tree.has_test(test)));
        offences.extend(gone.map(|path| format!("invariant {number}: there is no {path}")));
    }
    offences
}

/// One entry of the list.
struct Invariant<'a> {
    number: &'a str,
    /// How many words say it.
    words: usize,
    /// What the lines under it name.
    paths: Vec<&'a str>,
}

fn invariants(text: &str) -> Vec<Invariant<'_>> {
    let mut all: Vec<Invariant<'_>> = Vec::new();
    let lines = text.lines().skip_while(|line| *line != "## Invariants").skip(1);
    for line in lines.take_while(|line| !line.starts_with("## ")) {
        let number = line.split_once(". ").map(|(number, _)| number);
        if let Some(number) = number.filter(|number| number.parse::<u32>().is_ok()) {
            all.push(Invariant { number, words: 0, paths: Vec::new() });
        } else if !line.starts_with("   ") {
            continue;
        }
        let Some(last) = all.last_mut() else { continue };
        if line.trim_start().starts_with('`') {
            last.paths.extend(line.split('`').skip(1).step_by(2));
        } else {
            last.words += line.split_whitespace().count();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(invariant: &str) -> Vec<String> {
        let dir = tempfile::tempdir().expect("a folder");
        let source = dir.path().join("src-tauri/crates/a/src");
        fs::create_dir_all(&source).expect("a folder");
        fs::write(source.join("b.rs"), "#[test]\nfn holds() {}\n").expect("a file");
        let text = format!("# Rooms\n\n1. none\n\n## Invariants\n\n{invariant}\n\n## More\n\n2. none\n");
        of(&text, &Tree { root: dir.path().to_owned() })
    }

    #[test]
    fn an_invariant_with_its_file_and_its_test_holds() {
        let long = "word ".repeat(39);
        let held = format!("1. {long}\n   `a/src/b.rs` · `a/src/b.rs::holds`");
        assert_eq!(found(&held), Vec::<String>::new());
        let on_two = "1. Short.\n   `a/src/b.rs` ·\n   `a/src/b.rs::holds`";
        assert_eq!(found(on_two), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_hold_is_said() {
        let paths = "`a/src/b.rs` · `a/src/b.rs::holds`";
        for offence in [
            format!("1. {}\n   {paths}", "word ".repeat(40)),
            "1. Short.\n   `a/src/c.rs` · `a/src/b.rs::holds`".to_owned(),
            "1. Short.\n   `a/src/b.rs` · `a/src/b.rs::hold`".to_owned(),
            "1. Short.\n   `a/src/b.rs`".to_owned(),
            "1. Short.\n   `a/src/b.rs::holds`".to_owned(),
            "Nothing.".to_owned(),
            format!("1. Short.\n   {paths}\n{}", "word ".repeat(MOST_WORDS)),
        ] {
            assert_eq!(found(&offence).len(), 1, "{offence}");
        }
    }
}
