//! `bindings`: the TypeScript that the api crate's types say, written to the UI or compared with what is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::cmd;
use crate::repo::{Profile, Repo, WORKSPACE, files_under};
use crate::steps::Steps;

/// Writes the bindings, or with `check` only compares.
pub(crate) fn bindings(repo: &Repo, check: bool) -> ExitCode {
    let mut steps = Steps::default();
    if check {
        steps.run("bindings diff", || compare(repo));
    } else {
        steps.run("bindings", || write(repo));
    }
    steps.finish()
}

fn committed(repo: &Repo) -> PathBuf {
    repo.ui().join("src/generated")
}

fn write(repo: &Repo) -> Result<()> {
    let dir = committed(repo);
    build(repo)?;
    let said = said(repo)?;
    let wanted = contents(said.path())?;
    let found = contents(&dir)?;
    for file in found.keys().filter(|file| !wanted.contains_key(*file)) {
        std::fs::remove_file(dir.join(file)).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    // What is equal stays untouched, so that nothing is built again for it.
    for (file, bytes) in wanted.iter().filter(|(file, bytes)| found.get(*file) != Some(bytes)) {
        let file = dir.join(file);
        std::fs::create_dir_all(file.parent().unwrap_or(&dir))?;
        std::fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Fails when what is committed is not what the api crate says.
fn compare(repo: &Repo) -> Result<()> {
    build(repo)?;
    compare_as_built(repo)
}

/// The same where everything has been built.
pub(crate) fn compare_as_built(repo: &Repo) -> Result<()> {
    let said = said(repo)?;
    let differences = differences(&contents(&committed(repo))?, &contents(said.path())?);
    if !differences.is_empty() {
        bail!(
            "ui/src/generated is not what the api crate says: {}. Run `cargo xtask bindings`",
            differences.join(", ")
        );
    }
    Ok(())
}

fn build(repo: &Repo) -> Result<()> {
    cmd::run(repo.cargo().arg("build").args(WORKSPACE).args(["--example", "bindings"]))
}

/// What the api crate says, in a folder of its own.
fn said(repo: &Repo) -> Result<tempfile::TempDir> {
    let dir = tempfile::tempdir().context("cannot make a temporary folder")?;
    cmd::run(Command::new(repo.program(Profile::Dev, "examples/bindings")).arg(dir.path()))?;
    if contents(dir.path())?.is_empty() {
        bail!("the api crate wrote no bindings");
    }
    Ok(dir)
}

type Contents = BTreeMap<PathBuf, Vec<u8>>;

fn contents(dir: &Path) -> Result<Contents> {
    if !dir.exists() {
        return Ok(Contents::new());
    }
    let mut contents = Contents::new();
    for file in files_under(dir, &[])? {
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        contents.insert(file.strip_prefix(dir).unwrap_or(&file).to_owned(), bytes);
    }
    Ok(contents)
}

/// One phrase per file that differs.
fn differences(committed: &Contents, said: &Contents) -> Vec<String> {
    let missing = said.keys().filter(|file| !committed.contains_key(*file));
    let extra = committed.keys().filter(|file| !said.contains_key(*file));
    let other = said.iter().filter(|(file, bytes)| committed.get(*file).is_some_and(|found| found != *bytes));
    missing
        .map(|file| format!("{} is missing", file.display()))
        .chain(extra.map(|file| format!("{} should not be there", file.display())))
        .chain(other.map(|(file, _)| format!("{} differs", file.display())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &str)]) -> Contents {
        list.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn every_kind_of_difference_is_named() {
        let committed = files(&[("Call.ts", "old"), ("Gone.ts", "x"), ("Same.ts", "s")]);
        let said = files(&[("Call.ts", "new"), ("New.ts", "y"), ("Same.ts", "s")]);
        assert_eq!(
            differences(&committed, &said),
            ["New.ts is missing", "Gone.ts should not be there", "Call.ts differs"]
        );
        assert!(differences(&said, &said).is_empty());
    }
}
