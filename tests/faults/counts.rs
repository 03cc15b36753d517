//! What was tried: counts by name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts by name. Clones count together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Counts {
    /// Counts these names from zero, so that what never happened is seen, too.
    pub(crate) fn of(names: &[&'static str]) -> Self {
        let counts = Self::default();
        counts.counts().extend(names.iter().map(|name| (*name, 0)));
        counts
    }

    pub(crate) fn count(&self, name: &'static str) {
        self.add(name, 1);
    }

    pub(crate) fn add(&self, name: &'static str, n: u64) {
        *self.counts().entry(name).or_default() += n;
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<&'static str, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = self.counts().iter().map(|(name, n)| format!("{name} {n}")).collect();
        f.write_str(&counts.join(" · "))
    }
}
