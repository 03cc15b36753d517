//! What an owner takes, measured from outside.

use std::fs;
use std::io;
use std::path::Path;

/// The memory of a process (bytes): what of it is in the machine's.
pub(super) fn memory(pid: u32) -> io::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kb.map(|kb| kb * 1024).ok_or_else(|| io::Error::other("no VmRSS"))
}

/// The bytes of all files in a directory and below. What goes meanwhile counts nothing.
pub(super) fn disk(dir: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => disk(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
