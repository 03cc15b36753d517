//! SIGUSR1 is WebKitGTK's: JavaScriptCore stops its threads by it. A program that takes it hangs its window, and one that is sent
//! it may end. So nothing of ours names it: no code, no script, and nothing that we package.
//!
//! Clippy refuses the calls that it knows of tokio (`.clippy.toml`); this looks at all other ways, in whatever language.

use std::path::Path;

use anyhow::{Context, Result};

use crate::repo::{Repo, files_under};

/// How it is called: by libc, shells and rustix, by tokio, and by its number.
const NAMES: [&str; 4] = ["usr1", "user_defined1", "kill -10", "kill -s 10"];

/// Folders with nothing of ours in them.
const NOT_OURS: [&str; 4] = [".git", "target", "node_modules", "dist"];

/// Files that name it, and why.
const MAY: [(&str, &str); 2] =
    [(".clippy.toml", "it forbids it"), ("src-tauri/crates/xtask/src/check/signals.rs", "it looks for it")];

/// Every line that names it.
pub(super) fn offences(repo: &Repo) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for file in files_under(&repo.root, &NOT_OURS)? {
        let name = file.strip_prefix(&repo.root).unwrap_or(&file);
        if may(name) || !file.is_file() {
            continue;
        }
        let bytes = std::fs::read(&file).with_context(|| format!("read {}", file.display()))?;
        // Images hold no source.
        if let Ok(text) = std::str::from_utf8(&bytes) {
            all.extend(
                of_text(text).map(|at| format!("{}:{at}: SIGUSR1 is WebKitGTK's alone", name.display())),
            );
        }
    }
    Ok(all)
}

/// What is told in documents is not what is used, and a hash in a lock file may have any letters.
fn may(file: &Path) -> bool {
    let is_document = file.extension().is_some_and(|extension| extension == "md");
    is_document || file.ends_with("package-lock.json") || MAY.iter().any(|(name, _)| file == Path::new(name))
}

/// The lines that name it. A comment may.
fn of_text(text: &str) -> impl Iterator<Item = usize> {
    let code = text.lines().enumerate().filter(|(_, line)| !is_comment(line.trim_start()));
    let named = code.filter(|(_, line)| {
        let line = line.to_ascii_lowercase();
        NAMES.iter().any(|name| line.contains(name))
    });
    named.map(|(at, _)| at + 1)
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with("# ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_by_each_of_its_names() {
        for line in [
            "kill_process(pid, Signal::USR1)",
            "signal(SignalKind::user_defined1())",
            "libc::signal(libc::SIGUSR1, handler)",
            "signal.signal(signal.SIGUSR1, dump)",
            "process.on(\"SIGUSR1\", dump)",
            "trap reload USR1",
            "ExecReload=kill -USR1 $MAINPID",
            "kill -10 $pid",
        ] {
            assert_eq!(of_text(&format!("first\n{line}\n")).collect::<Vec<_>>(), [2], "{line}");
        }
    }

    #[test]
    fn others_and_what_is_told_are_none() {
        let text = "Signal::TERM\nkill -1 $pid\n/usr/bin/env\n// SIGUSR1 is WebKit's.\n# never kill -USR1\n";
        assert_eq!(of_text(text).count(), 0);
        assert_eq!(of_text("#[cfg(unix)] signal(SIGUSR1)").count(), 1, "an attribute is no comment");
        assert!(may(Path::new("src-tauri/ARCHITECTURE.md")) && may(Path::new(".clippy.toml")));
        assert!(may(Path::new("ui/package-lock.json")), "a hash is no name");
        assert!(!may(Path::new("tests/.clippy.toml")) && !may(Path::new("src-tauri/src/main.rs")));
    }

    #[test]
    fn the_whole_tree_is_looked_at_but_for_what_is_not_ours() {
        let dir = tempfile::tempdir().expect("a folder");
        for (path, text) in [
            ("tests/faults/world.c", "raise(SIGUSR1);\n"),
            ("ui/vite.config.ts", "process.on('SIGUSR1', f)\n"),
            ("src-tauri/packaging/signalbox.service", "[Service]\nExecReload=kill -USR1 $MAINPID\n"),
            (".clippy.toml", "SIGUSR1\n"),
            ("README.md", "SIGUSR1\n"),
            ("ui/node_modules/x/index.js", "process.on('SIGUSR1', f)\n"),
            ("target/debug/x.rs", "SIGUSR1\n"),
        ] {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().expect("has a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        std::fs::write(dir.path().join("icon.png"), b"\xff\xd8 SIGUSR1").expect("a file");
        let root = dir.path().to_owned();
        let found = offences(&Repo { target: root.join("target"), root }).expect("all can be read");
        assert_eq!(
            found,
            [
                "src-tauri/packaging/signalbox.service:2: SIGUSR1 is WebKitGTK's alone",
                "tests/faults/world.c:1: SIGUSR1 is WebKitGTK's alone",
                "ui/vite.config.ts:1: SIGUSR1 is WebKitGTK's alone",
            ]
        );
    }
}
