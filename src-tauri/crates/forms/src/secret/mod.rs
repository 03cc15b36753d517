//! Which values are secrets: told by what a schema calls them, since its only other words for it are `format: password` and
//! `writeOnly`.
//!
//! A server must ask for such things on a page of its own (URL mode), and many ask in a form all the same. What is marked here
//! is masked wherever it is shown and kept by nobody, so a name is taken for one rather too often than too seldom; but what
//! only has such a word in it (`tokens_left`, `passport`, `pinned`) is none: it is the end of a name that says what the value is.

mod content;
mod declared;
mod draft;
mod names;

use serde_json::Value;

use crate::spec::FieldKind;
use crate::view::View;
use declared::Declared;

pub use content::{SecretAt, replaced, secrets, values_at};
pub use draft::without_secrets;
pub use names::names_secret;

/// Whether a field asks for a secret, or has one in what is nested in it. Yes and no is none, nor is what everybody can choose
/// from a list.
pub(crate) fn is_asked(
    kind: &FieldKind,
    view: &View<'_>,
    (root, node): (&Value, &Value),
    name: &str,
) -> bool {
    let is_told = || names_secret(name) || declared::is_marked(view) || declared::is_titled(view);
    match kind {
        FieldKind::Boolean | FieldKind::Select { .. } | FieldKind::MultiSelect { .. } => false,
        FieldKind::Json { .. } => is_told() || Declared::of(root, node).is_any(),
        FieldKind::Text { .. } | FieldKind::Integer { .. } | FieldKind::Number { .. } => is_told(),
    }
}

/// Whether a schema declares a secret anywhere in it.
pub(crate) fn is_declared(root: &Value) -> bool {
    Declared::of(root, root).is_any()
}

#[cfg(test)]
mod tests;
