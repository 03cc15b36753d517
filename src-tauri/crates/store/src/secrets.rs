//! What is kept of the secrets in an answer, and how long they themselves are.
//!
//! An answer has to be kept until it is delivered, since a restart delivers it. So its row has it twice: the content with null
//! in the place of each secret is all that lists, documents and exports can read, and the column `undelivered`, which only a
//! start reads, has it whole. That column is emptied by the write after which nothing goes out by itself any more, and its bytes
//! are overwritten. A draft is kept without secrets, so what was taken back has to be typed again.
//!
//! Of each secret its length stays, and a hash by which whoever knows the secret can prove later that it was this one. The salt
//! makes equal secrets look different. It does not keep anybody who has the log from trying values: what is soon found in
//! that way (short, or of digits alone, as PINs, codes and card numbers are) has no hash, and a weak password may be found.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_forms::SecretAt;
use signalbox_model::{Answer, InputRequest, Json, Masked, NO_SCHEMA, RequestId, RequestState, Timestamp};

use crate::{Digest, plan::prepare};

/// A secret with fewer characters has no hash.
const LEAST_HASHED: usize = 8;

/// The contents of answers, with secrets that are still to be delivered.
#[skip_serializing_none]
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Undelivered {
    answer: Option<Json>,
    earlier: Option<Json>,
}

impl Undelivered {
    /// Masks the secrets in both answers of a question. Their contents as they were; none where there were no secrets.
    pub(crate) fn masking(
        schema: &str,
        id: RequestId,
        answer: Option<&mut Answer>,
        earlier: Option<&mut Answer>,
    ) -> Option<Self> {
        let [answer, earlier] = [answer, earlier].map(|answer| mask(schema, id, answer?));
        (answer.is_some() || earlier.is_some()).then_some(Self { answer, earlier })
    }

    /// Gives a question back what it is to deliver.
    pub(crate) fn restore(self, request: &mut InputRequest) {
        let earlier = request.earlier.as_mut().map(|earlier| &mut earlier.answer);
        for (answer, content) in [(request.answer.as_mut(), self.answer), (earlier, self.earlier)] {
            if let (Some(answer), Some(content)) = (answer, content) {
                answer.content = Some(content);
                answer.masked = Vec::new();
            }
        }
    }
}

/// Whether there is anything in a question that could have secrets.
pub(crate) fn may_have(request: &InputRequest) -> bool {
    let has_content = |answer: &Answer| answer.content.is_some();
    request.draft.is_some()
        || request.answer.as_ref().is_some_and(has_content)
        || request.earlier.as_ref().is_some_and(|earlier| has_content(&earlier.answer))
}

/// Masks the secrets in a question's answers, and leaves them out of its draft. What has to be kept beside it, as long as it
/// may still be sent.
pub(crate) fn hide(request: &mut InputRequest, schema: &str) -> Option<Undelivered> {
    strip(schema, &mut request.draft);
    let earlier = request.earlier.as_mut().map(|earlier| &mut earlier.answer);
    let whole = Undelivered::masking(schema, request.id, request.answer.as_mut(), earlier);
    whole.filter(|_| is_owed(request))
}

/// Leaves the secrets out of a draft. Whether there were some.
pub(crate) fn strip(schema: &str, draft: &mut Option<Json>) -> bool {
    let left = draft.as_ref().and_then(|draft| signalbox_forms::without_secrets(schema, draft.text()));
    let Some(left) = left else { return false };
    *draft = Json::parse(left).ok();
    true
}

/// Masks the secrets in a question's answers for whoever is told of it, as is done for its row. One that comes without
/// what it asks ([`InputRequest::is_bare`]) leaves its answers' contents out.
pub fn hide_secrets(request: &mut InputRequest) {
    if let Some(schema) = request.schema.clone() {
        hide(request, schema.text());
    } else if !request.is_bare() {
        // Then names alone tell.
        hide(request, NO_SCHEMA);
    } else {
        let earlier = request.earlier.as_mut().map(|earlier| &mut earlier.answer);
        request.answer.iter_mut().chain(earlier).for_each(|answer| answer.content = None);
    }
}

/// Whether an answer of it may still go out by itself: it is on its way, or its server fetches it from a task that we host.
fn is_owed(request: &InputRequest) -> bool {
    match request.state {
        RequestState::Held | RequestState::Sending => true,
        RequestState::Closed => false,
        _ => request.hosted.is_some(),
    }
}

/// What of an earlier run can never be sent any more: its call has ended, and nothing of it is in memory.
pub(crate) fn let_go(conn: &Connection) -> rusqlite::Result<usize> {
    let sql = "UPDATE requests INDEXED BY requests_undelivered SET undelivered = NULL
        WHERE id > 0 AND undelivered IS NOT NULL AND shelf = 2
            AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.id = call AND bucket < 2)";
    overwriting(conn, || prepare(conn, sql)?.execute([]))
}

