//! A file that says what something beside it was made from.

use std::path::PathBuf;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// The stamp of what was made from some parts.
pub(super) struct Stamp {
    file: PathBuf,
    value: String,
}

impl Stamp {
    /// The file should be gone whenever what was made is.
    pub(super) fn new(file: PathBuf, parts: &[impl AsRef<[u8]>]) -> Stamp {
        Stamp { file, value: digest(parts) }
    }

    /// Whether what is there was made from these very parts.
    pub(super) fn is_current(&self) -> bool {
        std::fs::read_to_string(&self.file).is_ok_and(|text| text == self.value)
    }

    /// Says so from now on.
    pub(super) fn set(&self) -> Result<()> {
        std::fs::write(&self.file, &self.value)
            .with_context(|| format!("cannot write {}", self.file.display()))
    }
}

/// SHA-256 in hexadecimal of the parts and of where each ends.
fn digest(parts: &[impl AsRef<[u8]>]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.as_ref().len() as u64).to_le_bytes());
        hash.update(part.as_ref());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_sees_content_and_boundaries() {
        assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]), "a name and a content never run together");
        assert_ne!(digest(&["ab"]), digest(&["ac"]));
    }

    #[test]
    fn a_stamp_holds_until_its_value_changes_or_it_is_removed() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let file = dir.path().join("made/.stamp");
        std::fs::create_dir_all(file.parent().expect("has a parent")).expect("folder");
        let stamp = Stamp::new(file.clone(), &["one"]);
        assert!(!stamp.is_current(), "nothing was made yet");
        stamp.set().expect("writable");
        assert!(stamp.is_current());
        assert!(!Stamp::new(file.clone(), &["two"]).is_current(), "from other parts");
        std::fs::remove_dir_all(dir.path().join("made")).expect("removable");
        assert!(!stamp.is_current(), "what was made is gone");
    }
}
