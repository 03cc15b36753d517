//! Format 14: what was answered and typed before format 13 is kept as it has been kept since, without its secrets.
//!
//! The table stays as it was. Entries of the log are sealed, so theirs stay in them, as they do in the copy that is made before a
//! migration. What comes after this step must not change what it means by a row: it names the columns of its own time.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use signalbox_model::{Action, Answer, Earlier, Json, NO_SCHEMA, RequestId, Timestamp};

use crate::{
    column::{self, Columns},
    plan::prepare,
    secrets::{self, Undelivered},
};

/// Those that may have some. Of what is no elicitation nothing is masked, as its log has it whole.
const NEXT: &str = "SELECT id FROM requests WHERE id > ?1 AND method = 'elicitation/create'
    AND (answer_content IS NOT NULL OR earlier IS NOT NULL OR draft IS NOT NULL) ORDER BY id LIMIT 1";
const ROW: &str = "SELECT schema, state IN ('held', 'sending') OR (state <> 'closed' AND hosted IS NOT NULL),
        answer_content, decided_at, masked, earlier, draft FROM requests WHERE id = ?1";
const KEEP: &str = "UPDATE requests SET answer_content = ?2, masked = ?3, earlier = ?4, draft = ?5,
        undelivered = coalesce(?6, undelivered) WHERE id = ?1";

/// A question as far as it may have secrets.
struct Former {
    schema: Option<Json>,
    /// An answer of it may still go out by itself.
    owed: bool,
    answer: Option<Answer>,
    earlier: Option<Earlier>,
    draft: Option<Json>,
}

/// Masks all that was kept whole, a row at a time.
pub(crate) fn mask(conn: &Connection) -> rusqlite::Result<()> {
    secrets::overwriting(conn, || {
        let mut last = 0;
        while let Some(id) = prepare(conn, NEXT)?.query_row([last], |row| row.get(0)).optional()? {
            last = id;
            match prepare(conn, ROW)?.query_row([id], former) {
                Ok(found) => masked(conn, RequestId(id), found)?,
                // What cannot be read is shown to nobody.
                Err(error) if column::undecodable(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    })
}

fn former(row: &Row<'_>) -> rusqlite::Result<Former> {
    let mut at = Columns::of(row);
    let (schema, owed) = (at.maybe_json()?, at.get()?);
    let (content, decided_at): (Option<Json>, _) = (at.maybe_json()?, at.maybe_time()?);
    let masked = at.maybe_own()?.unwrap_or_default();
    let answer = content.map(|content| Answer {
        content: Some(content),
        masked,
        ..Answer::new(Action::Accept, decided_at.unwrap_or(Timestamp(0)))
    });
    Ok(Former { schema, owed, answer, earlier: at.maybe_own()?, draft: at.maybe_json()? })
}

fn masked(conn: &Connection, id: RequestId, former: Former) -> rusqlite::Result<()> {
    let Former { schema, owed, mut answer, mut earlier, mut draft } = former;
    let schema = schema.as_ref().map_or(NO_SCHEMA, Json::text);
    let whole = Undelivered::masking(schema, id, answer.as_mut(), earlier.as_mut().map(|of| &mut of.answer));
    let stripped = secrets::strip(schema, &mut draft);
    if whole.is_none() && !stripped {
        return Ok(());
    }
    let whole = whole.filter(|_| owed).as_ref().map(Json::of);
    let kept = answer.as_ref().map(|answer| &answer.masked).filter(|kept| !kept.is_empty()).map(Json::of);
    let earlier = earlier.as_ref().map(Json::of);
    let row = params![
        id.0,
        answer.as_ref().and_then(|answer| answer.content.as_ref()).map(Json::text),
        kept.as_ref().map(Json::text),
        earlier.as_ref().map(Json::text),
        draft.as_ref().map(Json::text),
        whole.as_ref().map(Json::text),
    ];
    prepare(conn, KEEP)?.execute(row)?;
    Ok(())
}