/// Carries out a write by which secrets go or move: their bytes are overwritten, also those that do not fit into one page.
pub(crate) fn overwriting<T>(
    conn: &Connection,
    write: impl FnOnce() -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    conn.execute_batch("PRAGMA secure_delete = ON")?;
    let written = write();
    conn.execute_batch("PRAGMA secure_delete = FAST")?;
    written
}

/// Carries out a deletion by which questions go, those where `column` is `id`. Whether secrets went with them.
pub(crate) fn deleting(
    conn: &Connection,
    column: &str,
    id: u32,
    delete: impl FnOnce() -> rusqlite::Result<()>,
) -> rusqlite::Result<bool> {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM requests INDEXED BY requests_undelivered
            WHERE id > 0 AND undelivered IS NOT NULL AND {column} = ?1)"
    );
    let has = prepare(conn, &sql)?.query_row([id], |row| row.get(0))?;
    if has {
        overwriting(conn, delete)?
    } else {
        delete()?
    }
    Ok(has)
}

/// Masks the secrets in an answer. Its content as it was; none where it has no secrets, or has been masked before.
fn mask(schema: &str, id: RequestId, answer: &mut Answer) -> Option<Json> {
    let content = answer.content.clone().filter(|_| answer.masked.is_empty())?;
    let places = signalbox_forms::secrets(schema, content.text());
    let (shown, masked) = masked(content.text(), &places, &salt(id, answer.decided_at))?;
    (answer.content, answer.masked) = (Some(shown), masked);
    Some(content)
}

/// The same for a response as the log has it: the paths lead into that.
pub(crate) fn mask_response(
    schema: &str,
    (id, decided_at): (RequestId, Timestamp),
    response: &Json,
) -> Option<(Json, Vec<Masked>)> {
    let text = response.text();
    let content = signalbox_forms::values_at(text, &[CONTENT]).pop()?.at;
    let within = signalbox_forms::secrets(schema, &text[content.clone()]).into_iter();
    let places: Vec<_> = within
        .map(|SecretAt { path, at }| SecretAt {
            path: format!("{CONTENT}{path}"),
            at: content.start + at.start..content.start + at.end,
        })
        .collect();
    masked(text, &places, &salt(id, decided_at))
}

/// Where a response has its content.
pub(crate) const CONTENT: &str = "/content";

/// Whether this is the content of an answer, before its secrets were masked. Of a secret without a hash only the length tells.
#[must_use]
pub fn is_content_of(content: &str, answer: &Answer) -> bool {
    let shown = answer.content.as_ref().map(Json::text);
    if answer.masked.is_empty() {
        return shown == Some(content);
    }
    shown.is_some_and(|shown| is_masked_to(content, shown, &answer.masked))
}

/// Whether content becomes this text, and these are kept of its secrets, when it is masked.
pub(crate) fn is_masked_to(content: &str, shown: &str, kept: &[Masked]) -> bool {
    let paths: Vec<&str> = kept.iter().map(|masked| masked.path.as_str()).collect();
    let salt = kept.iter().find_map(|masked| masked.salt.clone()).unwrap_or_default();
    let places = signalbox_forms::values_at(content, &paths);
    masked(content, &places, &salt).is_some_and(|(json, masked)| json.text() == shown && masked == kept)
}

/// What is hashed before a secret.
fn salt(id: RequestId, decided_at: Timestamp) -> String {
    format!("{id} {decided_at}")
}

/// A text with null in these places, and what is kept of what stood there; none where there are none.
fn masked(text: &str, places: &[SecretAt], salt: &str) -> Option<(Json, Vec<Masked>)> {
    if places.is_empty() {
        return None;
    }
    let shown = signalbox_forms::replaced(text, places, "null");
    let masked = places.iter().map(|place| of_secret(&place.path, &text[place.at.clone()], salt)).collect();
    Some((Json::parse(shown).expect("BUG: values were replaced by values"), masked))
}

fn of_secret(path: &str, json: &str, salt: &str) -> Masked {
    let value = serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned());
    let length = value.chars().count();
    let is_number = value.chars().all(|char| char.is_ascii_digit() || char == ' ' || char == '-');
    let hashed = length >= LEAST_HASHED && !is_number;
    Masked {
        path: path.to_owned(),
        length: u32::try_from(length).unwrap_or(u32::MAX),
        salt: hashed.then(|| salt.to_owned()),
        sha256: hashed.then(|| Digest::of(format!("{salt}\n{value}")).to_string()),
    }
}
