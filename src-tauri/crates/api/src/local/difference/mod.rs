//! What came of a call, compared with what came of the run before it.

mod text;

use std::time::Duration;

use signalbox_model::{Call, CallId, Json, PayloadKind, Timestamp, beginning};
use signalbox_store::{ReadError, Reads};
use similar::{Algorithm, ChangeTag, TextDiff};

use super::{Local, tasks::unknown, views::sound};
use crate::{
    ApiError, Code, DiffLine, DiffSide, Difference,
    command::{CarryOut, Diff},
};

/// So many runs that read alike are looked at for one with the same arguments.
const CANDIDATES: usize = 100;
/// So much of the arguments of these is read, in bytes. Those of one run always fit, if they are no longer than those looked for.
const MOST_READ: u64 = 4 << 20;
/// The most that is compared of one run, in bytes.
const LONGEST: usize = 1 << 20;
/// The most lines that are told.
const MOST_LINES: usize = 2_000;
/// The longest line that is told, in bytes.
const LONGEST_LINE: usize = 1_000;
/// Lines around a change.
const AROUND: usize = 3;
/// After this long a coarser difference does.
const PATIENCE: Duration = Duration::from_millis(500);

impl CarryOut<Diff> for Local {
    async fn carry_out(&self, Diff { call }: Diff) -> Result<Option<Box<Difference>>, ApiError> {
        let read = move |reads: &Reads| {
            let Some((later, _)) = reads.call(call)? else { return Ok(Err(unknown(call))) };
            if later.ended_at.is_none() {
                return Ok(Err(not_ended(call)));
            }
            let Some(arguments) = reads.payload(call, PayloadKind::Arguments)? else { return Ok(Ok(None)) };
            let Some((earlier, ended_at)) = before(reads, &later, &arguments)? else { return Ok(Ok(None)) };
            let (old, new) = (came_of(reads, earlier)?, came_of(reads, call)?);
            Ok(Ok(Some((earlier, ended_at, old, new))))
        };
        let _alone = self.long_result.lock().await;
        let Some((earlier, ended_at, old, new)) = self.read(read).await?? else { return Ok(None) };
        let compare = move || {
            let cut = old.len() > LONGEST || new.len() > LONGEST;
            let (lines, left_out) = compare(&beginning(&old, LONGEST), &beginning(&new, LONGEST));
            Box::new(Difference { earlier, ended_at, lines, left_out, cut })
        };
        let difference = tokio::task::spawn_blocking(compare).await;
        difference.map(Some).map_err(|_| ApiError::new(Code::Internal, "Comparing two results panicked"))
    }
}

fn not_ended(call: CallId) -> ApiError {
    ApiError::new(Code::Usage, format!("{call} has not ended: there is nothing to compare yet"))
}

/// The run before, with these arguments, and when it ended.
pub(super) fn before(
    reads: &Reads,
    later: &Call,
    arguments: &Json,
) -> Result<Option<(CallId, Timestamp)>, ReadError> {
    let mut room = MOST_READ.max(arguments.text().len() as u64);
    for (earlier, ended_at) in reads.earlier_runs(later, CANDIDATES)? {
        let Some(bytes) = reads.payload_size(earlier, PayloadKind::Arguments)? else { continue };
        let Some(left) = room.checked_sub(bytes) else { continue };
        room = left;
        // Nobody knows what a damaged one was about.
        let other = sound(reads.payload(earlier, PayloadKind::Arguments))?.ok().flatten();
        if other.is_some_and(|other| other.means(arguments)) {
            return Ok(Some((earlier, ended_at)));
        }
    }
    Ok(None)
}

/// What came of a call, as text. Empty where nothing is kept of that.
fn came_of(reads: &Reads, call: CallId) -> Result<String, ReadError> {
    let kept = match reads.payload(call, PayloadKind::Result)? {
        Some(result) => Some(text::of_result(&result)),
        None => reads.payload(call, PayloadKind::Error)?.as_ref().map(Json::text).map(text::indented),
    };
    Ok(kept.unwrap_or_default())
}

/// The lines that differ with those around them, and how many lines are not told.
fn compare(old: &str, new: &str) -> (Vec<DiffLine>, u32) {
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).timeout(PATIENCE).diff_lines(old, new);
    let (mut lines, mut left_out) = (Vec::new(), 0_u32);
    for (at, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if at > 0 {
            lines.push(DiffLine { of: DiffSide::Gap, text: String::new() });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            if lines.len() >= MOST_LINES {
                left_out += 1;
                continue;
            }
            let of = match change.tag() {
                ChangeTag::Equal => DiffSide::Both,
                ChangeTag::Delete => DiffSide::Earlier,
                ChangeTag::Insert => DiffSide::Later,
            };
            let text = beginning(change.value().trim_end_matches(['\n', '\r']), LONGEST_LINE).into_owned();
            lines.push(DiffLine { of, text });
        }
    }
    (lines, left_out)
}

#[cfg(test)]
mod tests;
