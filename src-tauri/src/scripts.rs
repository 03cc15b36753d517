//! The page's scripts are interpreted, never compiled to machine code. They wait for the desk and for WebKit's drawing: lists scroll
//! and letters appear as fast (`cargo xtask bench -- frames board`). A compiler would take a fifth of what the page takes of memory,
//! and a hostile text could make it err.

use std::{env, sync::OnceLock};

use webkit2gtk::glib;

/// WebKit reads it in each of its processes.
const VARIABLE: &str = "JSC_useJIT";

/// Whether it is ours: what a person says of it counts for all that they start.
static OURS: OnceLock<bool> = OnceLock::new();

/// Has WebKit interpret them. This must be the first thing that the program does: as long as it has no other thread none reads the
/// environment that this changes.
pub(crate) fn interpret() {
    let ours = env::var_os(VARIABLE).is_none() && glib::setenv(VARIABLE, "0", false).is_ok();
    OURS.set(ours).expect("BUG: it is done once");
}

/// What other programs must not inherit.
pub(crate) fn not_inherited() -> Option<&'static str> {
    OURS.get().is_some_and(|ours| *ours).then_some(VARIABLE)
}
