//! Where texts come from: a portion of rows, with all that they say.

use rusqlite::Row;
use signalbox_model::{CallId, PayloadKind};

use super::{TextOf, plain};
use crate::{Portion, ReadError, Reads, column::Columns, snapshot::Snapshot, table::payload_files};

/// How much of one payload, or of another text, is looked through, in bytes.
const MOST: usize = 1 << 20;
/// Rows in one portion.
const PORTION: u32 = 256;
/// A portion ends with the row by which its texts have so many bytes.
const BYTES: usize = 4 << 20;

/// Of a call what was sent and what came back. Its last state says no more than its row.
const KINDS: [PayloadKind; 3] = [PayloadKind::Arguments, PayloadKind::Result, PayloadKind::Error];

const CALLS_BELOW: &str = "SELECT id FROM calls WHERE id < ?1 ORDER BY id DESC LIMIT ?2";
const REQUESTS_BELOW: &str = "SELECT id FROM requests WHERE id < ?1 ORDER BY id DESC LIMIT ?2";
const CALL: &str = "SELECT coalesce(status_message, '') || char(10) || \
     coalesce((SELECT text FROM remarks WHERE call = calls.id), '') FROM calls WHERE id = ?1";
const PAYLOADS: &str =
    "SELECT json FROM payloads WHERE call = ?1 AND kind IN ('arguments', 'result', 'error')";
const REQUEST: &str =
    "SELECT message, coalesce(url, ''), coalesce(answer_content, ''), raw FROM requests WHERE id = ?1";

/// A row's number with its text; none where it is gone.
type Text = (u32, Option<String>);

/// The texts of a portion of rows with a number below `before`, and below which one to go on.
pub(super) fn below(reads: &Reads, of: TextOf, before: u64) -> Result<Portion<Text>, ReadError> {
    let sql = match of {
        TextOf::Calls => CALLS_BELOW,
        TextOf::Requests => REQUESTS_BELOW,
    };
    let window = [before.cast_signed(), PORTION.into()];
    let ids: Vec<u32> = reads.read(|at| at.rows(sql, window, |row| row.get(0)))?;
    let rows = self::of(reads, of, &ids)?;
    let cut = rows.len() < ids.len() || ids.len() == PORTION as usize;
    let next = rows.last().filter(|_| cut).map(|(id, _)| u64::from(*id));
    Ok(Portion { rows, next })
}

/// The texts of the first of these rows.
pub(super) fn of(reads: &Reads, of: TextOf, ids: &[u32]) -> Result<Vec<Text>, ReadError> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    for id in ids.iter().take(PORTION as usize) {
        let text = one(reads, of, *id)?;
        bytes += text.as_ref().map_or(0, String::len);
        rows.push((*id, text));
        if bytes >= BYTES {
            break;
        }
    }
    Ok(rows)
}

fn one(reads: &Reads, of: TextOf, id: u32) -> Result<Option<String>, ReadError> {
    match of {
        TextOf::Calls => call(reads, id),
        TextOf::Requests => reads.read(|at| at.one(REQUEST, [id], request)),
    }
}

fn call(reads: &Reads, id: u32) -> Result<Option<String>, ReadError> {
    // What is named as a file stays there until it was read.
    let _hold = reads.files().hold();
    let found = reads.read(|at: &Snapshot<'_>| {
        let Some(mut text) = at.one(CALL, [id], |row| row.get::<_, String>(0))? else { return Ok(None) };
        text.push('\n');
        for json in at.rows(PAYLOADS, [id], |row| row.get::<_, String>(0))? {
            plain::add(&mut text, &json, MOST);
        }
        let mut files = Vec::new();
        for kind in KINDS {
            files.extend(payload_files::one(at, CallId(id), kind)?);
        }
        Ok(Some((text, files)))
    })?;
    let Some((mut text, files)) = found else { return Ok(None) };
    for file in files {
        // Where it cannot be read, whoever looks at the task is told so.
        if let Ok(json) = reads.files().beginning(&file, MOST) {
            plain::add(&mut text, &json, MOST);
        }
    }
    Ok(Some(text))
}

fn request(row: &Row<'_>) -> rusqlite::Result<String> {
    let mut at = Columns::of(row);
    let (message, url, answer, raw): (String, String, String, String) =
        (at.get()?, at.get()?, at.get()?, at.get()?);
    let mut text = format!("{message}\n{url}\n");
    plain::add(&mut text, &answer, MOST);
    // A long message is cut in its row.
    plain::add(&mut text, &raw, MOST);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn rows_are_found_by_number() {
        for sql in [CALLS_BELOW, REQUESTS_BELOW, CALL, PAYLOADS, REQUEST] {
            let plan = plan(&blank(), sql);
            assert!(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }
}
