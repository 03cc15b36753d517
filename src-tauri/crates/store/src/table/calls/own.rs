//! What is a person's own of a call, whatever its server says: tags and a remark. Following a call writes neither.

use std::collections::HashMap;

use rusqlite::{Connection, params};
use signalbox_model::{CallId, Tags};

use super::touch;
use crate::{ReadError, Reads, plan::prepare};

// Tags are short, and lists go by them. A remark may be long, and stands beside.
pub(crate) const SINCE_15: &str = "
ALTER TABLE calls ADD COLUMN tags TEXT; -- the person's own, with blanks between them; none: there are none
CREATE TABLE remarks (
    call INTEGER NOT NULL PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
    text TEXT NOT NULL -- the person's own
) STRICT;
";

const TAGS: &str = "SELECT id, tags FROM calls WHERE id = ?1 AND tags IS NOT NULL";
const REMARK: &str = "SELECT text FROM remarks WHERE call = ?1";
const IS_THERE: &str = "SELECT EXISTS (SELECT 1 FROM calls WHERE id = ?1)";

/// A column of tags.
pub(super) fn tags(column: Option<String>) -> Tags {
    column.map_or_else(Tags::default, |text| Tags::read(&text))
}

pub(crate) fn put_tags(conn: &Connection, seq: u64, call: CallId, tags: &Tags) -> rusqlite::Result<()> {
    let text = (!tags.is_empty()).then(|| tags.to_string());
    let sql = "UPDATE calls SET tags = ?1, changed = ?2 WHERE id = ?3";
    prepare(conn, sql)?.execute(params![text, seq.cast_signed(), call.0])?;
    Ok(())
}

pub(crate) fn put_remark(conn: &Connection, seq: u64, call: CallId, text: &str) -> rusqlite::Result<()> {
    if !prepare(conn, IS_THERE)?.query_row([call.0], |row| row.get(0))? {
        return Ok(());
    }
    if text.is_empty() {
        prepare(conn, "DELETE FROM remarks WHERE call = ?1")?.execute([call.0])?;
    } else {
        let sql = "INSERT INTO remarks VALUES (?1, ?2) ON CONFLICT DO UPDATE SET text = excluded.text";
        prepare(conn, sql)?.execute(params![call.0, text])?;
    }
    touch(conn, seq, call)
}

impl Reads {
    /// The tags of those of these calls that have some.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tags_of(
        &self,
        calls: impl IntoIterator<Item = CallId>,
    ) -> Result<HashMap<CallId, Tags>, ReadError> {
        let each = calls.into_iter().map(|call| [call.0]);
        let row = |row: &rusqlite::Row<'_>| Ok((CallId(row.get(0)?), tags(row.get(1)?)));
        self.read(|at| Ok(at.rows_of_each(TAGS, each, row)?.into_iter().collect()))
    }

    /// What the person noted of a call.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn remark(&self, call: CallId) -> Result<Option<String>, ReadError> {
        self.read(|at| at.one(REMARK, [call.0], |row| row.get(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::tests::{blank, plan};

    #[test]
    fn they_are_searched_by_number() {
        for sql in [TAGS, REMARK, IS_THERE] {
            let plan = plan(&blank(), sql);
            assert!(!plan.contains("SCAN c") && !plan.contains("SCAN r"), "{sql}: {plan}");
        }
    }
}
