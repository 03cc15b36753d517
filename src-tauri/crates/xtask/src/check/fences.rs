//! Code in docs is said to be text: doc tests are not run, since building them takes longer than all other tests of a crate,
//! and what a public API does is tested where it lies.

use anyhow::{Context, Result};

use crate::repo::{Repo, files_under};

/// Every code block in a doc comment that rustdoc would take for a test.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for file in files_under(&repo.root.join("src-tauri"), &["target"])? {
        if file.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).with_context(|| format!("read {}", file.display()))?;
        let name = file.strip_prefix(&repo.root).unwrap_or(&file).display().to_string();
        all.extend(of_text(&text).map(|at| format!("{name}:{at}: a code block in docs begins with ```text")));
    }
    Ok(all)
}

/// The lines at which a block begins that is no text.
fn of_text(text: &str) -> impl Iterator<Item = usize> {
    let mut inside = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let line = line.trim_start();
        let doc = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))?.trim_start();
        let fence = doc.strip_prefix("```")?;
        inside = !inside;
        (inside && fence.trim() != "text").then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_text_or_an_offence() {
        let found = |text| of_text(text).collect::<Vec<_>>();
        assert_eq!(found("//! ```text\n//! a -> b\n//! ```\n"), [0; 0]);
        assert_eq!(found("/// ```\n/// let a = 1;\n/// ```\n"), [1], "rustdoc would run it");
        assert_eq!(found("let fence = \"```\";"), [0; 0], "what is no doc is no doc test");
    }
}
