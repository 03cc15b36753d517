//! npm packages, as lock files list them: the UI's, and those of the tools that tests run.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use super::licences;
use crate::repo::Repo;

const LOCK: &str = "package-lock.json";

/// Every locked package of the UI whose licence is not allowed.
pub(super) fn not_allowed(repo: &Repo) -> Result<Vec<String>> {
    let lock = read(&repo.ui().join(LOCK))?;
    let lock: Value = serde_json::from_str(&lock).context("package-lock.json is not JSON")?;
    let packages =
        lock.get("packages").and_then(Value::as_object).context("package-lock.json lists no packages")?;
    // The empty path is the UI itself.
    let foreign = packages.iter().filter(|(path, _)| !path.is_empty());
    Ok(foreign
        .filter_map(|(path, package)| {
            let licence = licence_of(package).or_else(|| licence_of(&installed(repo, path)?));
            let tool = package.get("dev").and_then(Value::as_bool).unwrap_or(false);
            let why = if tool {
                licences::offence_of_tool(licence.as_deref())?
            } else {
                licences::offence(licence.as_deref())?
            };
            Some(format!("{}: {why}", path.trim_start_matches("node_modules/")))
        })
        .collect())
}

/// The manifest of an installed package, for those whose licence the lock file leaves out.
fn installed(repo: &Repo, path: &str) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(repo.ui().join(path).join("package.json")).ok()?).ok()
}

/// The licence a lock entry or manifest names, also in the two outdated shapes.
fn licence_of(package: &Value) -> Option<String> {
    let one = |licence: &Value| {
        let text = licence.as_str().or_else(|| licence.get("type")?.as_str())?;
        Some(text.to_owned())
    };
    if let Some(licence) = package.get("license") {
        return one(licence);
    }
    let several: Vec<_> = package.get("licenses")?.as_array()?.iter().filter_map(one).collect();
    (!several.is_empty()).then(|| several.join(" OR "))
}

/// Lines that name the host a package came from: such a lock works only where that host is reached.
pub(super) fn recorded_hosts(repo: &Repo) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for lock in locks(repo)? {
        let name = lock.strip_prefix(&repo.root).unwrap_or(&lock).display();
        lines.extend(resolved_lines(&read(&lock)?).map(|line| format!("{name}:{line} holds \"resolved\"")));
    }
    Ok(lines)
}

/// Every lock file of this checkout: the UI's, and one for each folder of tests that has tools of others.
fn locks(repo: &Repo) -> Result<Vec<PathBuf>> {
    let mut locks = vec![repo.ui().join(LOCK)];
    let tests = repo.root.join("tests");
    for folder in std::fs::read_dir(&tests).with_context(|| format!("cannot read {}", tests.display()))? {
        locks.extend(Some(folder?.path().join(LOCK)).filter(|lock| lock.is_file()));
    }
    Ok(locks)
}

fn resolved_lines(lock: &str) -> impl Iterator<Item = usize> {
    lock.lines().enumerate().filter(|(_, line)| line.contains("\"resolved\"")).map(|(index, _)| index + 1)
}

fn read(lock: &Path) -> Result<String> {
    std::fs::read_to_string(lock).with_context(|| format!("cannot read {}", lock.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn licences_are_read_in_all_their_shapes() {
        assert_eq!(licence_of(&json!({"license": "MIT"})).as_deref(), Some("MIT"));
        assert_eq!(licence_of(&json!({"license": {"type": "ISC", "url": "x"}})).as_deref(), Some("ISC"));
        let several = json!({"licenses": [{"type": "MIT"}, {"type": "GPL-2.0-only"}]});
        assert_eq!(licence_of(&several).as_deref(), Some("MIT OR GPL-2.0-only"));
        assert_eq!(licence_of(&json!({"version": "1.0.0"})), None);
    }

    #[test]
    fn recorded_hosts_are_found_by_line() {
        let lock = "{\n  \"version\": \"1\",\n  \"resolved\": \"https://host/x.tgz\"\n}\n";
        assert_eq!(resolved_lines(lock).collect::<Vec<_>>(), [3]);
        assert_eq!(resolved_lines("{\"integrity\": \"sha512-\"}").count(), 0);
    }

    #[test]
    fn locks_of_tests_are_looked_at_too() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let repo = Repo { root: dir.path().to_owned(), target: dir.path().join("target") };
        for (folder, lock) in [("ui", "{}"), ("tests/tool", "{\n\"resolved\": \"https://host/x.tgz\"\n}")] {
            std::fs::create_dir_all(dir.path().join(folder)).expect("folder");
            std::fs::write(dir.path().join(folder).join(LOCK), lock).expect("file");
        }
        std::fs::create_dir_all(dir.path().join("tests/none")).expect("folder");
        let found = recorded_hosts(&repo).expect("readable");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with(":2 holds \"resolved\""), "{found:?}");
    }
}
