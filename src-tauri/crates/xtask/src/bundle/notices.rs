//! The licence texts of everything that is part of the programs: what they ask of those who pass copies on.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::repo::Repo;
use crate::setup::shipped_npm_packages;

/// The packages whose dependencies are shipped.
const PROGRAMS: [&str; 2] = ["signalbox-desktop", "signalbox-cli"];

const HEAD: &str =
    "Signalbox is made with the software below. Each part is followed by the licence it is used under.\n";

/// One document: every distinct text, below the parts it belongs to.
pub(super) fn of_third_parties(repo: &Repo) -> Result<String> {
    let metadata = MetadataCommand::new()
        .current_dir(&repo.root)
        .other_options(["--locked", "--filter-platform", &host()?].map(str::to_owned).to_vec())
        .exec()
        .context("cargo metadata --locked")?;
    let mut parts = BTreeMap::new();
    for package in shipped(&metadata)? {
        let folder = package.manifest_path.parent().context("BUG: a manifest lies in a folder")?;
        let licence = package.license.as_deref().unwrap_or_default();
        let name = format!("{} {} ({licence})", package.name, package.version);
        parts.insert(name, texts(folder.as_std_path())?);
    }
    for (name, folder) in shipped_npm_packages(repo)? {
        parts.insert(name, texts(&folder)?);
    }
    Ok(document(&parts))
}

/// The platform that is built for.
fn host() -> Result<String> {
    let about = crate::cmd::output(std::process::Command::new("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc names no host")
}

/// All foreign crates that are linked into the programs: neither tests nor build scripts.
fn shipped(metadata: &Metadata) -> Result<Vec<&cargo_metadata::Package>> {
    let resolve = metadata.resolve.as_ref().context("cargo metadata resolved nothing")?;
    let nodes: HashMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let ours = metadata.workspace_packages();
    let mut open: Vec<_> =
        ours.iter().filter(|package| PROGRAMS.contains(&package.name.as_str())).map(|p| &p.id).collect();
    let mut seen = HashSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let linked = nodes[id].deps.iter().filter(|dependency| {
                dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal)
            });
            open.extend(linked.map(|dependency| &dependency.pkg));
        }
    }
    Ok(metadata.packages.iter().filter(|p| p.source.is_some() && seen.contains(&p.id)).collect())
}

/// The licence texts in a package's folder. Where there is a choice with MIT in it, that is the one we use.
fn texts(folder: &Path) -> Result<BTreeSet<String>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && is_licence(&name) {
            files.push((name, path));
        }
    }
    let mit = files.iter().any(|(name, _)| name.contains("mit"));
    files.retain(|(name, _)| !mit || name.contains("mit") || name.starts_with("notice"));
    let read = |path: &Path| {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(tidy(&String::from_utf8_lossy(&bytes)))
    };
    files.iter().map(|(_, path)| read(path)).collect()
}

fn is_licence(name: &str) -> bool {
    ["license", "licence", "copying", "notice", "unlicense"].iter().any(|start| name.starts_with(start))
}

/// Without what differs between copies of one text.
fn tidy(text: &str) -> String {
    let lines: Vec<_> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n")
}

fn document(parts: &BTreeMap<String, BTreeSet<String>>) -> String {
    let mut by_texts: BTreeMap<&BTreeSet<String>, Vec<&str>> = BTreeMap::new();
    for (name, texts) in parts {
        by_texts.entry(texts).or_default().push(name);
    }
    let mut sections: Vec<_> = by_texts.into_iter().map(|(texts, names)| (names, texts)).collect();
    sections.sort();
    let mut document = HEAD.to_owned();
    for (names, texts) in sections {
        let _ = write!(document, "\n{}\n{}\n", "=".repeat(80), names.join("\n"));
        for text in texts {
            let _ = write!(document, "\n{text}\n");
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_choice_the_mit_text_is_taken_and_notices_stay() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in [("LICENSE-MIT", "mit \r\n"), ("LICENSE-APACHE", "apache"), ("README.md", "read")]
        {
            std::fs::write(dir.path().join(name), text).expect("writable");
        }
        assert_eq!(texts(dir.path()).expect("readable"), BTreeSet::from(["mit".to_owned()]));
        std::fs::write(dir.path().join("NOTICE"), "made by them").expect("writable");
        assert_eq!(texts(dir.path()).expect("readable").len(), 2);
        std::fs::remove_file(dir.path().join("LICENSE-MIT")).expect("removable");
        assert!(
            texts(dir.path()).expect("readable").contains("apache"),
            "without a choice it is what is there"
        );
    }

    #[test]
    fn one_text_is_printed_once_below_all_its_parts() {
        let text = || BTreeSet::from(["the text".to_owned()]);
        let parts = BTreeMap::from([
            ("a 1.0".to_owned(), text()),
            ("b 1.0".to_owned(), BTreeSet::new()),
            ("c 1.0".to_owned(), text()),
        ]);
        let document = document(&parts);
        assert_eq!(document.matches("the text").count(), 1);
        assert!(document.contains("a 1.0\nc 1.0\n\nthe text\n"), "{document}");
        assert!(document.contains("b 1.0\n"), "a part without a file is named all the same");
    }
}
