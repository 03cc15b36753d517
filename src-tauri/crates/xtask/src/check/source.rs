//! Rules on the UI's source: one folder knows the shell, and a server's text never becomes markup.

use std::path::Path;

use anyhow::{Context, Result};

use crate::repo::{Repo, files_under};

const SHELL: &str = "@tauri-apps";
const RAW_HTML: [&str; 4] = ["dangerouslySetInnerHTML", "innerHTML", "outerHTML", "insertAdjacentHTML"];

/// Every line that breaks a rule.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let src = repo.ui().join("src");
    let mut offences = Vec::new();
    for file in files_under(&src, &[])? {
        let relative = file.strip_prefix(&src).unwrap_or(&file);
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        // Images and fonts hold no source.
        if let Ok(text) = std::str::from_utf8(&bytes) {
            offences.extend(in_file(relative, text));
        }
    }
    Ok(offences)
}

fn in_file(file: &Path, text: &str) -> Vec<String> {
    let is_host = file.starts_with("host");
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines
        .filter_map(|(number, line)| {
            let why = if !is_host && line.contains(SHELL) {
                "only ui/src/host knows Tauri"
            } else if RAW_HTML.iter().any(|name| line.contains(name)) {
                "text from a server is never markup"
            } else {
                return None;
            };
            Some(format!("ui/src/{}:{number}: {why}", file.display()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_host_names_the_shell() {
        let line = "import { invoke } from \"@tauri-apps/api/core\";\n";
        assert!(in_file(Path::new("host/tauri.ts"), line).is_empty());
        assert_eq!(
            in_file(Path::new("store/desk.ts"), line),
            ["ui/src/store/desk.ts:1: only ui/src/host knows Tauri"]
        );
        assert_eq!(in_file(Path::new("hosted/x.ts"), line).len(), 1, "a folder is compared as a whole");
    }

    #[test]
    fn raw_html_is_found_everywhere() {
        let text = "const a = 1;\nnode.innerHTML = a;\n<p dangerouslySetInnerHTML={x} />\n";
        assert_eq!(in_file(Path::new("host/x.tsx"), text).len(), 2);
        assert!(in_file(Path::new("forms/Field.tsx"), "<p>{message}</p>").is_empty());
    }
}
