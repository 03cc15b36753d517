//! A doc comment says something. One word, such as "When." or "Which.", was written for the lint that asks for docs: it
//! names neither the thing, nor its unit, nor when it is absent, and a reader has to go and look anyway.

use anyhow::{Context, Result};

use crate::repo::{Repo, files_under};

/// Every doc comment of src-tauri's Rust that has one word, or none.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for file in files_under(&repo.root.join("src-tauri"), &["target"])? {
        if file.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).with_context(|| format!("read {}", file.display()))?;
        let name = file.strip_prefix(&repo.root).unwrap_or(&file).display().to_string();
        let found = of_text(&text).into_iter();
        all.extend(found.map(|at| format!("{name}:{at}: a doc comment of one word says nothing")));
    }
    Ok(all)
}

/// The lines at which a doc comment of one word begins. A doc comment is lines with the same mark, one after the other.
fn of_text(text: &str) -> Vec<usize> {
    let lines: Vec<_> = text.lines().map(doc).enumerate().collect();
    let mark = |line: Option<(&'static str, &str)>| line.map(|(mark, _)| mark);
    let comments = lines.chunk_by(|(_, line), (_, next)| mark(*line) == mark(*next));
    let short = comments.filter_map(|comment| {
        let (at, line) = *comment.first()?;
        line?;
        let said = comment.iter().filter_map(|(_, line)| *line);
        let words = said.flat_map(|(_, said)| said.split_whitespace()).count();
        (words < 2).then_some(at + 1)
    });
    short.collect()
}

/// The mark of a line of a doc comment, and what stands behind it.
fn doc(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    if line.starts_with("////") {
        return None;
    }
    ["///", "//!"].into_iter().find_map(|mark| Some((mark, line.strip_prefix(mark)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doc_of_one_word_is_an_offence() {
        assert_eq!(of_text("struct A {\n    /// When.\n    at: u64,\n}"), [2]);
        assert_eq!(of_text("//! Lists.\n\nfn f() {}"), [1], "of a module too");
        assert_eq!(of_text("///\nfn f() {}"), [1], "and one of none");
        assert_eq!(of_text("    /// `tasks/get`.\n    GetTask,\n    /// Which.\n    B,"), [1, 3]);
    }

    #[test]
    fn what_says_something_is_none() {
        assert_eq!(of_text("/// When it was sent, by our clock.\nat: u64,"), [0; 0]);
        assert_eq!(
            of_text("/// One\n/// sentence on two lines.\nfn f() {}"),
            [0; 0],
            "all lines are one comment"
        );
        assert_eq!(
            of_text("// When.\nlet a = 1; /// b\n//// ----"),
            [0; 0],
            "what is no doc has no reader of docs"
        );
    }
}
