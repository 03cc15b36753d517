//! What to type is the command line's to say: texts that the window shows, too, name no command of ours.

use std::path::Path;

use anyhow::{Context, Result};

use crate::repo::{Repo, files_under};

/// Whose texts reach the window.
const SHOWN: [&str; 7] = [
    "src-tauri/src",
    "src-tauri/crates/engine/src",
    "src-tauri/crates/api/src",
    "src-tauri/crates/store/src",
    "src-tauri/crates/mcp/src",
    "src-tauri/crates/signin/src",
    "src-tauri/crates/notify/src",
];

/// Lines that may look like one: the file, what stands there, and why nobody takes it for advice.
const NO_ADVICE: [(&str, &str, &str); 1] =
    [("signin/src/encrypted.rs", "signalbox secrets 1", "it marks a file, and is never shown")];

/// Every line of theirs that names a command.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for folder in SHOWN {
        for file in files_under(&repo.root.join(folder), &[])? {
            let text = std::fs::read_to_string(&file).with_context(|| format!("read {}", file.display()))?;
            let name = file.strip_prefix(&repo.root).unwrap_or(&file);
            let said = of_text(name, &text);
            all.extend(
                said.map(|at| {
                    format!("{}:{at}: names a command, which only cli/src/text may", name.display())
                }),
            );
        }
    }
    Ok(all)
}

/// The lines with a string that names a command.
fn of_text<'a>(file: &'a Path, text: &'a str) -> impl Iterator<Item = usize> + 'a {
    let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let named = code.filter(|(_, line)| names_a_command(line.split(" // ").next().unwrap_or_default()));
    named.filter(|(_, line)| !is_no_advice(file, line)).map(|(at, _)| at + 1)
}

/// Outside of comments nothing but a string has a backtick or a blank after our program's name. What follows the blank
/// tells it from a sentence about Signalbox, which has a capital.
fn names_a_command(line: &str) -> bool {
    line.match_indices("signalbox").any(|(at, name)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let is_command = after.strip_prefix(' ').is_some_and(|next| next.starts_with(char::is_alphanumeric));
        before.ends_with('`') || is_command
    })
}

fn is_no_advice(file: &Path, line: &str) -> bool {
    NO_ADVICE.iter().any(|(place, what, _)| file.ends_with(place) && line.contains(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<usize> {
        of_text(Path::new("src-tauri/crates/api/src/x.rs"), text).collect()
    }

    #[test]
    fn a_text_that_the_window_shows_names_no_command() {
        assert_eq!(found("let a = 1;\nlet b = \"run `signalbox doctor` again\";"), [2]);
        assert_eq!(found("\"`signalbox` works without one\""), [1], "the program alone is one, too");
        assert_eq!(
            found("    or signalbox serve, which goes on\","),
            [1],
            "so it is without marks, in a second line"
        );
        assert_eq!(
            found("\"see https://x.example/ and `signalbox doctor`\""),
            [1],
            "an address is no comment"
        );
    }

    #[test]
    fn what_nobody_reads_may_name_one() {
        assert_eq!(
            found("//! Leaves the tasks to `signalbox serve`.\nstart(); // `signalbox serve`"),
            [0; 0]
        );
        assert_eq!(found("use signalbox_api::Home;\nconst PROGRAM: &str = \"signalbox\";"), [0; 0]);
        assert_eq!(found("\"Signalbox does not know it\""), [0; 0], "that is our name, not the command's");
        let mark = "const MAGIC: &[u8] = b\"signalbox secrets 1\\n\";";
        assert_eq!(found(mark), [1], "only where it marks the file");
        assert_eq!(of_text(Path::new("src-tauri/crates/signin/src/encrypted.rs"), mark).count(), 0);
    }
}
