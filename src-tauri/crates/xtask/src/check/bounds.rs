//! BOUNDS.md names for each bound the constant that holds it and the test that fills it: both must be there.

use std::fs;

use anyhow::{Context, Result};

use super::tree::Tree;
use crate::repo::Repo;

/// Everything in the table that is not in the tree.
pub(super) fn missing(repo: &Repo) -> Result<Vec<String>> {
    let file = repo.root.join("src-tauri/BOUNDS.md");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(offences(&text, &Tree { root: repo.root.clone() }))
}

fn offences(table: &str, tree: &Tree) -> Vec<String> {
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
        for (cell, what, is_there) in [
            (constants, "constant", Tree::has_constant as fn(&Tree, &str) -> bool),
            (tests, "test", Tree::has_test),
        ] {
            let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
            if names.is_empty() {
                offences.push(format!("BOUNDS.md:{line}: no {what} is named"));
            }
            for name in names.into_iter().filter(|name| !is_there(tree, name)) {
                offences.push(format!("BOUNDS.md:{line}: there is no {what} {name}"));
            }
        }
    }
    offences
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const SOURCE: &str = "pub(crate) const MOST: usize = 7;\npub struct Options {\n    pub limit: usize,\n    own: u8,\n}\n\
        impl Options {\n    const LONGEST: usize = 1;\n}\n// const GONE: usize = 1;\n";
    const TESTS: &str = "#[test]\nfn fills() {}\n#[tokio::test(start_paused = true)]\nasync fn waits() {}\n\
        fn helps() {}\n#[test]\n#[ignore = \"slow\"]\nfn rests() {}\n";
    const PAGE: &str = "const KEPT = 3\nexport const MOST: number = 7\n";
    const TESTS_OF_PAGE: &str = "test(\"the rest goes\", () => {\n  it(\"is: bound\", async () => {\n\
        test.skip(\"is left out\", () => {\n";

    fn found(constant: &str, test: &str) -> Vec<String> {
        let dir = tempfile::tempdir().expect("a folder");
        for (path, text) in [
            ("src-tauri/crates/mcp/src/a/b.rs", SOURCE),
            ("src-tauri/crates/mcp/src/c/mod.rs", SOURCE),
            ("src-tauri/crates/mcp/tests/x.rs", TESTS),
            ("src-tauri/src/d.rs", SOURCE),
            ("tests/x/y.rs", TESTS),
            ("ui/src/e/f.ts", PAGE),
            ("ui/src/e/f.test.tsx", TESTS_OF_PAGE),
        ] {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().expect("has a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let table = format!(
            "# Bounds\n\n| What | Bound | Constant | Test |\n|---|---|---|---|\n| x | 7 | {constant} | {test} |\n"
        );
        offences(&table, &tree(dir.path()))
    }

    fn tree(root: &Path) -> Tree {
        Tree { root: root.to_owned() }
    }

    #[test]
    fn what_is_named_is_found() {
        let constants = [
            "mcp::a::b::MOST",
            "mcp::c::MOST",
            "mcp::a::b::Options::limit",
            "mcp::c::Options::LONGEST",
            "desktop::d::MOST",
            "ui/src/e/f.ts::KEPT",
            "ui/src/e/f.ts::MOST",
        ];
        let tests = [
            "mcp/tests/x.rs::fills",
            "mcp/tests/x.rs::waits",
            "tests/x/y.rs::fills",
            "ui/src/e/f.test.tsx::the rest goes",
            "ui/src/e/f.test.tsx::is: bound",
        ];
        for constant in constants {
            for test in tests {
                let found = found(&format!("`{constant}`"), &format!("`{test}`"));
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
        for constant in [
            "`mcp::a::b::GONE`",
            "`mcp::a::MOST`",
            "`mcp::a::b::Options::own`",
            "`mcp::a::b::MOS`",
            "`desktop::d::GONE`",
            "`ui/src/e/f.ts::KEP`",
            "`ui/src/e/g.ts::KEPT`",
            "seven",
        ] {
            assert_eq!(found(constant, fills).len(), 1, "{constant}");
        }
        for test in [
            "`mcp/tests/x.rs::helps`",
            "`mcp/tests/x.rs::rests`",
            "`mcp/tests/y.rs::fills`",
            "`tests/x/z.rs::fills`",
            "`ui/src/e/f.test.tsx::is left out`",
            "`ui/src/e/f.test.tsx::the rest`",
            "`fills`",
            "",
        ] {
            assert_eq!(found("`mcp::c::MOST`", test).len(), 1, "{test}");
        }
        let here = tree(Path::new("."));
        assert_eq!(offences("| What |\n|---|\n| x |\n", &here).len(), 1, "a row that lacks cells");
        assert_eq!(offences("nothing", &here).len(), 1, "an empty table proves nothing");
    }
}
