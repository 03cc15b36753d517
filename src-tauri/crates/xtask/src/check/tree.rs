//! Finds in the tree what documents name: files, constants and tests.

use std::{fs, path::PathBuf};

/// The sources, by the names that documents give them.
pub(super) struct Tree {
    /// The repository.
    pub(super) root: PathBuf,
}

impl Tree {
    /// Whether there is `crate::module::NAME`, `crate::module::Type::NAME` or the field `crate::module::Type::name`; in
    /// the page, `ui/path/file.ts::NAME`.
    pub(super) fn has_constant(&self, path: &str) -> bool {
        if path.contains('/') {
            return self.has_constant_of_page(path);
        }
        let mut segments: Vec<&str> = path.split("::").collect();
        let Some(name) = segments.pop() else { return false };
        if segments.last().is_some_and(|last| last.starts_with(char::is_uppercase)) {
            segments.pop();
        }
        let Some((package, modules)) = segments.split_first() else { return false };
        let source = match *package {
            "desktop" => self.root.join("src-tauri/src"),
            package => self.root.join("src-tauri/crates").join(package).join("src"),
        };
        let module = modules.iter().fold(source.clone(), |path, module| path.join(module));
        let files: [PathBuf; 2] = match modules {
            [] => [source.join("lib.rs"), source.join("main.rs")],
            _ => [module.with_extension("rs"), module.join("mod.rs")],
        };
        files.iter().filter_map(|file| fs::read_to_string(file).ok()).any(|text| {
            text.lines().any(|line| {
                let line = line.trim_start();
                let shown = ["pub(crate) ", "pub(super) ", "pub(in crate::step) ", "pub "]
                    .iter()
                    .find_map(|word| line.strip_prefix(word));
                let said = shown.unwrap_or(line);
                let said = said.strip_prefix("const ").or_else(|| shown.is_some().then_some(said));
                said.and_then(|said| said.strip_prefix(name)).is_some_and(|rest| rest.starts_with(':'))
            })
        })
    }

    fn has_constant_of_page(&self, path: &str) -> bool {
        let Some((text, name)) = self.file(path) else { return false };
        text.lines().any(|line| {
            let said = line.strip_prefix("export ").unwrap_or(line).strip_prefix("const ");
            said.and_then(|said| said.strip_prefix(name)).is_some_and(|rest| rest.starts_with([':', ' ']))
        })
    }

    /// Whether there is the test `path/to/file.rs::name` or `ui/path/to/file.test.ts::what it says`, and runs.
    pub(super) fn has_test(&self, path: &str) -> bool {
        let Some((text, name)) = self.file(path) else { return false };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        if path.starts_with("ui/") {
            return ["test", "it"].iter().any(|word| {
                let begins = format!("{word}(\"{name}\",");
                lines.iter().any(|line| line.starts_with(&begins))
            });
        }
        let begins = format!("fn {name}(");
        lines.iter().enumerate().any(|(at, line)| {
            let attributes = || lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
            line.strip_prefix("async ").unwrap_or(line).starts_with(&begins)
                && attributes().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
                && !attributes().any(|line| line.starts_with("#[ignore"))
        })
    }

    /// The text of the file in `path/to/file::name`, and the name.
    fn file<'a>(&self, path: &'a str) -> Option<(String, &'a str)> {
        let (file, name) = path.split_once("::")?;
        Some((fs::read_to_string(self.folder(file).join(file)).ok()?, name))
    }

    /// Whether there is the file `path/to/file`, with paths as those of tests.
    pub(super) fn has_file(&self, path: &str) -> bool {
        self.folder(path).join(path).is_file()
    }

    fn folder(&self, path: &str) -> PathBuf {
        let above = ["ui/", "tests/", "src-tauri/"].iter().any(|folder| path.starts_with(folder));
        if above { self.root.clone() } else { self.root.join("src-tauri/crates") }
    }
}
