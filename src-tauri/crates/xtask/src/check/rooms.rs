//! The rooms of the engine's `step` know nothing of each other: a newcomer can change one with only that one in mind.
//!
//! A room names no other, and gets nothing of another by way of the crossing either (`passed_on`).

use std::path::Path;

use anyhow::{Context, Result};

use super::passed_on;
use crate::repo::{Repo, files_under};

/// Where they lie.
const STEP: &str = "src-tauri/crates/engine/src/step";

/// Each room, with the names that are another's: of its folder, and of what it owns.
const ROOMS: [(&str, &[&str]); 4] = [
    ("call", &["server", "legacy", "Servers", "Station", "Sessions", "Session", "Rooms"]),
    ("server", &["call", "legacy", "question", "Calls", "Live", "Sessions", "Session", "Question", "Rooms"]),
    ("legacy", &["call", "server", "Calls", "Live", "Servers", "Station", "Rooms"]),
    (
        "question",
        &["call", "server", "legacy", "Calls", "Live", "Servers", "Station", "Sessions", "Session", "Rooms"],
    ),
];

/// Every line of a room that names another, or what is another's.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let read =
        |file: &Path| std::fs::read_to_string(file).with_context(|| format!("read {}", file.display()));
    let step = repo.root.join(STEP);
    let passed = passed_on::passed_on(&read(&step.join("mod.rs"))?);
    let mut all = Vec::new();
    for (room, others) in ROOMS {
        for file in files_under(&step.join(room), &[])? {
            let text = read(&file)?;
            let name = file.strip_prefix(&repo.root).unwrap_or(&file).display().to_string();
            all.extend(of_text(&text, others).map(|(at, other)| format!("{name}:{at}: names {other}")));
            let theirs = passed_on::of_text(&text, depth(&file, &step), &passed, others);
            all.extend(theirs.iter().map(|(at, theirs)| {
                format!("{name}:{at}: has {} of {} by way of step/mod.rs", theirs.name, theirs.room)
            }));
        }
    }
    Ok(all)
}

/// How many modules below `step` a file lies.
fn depth(file: &Path, step: &Path) -> usize {
    let below = file.strip_prefix(step).unwrap_or(file).components().count();
    if file.ends_with("mod.rs") { below - 1 } else { below }
}

/// The lines that name another room, with what they name: a type of its own, or its folder in a path.
fn of_text<'a>(text: &'a str, others: &'a [&'a str]) -> impl Iterator<Item = (usize, &'a str)> {
    let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.flat_map(|(at, line)| {
        let named = others.iter().filter(move |other| {
            let is_type = other.starts_with(char::is_uppercase);
            words(line).any(|(word, rest)| word == **other && (is_type || rest.starts_with("::")))
        });
        named.map(move |other| (at + 1, *other))
    })
}

/// The words of a line, each with what follows it.
fn words(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts = line
        .char_indices()
        .filter(move |(at, c)| is_word(*c) && !line[..*at].chars().next_back().is_some_and(is_word));
    starts.map(move |(at, _)| {
        let rest = &line[at..];
        rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_names_no_other() {
        let found = |text| of_text(text, &["server", "Station"]).collect::<Vec<_>>();
        assert_eq!(found("use super::super::server::Gate;"), [(1, "server")]);
        assert_eq!(found("let a = 1;\nfn f(station: &Station) {}"), [(2, "Station")]);
        assert_eq!(
            found("let server = self.server(); // a Stationer"),
            [],
            "a word of ours is none of theirs"
        );
        assert_eq!(depth(Path::new("s/call/mod.rs"), Path::new("s")), 1, "a folder is a module");
        assert_eq!(depth(Path::new("s/call/poll.rs"), Path::new("s")), 2);
        assert_eq!(found("/// See [`super::server::Gate`]."), [], "what is told is not what is used");
    }
}
