//! One style of modules: what has a folder is `folder/mod.rs`, never `folder.rs` beside it.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::repo::{Repo, files_under};

/// Where Rust lies.
const SOURCES: [&str; 2] = ["src-tauri", "tests"];

/// Every module of the other style.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for source in SOURCES {
        let found = files_under(&repo.root.join(source), &["target", "node_modules"])?;
        files.extend(found.iter().filter_map(|file| file.strip_prefix(&repo.root).ok()).map(Path::to_owned));
    }
    Ok(of_files(&files))
}

fn of_files(files: &[PathBuf]) -> Vec<String> {
    let rust = || files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    let has_folder = |file: &Path| rust().any(|other| other.starts_with(file.with_extension("")));
    let beside = rust().filter(|file| has_folder(file));
    beside
        .map(|file| {
            let folder = file.with_extension("");
            format!("{}: a module with a folder is {}/mod.rs", file.display(), folder.display())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[&str]) -> Vec<String> {
        of_files(&files.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_module_with_a_folder_lies_in_it() {
        assert!(found(&["src/view/mod.rs", "src/view/task.rs", "src/views.rs"]).is_empty());
        assert_eq!(
            found(&["src/view.rs", "src/view/task.rs"]),
            ["src/view.rs: a module with a folder is src/view/mod.rs"]
        );
        assert_eq!(found(&["src/view.rs", "src/view/deep/task.rs"]).len(), 1, "however deep");
        assert!(found(&["src/bounds.rs", "src/bounds/table.md"]).is_empty(), "no module is in there");
    }
}
