//! Input requests as lists show them: the raw JSON of a question that is not shown is never read.

use rusqlite::Row;
use signalbox_model::{CallId, Note, RequestId, RequestLine, RequestText, ServerId};

use super::{answer, identity, message};
use crate::{Text, column::Columns};

/// `?1` is the question's number.
macro_rules! statement {
    ($text:literal) => {
        concat!(
            "SELECT id, changed, server, call, identity, scope, n, key, method, mode, message, url, state, reason, ",
            "opened_at, closed_at, answer, answer_content, decided_at, send_at, sent_at, acknowledged_at, taken_at, refusal, ",
            "CASE WHEN hosted IS NOT NULL THEN raw END, visited_at, visiting_at, draft IS NOT NULL, ",
            $text,
            " FROM requests WHERE id = ?1"
        )
    };
}

/// The statement that reads a question's row for [`row`].
pub(super) fn select(text: Text) -> &'static str {
    match text {
        Text::None => statement!("NULL, NULL, NULL"),
        Text::Schema => statement!("schema, NULL, NULL"),
        Text::All => statement!("schema, raw, draft"),
    }
}

/// A question, with its long parts as far as they were asked for, and the transaction that last changed it.
pub(super) type Read = ((RequestLine, RequestText), u64);

pub(super) fn row(row: &Row<'_>) -> rusqlite::Result<Read> {
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
    let texts = [line.url.as_ref().map(String::len), refusal.map(Note::size)].into_iter().flatten();
    let json = [content, line.hosting.as_ref(), text.schema.as_ref(), text.raw.as_ref(), text.draft.as_ref()];
    let json = json.into_iter().flatten().map(|json| json.text().len());
    line.message.len() + line.identity.key().len() + texts.sum::<usize>() + json.sum::<usize>()
}
