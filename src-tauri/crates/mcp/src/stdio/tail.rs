//! The last lines a child wrote that are no messages, for diagnostics.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What one line may have of it, in bytes.
const LINE: usize = 4 * 1024;
/// What an error quotes of it, in bytes.
const QUOTE: usize = 4 * 1024;

/// A ring of lines with a limit in bytes.
pub(super) struct Tail {
    limit: usize,
    ring: Mutex<Ring>,
}

#[derive(Default)]
struct Ring {
    lines: VecDeque<String>,
    bytes: usize,
}

impl Tail {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, ring: Mutex::default() }
    }

    /// Adds a line, cut to its first few KiB.
    pub(super) fn push(&self, line: &[u8]) {
        let line = String::from_utf8_lossy(&line[..line.len().min(LINE)]).into_owned();
        let mut ring = self.ring();
        ring.bytes += line.len();
        ring.lines.push_back(line);
        // A line costs more than its bytes: without the second bound empty lines would gather for ever.
        while ring.bytes > self.limit || ring.lines.len() > self.limit / 16 {
            let Some(first) = ring.lines.pop_front() else { break };
            ring.bytes -= first.len();
        }
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.ring().lines.iter().cloned().collect()
    }

    /// The last lines as one text, for an error.
    pub(super) fn text(&self) -> String {
        let ring = self.ring();
        let mut bytes = 0;
        let last = ring.lines.iter().rev().take_while(|line| {
            bytes += line.len() + 1;
            bytes <= QUOTE
        });
        let mut lines: Vec<&str> = last.map(String::as_str).collect();
        lines.reverse();
        lines.join("\n")
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_lines_within_its_limits() {
        let tail = Tail::new(64);
        for n in 0..1000 {
            tail.push(format!("line {n}").as_bytes());
        }
        assert_eq!(tail.lines(), ["line 996", "line 997", "line 998", "line 999"]);
        assert_eq!(tail.text(), "line 996\nline 997\nline 998\nline 999");
        for _ in 0..1000 {
            tail.push(b"");
        }
        assert_eq!(tail.lines(), ["", "", "", ""], "empty lines are bounded too");
    }

    #[test]
    fn cuts_endless_lines_and_takes_any_bytes() {
        let tail = Tail::new(64 * 1024);
        tail.push(&vec![0xFF; 1 << 20]);
        assert_eq!(tail.lines()[0].chars().count(), LINE, "one U+FFFD per byte that was kept");
    }
}
