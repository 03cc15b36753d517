//! What rows have in common, by part: a list is made anew only where a part changed that it goes by.

/// A part of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Which servers there are, and their names.
    Servers,
    /// The names of tools, in their order: no row's own changes by another one.
    Tools,
    /// What is known of following all tasks of a server.
    Tracking,
}

impl Part {
    pub(crate) const ALL: [Self; 3] = [Self::Servers, Self::Tools, Self::Tracking];
}

/// How often each part has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Versions([u64; 3]);

impl Versions {
    pub(crate) fn change(&mut self, part: Part) {
        self.0[part as usize] += 1;
    }

    /// Whether a part is another one than it was then.
    pub(crate) fn differ(self, then: Self, part: Part) -> bool {
        self.0[part as usize] != then.0[part as usize]
    }
}
