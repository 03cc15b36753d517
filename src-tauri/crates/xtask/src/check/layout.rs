//! What lies where: the names at the top, and the crates in the architecture's code map.

use anyhow::{Context, Result};
use cargo_metadata::Metadata;

use crate::repo::Repo;

/// Names at the top level that do not belong there. Dot files hold configuration and are free.
pub(super) fn unexpected_names(repo: &Repo) -> Result<Vec<String>> {
    let mut offences = Vec::new();
    for entry in std::fs::read_dir(&repo.root).context("cannot read the top level")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !is_allowed(&name) {
            offences.push(format!("{name} does not belong at the top level"));
        }
    }
    offences.sort();
    Ok(offences)
}

fn is_allowed(name: &str) -> bool {
    const NAMES: [&str; 7] = ["Cargo.toml", "Cargo.lock", "README.md", "icons", "src-tauri", "tests", "ui"];
    // `target` is cargo's and never committed.
    name.starts_with('.') || name.starts_with("LICENSE-") || name == "target" || NAMES.contains(&name)
}

/// Crates in `src-tauri/crates` that the code map of ARCHITECTURE.md does not name.
pub(super) fn missing_from_code_map(repo: &Repo, metadata: &Metadata) -> Result<Vec<String>> {
    let file = repo.root.join("src-tauri/ARCHITECTURE.md");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let crates = repo.root.join("src-tauri/crates");
    let folders = metadata.workspace_packages().into_iter().filter_map(|package| {
        let folder = package.manifest_path.parent()?;
        (folder.parent()?.as_std_path() == crates).then(|| folder.file_name())?
    });
    Ok(folders
        .filter(|folder| !names_folder(&text, folder))
        .map(|folder| format!("src-tauri/crates/{folder} is not in the code map of ARCHITECTURE.md"))
        .collect())
}

/// Whether the map names a crate's folder: `` `crates/model` ``, `` `model` `` or `model/` in a drawn tree.
fn names_folder(map: &str, folder: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    map.match_indices(folder).any(|(at, _)| {
        let before = map[..at].chars().next_back();
        let after = map[at + folder.len()..].chars().next();
        let starts = !before.is_some_and(is_part);
        starts && matches!((before, after), (_, Some('/')) | (Some('`' | '/'), Some('`')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_and_dot_files_lie_at_the_top() {
        for fine in ["Cargo.toml", "src-tauri", "LICENSE-MIT", ".github", "README.md", "target"] {
            assert!(is_allowed(fine), "{fine}");
        }
        for not in ["scripts", "package.json", "NOTES.md", "LICENSE", "Makefile"] {
            assert!(!is_allowed(not), "{not}");
        }
    }

    #[test]
    fn a_folder_is_named_as_a_path_or_as_code_not_as_a_word() {
        assert!(names_folder("- `crates/store`: SQLite", "store"));
        assert!(names_folder("| `store` | SQLite |", "store"));
        assert!(names_folder("    store/   SQLite", "store"));
        assert!(!names_folder("The store keeps handles.", "store"));
        assert!(!names_folder("see `restore` and keystore/", "store"), "a part of a word is another name");
    }
}
