//! The page's scripts are compiled once, and simply. WebKit's compilers for what runs often take a tenth of the page's memory, and
//! nothing in the page runs that often: it waits for the desk and for WebKit's drawing (`cargo xtask bench -- frames board`). Without
//! any compiler it would take less still, and lists that change would stutter.

use std::{env, sync::OnceLock};

use webkit2gtk::glib;

/// WebKit reads it in each of its processes.
const VARIABLE: &str = "JSC_useDFGJIT";

/// Whether it is ours: what a person says of it counts for all that they start.
static OURS: OnceLock<bool> = OnceLock::new();

/// Has WebKit leave those compilers out. This must be the first thing that the program does: as long as it has no other thread
/// none reads the environment that this changes.
pub(crate) fn compile_simply() {
    let ours = env::var_os(VARIABLE).is_none() && glib::setenv(VARIABLE, "0", false).is_ok();
    OURS.set(ours).expect("BUG: it is done once");
}

/// What other programs must not inherit.
pub(crate) fn not_inherited() -> Option<&'static str> {
    OURS.get().is_some_and(|ours| *ours).then_some(VARIABLE)
}
