//! Inputs that changed something: whose step had writes or effects. What a search of any length is measured by.

use std::cell::Cell;

use crate::Output;

thread_local! {
    static COUNTED: Cell<u64> = const { Cell::new(0) };
}

pub(crate) fn count(output: &Output) {
    if !output.writes.is_empty() || !output.after_commit.is_empty() {
        COUNTED.set(COUNTED.get() + 1);
    }
}

/// How many there were in this thread.
pub(crate) fn so_far() -> u64 {
    COUNTED.get()
}
