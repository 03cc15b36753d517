//! Which rows a host has that names the shape of what it saw last: of a row that moved into its window it has nothing yet.

use std::collections::{HashSet, VecDeque};

/// How many windows are remembered. A host whose window is forgotten is given all of its rows.
const MOST: usize = 32;

/// Windows that were handed out.
#[derive(Debug, Default)]
pub(super) struct Seen(VecDeque<(u64, HashSet<u32>)>);

impl Seen {
    /// The numbers of the rows in a window of this shape.
    pub(super) fn ids(&mut self, shape: u64) -> Option<HashSet<u32>> {
        let at = self.0.iter().position(|(known, _)| *known == shape)?;
        let found = self.0.remove(at)?;
        let ids = found.1.clone();
        self.0.push_back(found);
        Some(ids)
    }

    /// Remembers a window that is handed out.
    pub(super) fn keep(&mut self, shape: u64, numbers: Vec<u32>) {
        if self.0.iter().any(|(known, _)| *known == shape) {
            return;
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back((shape, numbers.into_iter().collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_windows_that_hosts_have_now_stay() {
        let mut seen = Seen::default();
        seen.keep(0, vec![1, 2]);
        for shape in 1..MOST as u64 {
            seen.keep(shape, vec![]);
        }
        assert_eq!(seen.ids(0), Some([1, 2].into()), "it is remembered, and was named of late");
        seen.keep(99, vec![]);
        assert_eq!(seen.ids(1), None, "the one that nobody named for the longest time made room");
        assert_eq!(seen.ids(0), Some([1, 2].into()));
        assert_eq!(seen.0.len(), MOST);
    }
}
