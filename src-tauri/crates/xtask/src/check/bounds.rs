//! BOUNDS.md names for each bound the constant that holds it and the test that fills it: both must be there.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::repo::Repo;

/// Everything in the table that is not in the tree.
pub(super) fn missing(repo: &Repo) -> Result<Vec<String>> {
    let file = repo.root.join("src-tauri/BOUNDS.md");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(offences(&text, &repo.root.join("src-tauri/crates")))
}

fn offences(table: &str, crates: &Path) -> Vec<String> {
    let rows: Vec<(usize, Vec<&str>)> = table
        .lines()
        .enumerate()
        .filter(|(_, line)| line.starts_with('|') && !line.starts_with("|-"))
        .map(|(index, line)| (index + 1, line.trim_matches('|').split('|').collect()))
        // The first one is the heading.
        .skip(1)
        .collect();
    if rows.is_empty() {
        return vec!["BOUNDS.md has no rows".to_owned()];
    }
    let mut offences = Vec::new();
    for (line, cells) in rows {
        let [_, _, constants, tests] = cells.as_slice() else {
            offences.push(format!("BOUNDS.md:{line}: a row has four cells"));
            continue;
        };
        for (cell, what, is_there) in
            [(constants, "constant", has_constant as fn(&Path, &str) -> bool), (tests, "test", has_test)]
        {
            let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
            if names.is_empty() {
                offences.push(format!("BOUNDS.md:{line}: no {what} is named"));
            }
            for name in names.into_iter().filter(|name| !is_there(crates, name)) {
                offences.push(format!("BOUNDS.md:{line}: there is no {what} {name}"));
            }
        }
    }
    offences
}

/// Whether there is `crate::module::NAME`, `crate::module::Type::NAME` or the field `crate::module::Type::name`.
fn has_constant(crates: &Path, path: &str) -> bool {
    let mut segments: Vec<&str> = path.split("::").collect();
    let Some(name) = segments.pop() else { return false };
    if segments.last().is_some_and(|last| last.starts_with(char::is_uppercase)) {
        segments.pop();
    }
    let Some((package, modules)) = segments.split_first() else { return false };
    let source = crates.join(package).join("src");
    let module = modules.iter().fold(source.clone(), |path, module| path.join(module));
    let files: [PathBuf; 2] = match modules {
        [] => [source.join("lib.rs"), source.join("main.rs")],
        _ => [module.with_extension("rs"), module.join("mod.rs")],
    };
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).any(|text| {
        text.lines().any(|line| {
            let line = line.trim_start();
            let shown =
                ["pub(crate) ", "pub(super) ", "pub "].iter().find_map(|word| line.strip_prefix(word));
            let said = shown.unwrap_or(line);
            let said = said.strip_prefix("const ").or_else(|| shown.is_some().then_some(said));
            said.and_then(|said| said.strip_prefix(name)).is_some_and(|rest| rest.starts_with(':'))
        })
    })
}

/// Whether there is the test `crate/path/to/file.rs::name`, and runs.
fn has_test(crates: &Path, path: &str) -> bool {
    let Some((file, name)) = path.rsplit_once("::") else { return false };
    let Ok(text) = fs::read_to_string(crates.join(file)) else { return false };
    let begins = format!("fn {name}(");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.iter().enumerate().any(|(at, line)| {
        let attributes = || lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
        line.strip_prefix("async ").unwrap_or(line).starts_with(&begins)
            && attributes().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
            && !attributes().any(|line| line.starts_with("#[ignore"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "pub(crate) const MOST: usize = 7;\npub struct Options {\n    pub limit: usize,\n    own: u8,\n}\n\
        impl Options {\n    const LONGEST: usize = 1;\n}\n// const GONE: usize = 1;\n";
    const TESTS: &str = "#[test]\nfn fills() {}\n#[tokio::test(start_paused = true)]\nasync fn waits() {}\n\
        fn helps() {}\n#[test]\n#[ignore = \"slow\"]\nfn rests() {}\n";

    fn found(constant: &str, test: &str) -> Vec<String> {
        let crates = tempfile::tempdir().expect("a folder");
        for (path, text) in
            [("mcp/src/a/b.rs", SOURCE), ("mcp/src/c/mod.rs", SOURCE), ("mcp/tests/x.rs", TESTS)]
        {
            let path = crates.path().join(path);
            fs::create_dir_all(path.parent().expect("has a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let table = format!(
            "# Bounds\n\n| What | Bound | Constant | Test |\n|---|---|---|---|\n| x | 7 | {constant} | {test} |\n"
        );
        offences(&table, crates.path())
    }

    #[test]
    fn what_is_named_is_found() {
        let constants =
            ["mcp::a::b::MOST", "mcp::c::MOST", "mcp::a::b::Options::limit", "mcp::c::Options::LONGEST"];
        for constant in constants {
            for test in ["fills", "waits"] {
                let found = found(&format!("`{constant}`"), &format!("`mcp/tests/x.rs::{test}`"));
                assert!(found.is_empty(), "{found:?}");
            }
        }
        let two =
            found("`mcp::c::MOST`, `mcp::a::b::MOST`", "`mcp/tests/x.rs::fills` and `mcp/tests/x.rs::waits`");
        assert!(two.is_empty(), "{two:?}");
    }

    #[test]
    fn what_is_not_there_is_said() {
        let fills = "`mcp/tests/x.rs::fills`";
        for constant in
            ["`mcp::a::b::GONE`", "`mcp::a::MOST`", "`mcp::a::b::Options::own`", "`mcp::a::b::MOS`", "seven"]
        {
            assert_eq!(found(constant, fills).len(), 1, "{constant}");
        }
        for test in
            ["`mcp/tests/x.rs::helps`", "`mcp/tests/x.rs::rests`", "`mcp/tests/y.rs::fills`", "`fills`", ""]
        {
            assert_eq!(found("`mcp::c::MOST`", test).len(), 1, "{test}");
        }
        assert_eq!(offences("| What |\n|---|\n| x |\n", Path::new(".")).len(), 1, "a row that lacks cells");
        assert_eq!(offences("nothing", Path::new(".")).len(), 1, "an empty table proves nothing");
    }
}
