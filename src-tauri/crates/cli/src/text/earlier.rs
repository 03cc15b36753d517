//! What was said before to the same question of the same tool.

use signalbox_api::RequestRow;
use signalbox_model::Word as _;

use super::{answered::content, time};
use crate::console::Console;

/// One line for each, below a line of their own; nothing where there is none.
pub(crate) fn answers(earlier: &[RequestRow], console: &Console) -> String {
    let now = console.now();
    let given = earlier.iter().filter_map(|row| {
        let answer = row.answer.as_ref()?;
        let (action, at) = (answer.action.word(), time::both(answer.decided_at, now));
        Some(format!("  {}  {at}  {action}{}\n", row.id, content(answer)))
    });
    let lines: String = given.collect();
    if lines.is_empty() { lines } else { format!("Earlier answers to the same question:\n{lines}") }
}
