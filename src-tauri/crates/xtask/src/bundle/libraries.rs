//! What of the system the programs need, as each kind of package declares it: a system that is too old is refused at
//! installation, not at the first start.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cmd;
use crate::repo::{Profile, Repo};

/// What opens pages in the person's browser, by the same name everywhere.
const OPENER: &str = "xdg-utils";

/// Tauri's bundler adds these to every .rpm by itself.
const FROM_BUNDLER: [&str; 2] = ["libwebkit2gtk-4.1.so.0", "libgtk-3.so.0"];

/// What a program wants of the C library whose relocations are packed (`src-tauri/build.rs`). It has no number, and Debian's tool
/// does not look at it.
const PACKED: &str = "GLIBC_ABI_DT_RELR";
/// The package for the .deb that knows them.
const KNOWS_PACKED: &str = "libc6 (>= 2.36)";

fn programs(repo: &Repo) -> [PathBuf; 2] {
    ["signalbox", "signalbox-desktop"].map(|name| repo.program(Profile::Dist, name))
}

/// Package names with versions for the .deb, as Debian's own tool finds them.
pub(super) fn of_deb(repo: &Repo) -> Result<Vec<String>> {
    // The tool insists on a source package around it.
    let dir = repo.scratch()?.join("shlibdeps");
    std::fs::create_dir_all(dir.join("debian"))
        .with_context(|| format!("cannot create {}", dir.display()))?;
    std::fs::write(
        dir.join("debian/control"),
        "Source: signalbox\n\nPackage: signalbox\nArchitecture: any\n",
    )?;
    let mut tool = Command::new("dpkg-shlibdeps");
    tool.current_dir(&dir).args(["-O", "--warnings=0"]);
    tool.args(programs(repo).map(|program| format!("-e{}", program.display())));
    let mut needed = parse_substitution(&cmd::output(&mut tool)?)?;
    needed.push(OPENER.to_owned());
    let headers =
        programs(repo).iter().map(|program| private_headers(program)).collect::<Result<String>>()?;
    if headers.contains(PACKED) {
        needed.push(KNOWS_PACKED.to_owned());
    }
    Ok(needed)
}

/// `shlibs:Depends=a (>= 1), b` as `a (>= 1)` and `b`.
fn parse_substitution(text: &str) -> Result<Vec<String>> {
    let line = text.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    let line = line.with_context(|| format!("dpkg-shlibdeps found no libraries: {text}"))?;
    Ok(line.split(',').map(|name| name.trim().to_owned()).collect())
}

/// Library names for the .rpm, which every family of systems that uses it knows; and the oldest C library.
pub(super) fn of_rpm(repo: &Repo) -> Result<Vec<String>> {
    let mut required = vec![OPENER.to_owned()];
    for program in programs(repo) {
        required.extend(required_by(&program)?);
    }
    required.sort();
    required.dedup();
    Ok(required)
}

fn required_by(program: &Path) -> Result<Vec<String>> {
    match parse_headers(&private_headers(program)?) {
        none if none.is_empty() => bail!("{} is linked to no library", program.display()),
        required => Ok(required),
    }
}

fn private_headers(program: &Path) -> Result<String> {
    cmd::output(Command::new("objdump").arg("--private-headers").arg(program))
}

fn parse_headers(headers: &str) -> Vec<String> {
    let bits = if cfg!(target_pointer_width = "64") { "(64bit)" } else { "" };
    let names = headers.lines().filter_map(|line| line.trim().strip_prefix("NEEDED"));
    // The loader comes with the C library.
    let names = names.map(str::trim).filter(|n| !n.starts_with("ld-linux") && !FROM_BUNDLER.contains(n));
    let mut required: Vec<_> = names.map(|name| format!("{name}(){bits}")).collect();
    let versions = headers.split_whitespace().filter(|word| *word != PACKED);
    let versions = versions.filter_map(|word| word.strip_prefix("GLIBC_"));
    if let Some(newest) = versions.max_by_key(|version| numbers(version)) {
        required.push(format!("libc.so.6(GLIBC_{newest}){bits}"));
    }
    if headers.contains(PACKED) {
        required.push(format!("libc.so.6({PACKED}){bits}"));
    }
    required
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|number| number.parse().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_names_are_read_with_their_versions() {
        let names = parse_substitution("shlibs:Depends=libc6 (>= 2.34), libgtk-3-0\n").expect("two names");
        assert_eq!(names, ["libc6 (>= 2.34)", "libgtk-3-0"]);
        assert!(parse_substitution("").is_err(), "a program without libraries was not looked at");
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn headers_name_libraries_and_versions_count_as_numbers() {
        let headers = "  NEEDED   libsoup-3.0.so.0\n  NEEDED   ld-linux-x86-64.so.2\n\
                       0x06969189 0x00 10 GLIBC_2.9\n0x09691a75 0x00 03 GLIBC_2.34\n0x0 0x00 02 GLIBC_2.2.5\n";
        let required = ["libsoup-3.0.so.0()(64bit)", "libc.so.6(GLIBC_2.34)(64bit)"];
        assert_eq!(parse_headers(headers), required);
        let packed = format!("{headers}0x0fd0e42f 0x00 04 GLIBC_ABI_DT_RELR\n");
        assert_eq!(
            parse_headers(&packed),
            [&required[..], &["libc.so.6(GLIBC_ABI_DT_RELR)(64bit)"]].concat(),
            "an older C library would not start it"
        );
    }
}
