//! Input requests as lists show them: the raw JSON of a question that is not shown is never read.

use rusqlite::Row;
use signalbox_model::{CallId, Note, RequestId, RequestLine, RequestText, ServerId};

use super::{answer, identity, message};
use crate::{ReadError, Reads, Text, column::Columns, snapshot::Snapshot};

/// `?1` is the question's number.
macro_rules! statement {
    ($text:literal) => {
        statement!("message", "answer_content", "refusal, masked, remark", $text)
    };
    ($message:literal, $content:literal, $refusal:literal, $text:literal) => {
        concat!(
            "SELECT id, changed, server, call, identity, scope, n, key, method, mode, ",
            $message,
            ", url, state, reason, opened_at, closed_at, answer, ",
            $content,
            ", decided_at, send_at, sent_at, acknowledged_at, taken_at, ",
            $refusal,
            ", expires_at, visited_at, visiting_at, draft IS NOT NULL, attention, snoozed, ",
            $text,
            " FROM requests WHERE id = ?1"
        )
    };
}

/// So many characters of a message are in a row of a list.
const IN_A_ROW: u32 = 320;

/// The statement that reads a question's row for [`row`].
fn select(text: Text) -> &'static str {
    match text {
        Text::Row => {
            statement!(
                // Not by its length, which SQLite counts up to a NUL.
                "substr(message, 1, ?2) || iif(octet_length(substr(message, 1, ?2)) < octet_length(message), '…', '')",
                "NULL",
                "NULL, NULL, NULL",
                "NULL, NULL, NULL"
            )
        }
        Text::None => statement!("NULL, NULL, NULL"),
        Text::Schema => statement!("schema, NULL, NULL"),
        Text::All => statement!("schema, raw, draft"),
    }
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
        message: message(&mut at)?,
        url: at.get()?,
        state: at.word()?,
        reason: at.maybe_word()?,
        opened_at: at.time()?,
        closed_at: at.maybe_time()?,
        answer: answer(&mut at)?,
        expires_at: at.maybe_time()?,
        visited_at: at.maybe_time()?,
        visiting_at: at.maybe_time()?,
        has_draft: at.get()?,
        attention: at.word()?,
        snoozed: at.maybe_own()?,
    };
    let text = RequestText { schema: at.maybe_json()?, raw: at.maybe_json()?, draft: at.maybe_json()? };
    Ok(((line, text), changed))
}

impl Reads {
    /// Those of these input requests that are there, each with the transaction that last changed it; and how many were looked
    /// at. That ends behind the one with which their texts are `bytes` long together.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn lines_of(
        &self,
        ids: &[RequestId],
        text: Text,
        bytes: Option<usize>,
    ) -> Result<(Vec<Read>, usize), ReadError> {
        self.read(|at| of(at, ids, text, bytes))
    }
}

/// Rows by number, see [`Reads::lines_of`].
pub(super) fn of(
    at: &Snapshot<'_>,
    ids: &[RequestId],
    text: Text,
    bytes: Option<usize>,
) -> rusqlite::Result<(Vec<Read>, usize)> {
    let (mut rows, mut length) = (Vec::new(), 0);
    for (place, id) in ids.iter().enumerate() {
        let read = if text == Text::Row {
            at.rows(select(text), [id.0, IN_A_ROW], row)?
        } else {
            at.rows(select(text), [id.0], row)?
        };
        length += read.iter().map(size).sum::<usize>();
        rows.extend(read);
        if bytes.is_some_and(|bytes| length >= bytes) {
            return Ok((rows, place + 1));
        }
    }
    Ok((rows, ids.len()))
}

/// How long what was read is, in bytes: the parts that can be long.
fn size(((line, text), _): &Read) -> usize {
    let content = line.answer.as_ref().and_then(|answer| answer.content.as_ref());
    let refusal = line.answer.as_ref().and_then(|answer| answer.refusal.as_ref());
    let texts = [line.url.as_ref().map(String::len), refusal.map(Note::size)].into_iter().flatten();
    let json = [content, text.schema.as_ref(), text.raw.as_ref(), text.draft.as_ref()];
    let json = json.into_iter().flatten().map(|json| json.text().len());
    line.message.len() + line.identity.key().len() + texts.sum::<usize>() + json.sum::<usize>()
}
