//! The page's scripts are compiled simply, and only where they run very often. WebKit's compilers take a tenth of the page's memory,
//! and little in the page runs that often: it waits for the desk and for WebKit's drawing (`cargo xtask bench -- frames board`).
//! Without any compiler it would take less still, and lists that change would stutter.

use std::{env, sync::OnceLock};

use webkit2gtk::glib;

/// What WebKit reads in each of its processes: no compiler but the first, and that one only for what has run 5,000 times, not 500.
const VARIABLES: [(&str, &str); 2] = [("JSC_useDFGJIT", "0"), ("JSC_thresholdForJITAfterWarmUp", "5000")];

/// Which of them are ours: what a person says of one counts for all that they start.
static OURS: OnceLock<Vec<&str>> = OnceLock::new();

/// Has WebKit compile so. This must be the first thing that the program does: as long as it has no other thread none reads the
/// environment that this changes.
pub(crate) fn compile_simply() {
    let ours = VARIABLES
        .into_iter()
        .filter(|(name, value)| env::var_os(name).is_none() && glib::setenv(name, value, false).is_ok());
    OURS.set(ours.map(|(name, _)| name).collect()).expect("BUG: it is done once");
}

/// What other programs must not inherit.
pub(crate) fn not_inherited() -> &'static [&'static str] {
    OURS.get().map_or(&[], Vec::as_slice)
}
