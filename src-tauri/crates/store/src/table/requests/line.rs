//! Input requests as lists show them: the raw JSON of a question that is not shown is never read, and of a long message only
//! the beginning is handed out.

use rusqlite::Row;
use signalbox_model::{CallId, RequestId, RequestLine, RequestText, ServerId};

use super::{answer, identity};
use crate::{Text, column::Columns, reads::Snapshot};

/// A message of more bytes than this is cut for a list, after a quarter as many characters: so it never has more after it.
const LONGEST: i64 = 16_384;

/// `?1` is the question's number, `?2` is [`LONGEST`].
macro_rules! statement {
    (brief, $text:literal) => {
        statement!(
            "iif(octet_length(message) > ?2, substr(message, 1, ?2 / 4) || '…', message)",
            $text
        )
    };
    ($message:literal, $text:literal) => {
        concat!(
            "SELECT id, changed, server, call, identity, scope, n, key, method, mode, ",
            $message,
            ", url, state, reason, ",
            "opened_at, closed_at, answer, answer_content, decided_at, send_at, sent_at, acknowledged_at, taken_at, refusal, ",
            "CASE WHEN hosted IS NOT NULL THEN raw END, visited_at, visiting_at, draft IS NOT NULL, ",
            $text,
            " FROM requests WHERE id = ?1"
        )
    };
}

/// A question of this number, read for [`row`].
pub(super) fn read(at: &Snapshot<'_>, id: RequestId, text: Text) -> rusqlite::Result<Vec<Read>> {
    let sql = match text {
        Text::None => statement!(brief, "NULL, NULL, NULL"),
        Text::Schema => statement!(brief, "schema, NULL, NULL"),
        Text::All => return at.rows(statement!("message", "schema, raw, draft"), [id.0], row),
    };
    at.rows(sql, (id.0, LONGEST), row)
}

/// A question, with its long parts as far as they were asked for, and the transaction that last changed it.
pub(super) type Read = ((RequestLine, RequestText), u64);

fn row(row: &Row<'_>) -> rusqlite::Result<Read> {
    let mut at = Columns::of(row);
    let id = RequestId(at.get()?);
    let changed = at.number()?;
    let line = RequestLine {
        id,
        server: ServerId(at.get()?),
        call: at.get::<Option<u32>>()?.map(CallId),
        identity: identity(&mut at)?,
        method: at.get()?,
        mode: at.word()?,
        message: at.get()?,
        url: at.get()?,
        state: at.word()?,
        reason: at.maybe_word()?,
        opened_at: at.time()?,
        closed_at: at.maybe_time()?,
        answer: answer(&mut at)?,
        hosting: at.maybe_json()?,
        visited_at: at.maybe_time()?,
        visiting_at: at.maybe_time()?,
        has_draft: at.get()?,
    };
    let text = RequestText { schema: at.maybe_json()?, raw: at.maybe_json()?, draft: at.maybe_json()? };
    Ok(((line, text), changed))
}

/// How long what was read is, in bytes: the parts that can be long.
pub(super) fn size(((line, text), _): &Read) -> usize {
    let content = line.answer.as_ref().and_then(|answer| answer.content.as_ref());
    let refusal = line.answer.as_ref().and_then(|answer| answer.refusal.as_ref());
    let texts = [line.url.as_ref(), refusal].into_iter().flatten().map(String::len);
    let json = [content, line.hosting.as_ref(), text.schema.as_ref(), text.raw.as_ref(), text.draft.as_ref()];
    let json = json.into_iter().flatten().map(|json| json.text().len());
    line.message.len() + line.identity.key().len() + texts.sum::<usize>() + json.sum::<usize>()
}
