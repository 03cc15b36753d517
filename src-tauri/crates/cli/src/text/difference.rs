//! Two runs compared, for people: as `diff -u` tells it.

use std::fmt::Write;

use signalbox_api::{DiffSide, Difference};
use signalbox_model::CallId;

use super::{Hue, sanitise, time};
use crate::console::Console;

/// What differs, or that nothing does.
pub(crate) fn told(call: CallId, difference: Option<&Difference>, console: &Console) -> String {
    let Some(Difference { earlier, ended_at, lines, left_out, cut }) = difference else {
        return format!(
            "Signalbox found no earlier run of the same tool with the arguments of {call}. It looks at the last 2,000 ended \
             tasks of the server.\n"
        );
    };
    let ended = time::both(*ended_at, console.now());
    let beginnings = if *cut { " Only the first MiB of each is compared." } else { "" };
    if lines.is_empty() {
        return format!("What came of {call} is what came of {earlier}, ended {ended}.{beginnings}\n");
    }
    let paint = console.paint();
    let mut text = format!("--- {earlier}, ended {ended}\n+++ {call}\n");
    for line in lines {
        let (hue, mark) = match line.of {
            DiffSide::Both => (Hue::Plain, " "),
            DiffSide::Earlier => (Hue::Red, "-"),
            DiffSide::Later => (Hue::Green, "+"),
            DiffSide::Gap => (Hue::Dim, "@@"),
        };
        let _ = writeln!(text, "{}", paint.on(hue, &format!("{mark}{}", sanitise::line(&line.text))));
    }
    if *left_out > 0 {
        let _ = writeln!(text, "{left_out} more lines are not shown");
    }
    if *cut {
        text.push_str("Only the first MiB of each is compared\n");
    }
    text
}
