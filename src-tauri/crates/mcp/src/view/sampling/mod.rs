//! `sampling/createMessage` as a question for a person: what a model would be asked, and a form for the answer.

use serde::Deserialize;
use serde_json::value::RawValue;
use signalbox_model::{Json, SamplingMessage, SamplingPart, SamplingView};

use super::fields::{Fields, elements, quote, text};

/// More than this of a conversation is not shown, in bytes: the raw request has it all.
const LONGEST: usize = 256 * 1024;
/// What a part, a name or a message costs of that beside its text, so that empty ones have an end, too.
const OVERHEAD: usize = 32;

/// The form that an answer by hand is entered in.
const FORM: &str = r#"{"type":"object","properties":{"text":{"type":"string","title":"Answer","description":"What the model would say.","minLength":1,"maxLength":1000000},"model":{"type":"string","title":"Model","description":"Who says so. Left out: human.","maxLength":200}},"required":["text"]}"#;
/// The protocol's own shape of an answer, for scripts that ask a model.
const RESULT: &str = r##"{"type":"object","properties":{"role":{"enum":["assistant","user"]},"content":{"anyOf":[{"$ref":"#/$defs/block"},{"type":"array","minItems":1,"items":{"$ref":"#/$defs/block"}}]},"model":{"type":"string","minLength":1},"stopReason":{"type":"string"}},"required":["role","content","model"],"$defs":{"block":{"type":"object","properties":{"type":{"type":"string","minLength":1},"text":{"type":"string"}},"required":["type"],"if":{"properties":{"type":{"const":"text"}}},"then":{"required":["text"]}}}}"##;

/// The form's schema: ours, for servers send none with this method.
pub(super) fn form() -> Json {
    Json::parse(FORM).expect("BUG: our own schema is JSON")
}

/// What a model is wanted for, in a line or a few: the last that a user says. None where nothing is said at all: there is
/// nothing to answer then.
pub(super) fn wish(params: &Fields<'_>) -> Option<String> {
    let messages = params.some("messages").and_then(elements).unwrap_or_default();
    let system = params.text("systemPrompt");
    if messages.is_empty() && system.is_none() {
        return None;
    }
    let said = |user: bool| {
        let mut from_last = messages.iter().rev().map(|raw| Fields::lenient(raw));
        from_last.find_map(|message| {
            let is_user = message.text("role").as_deref() == Some("user");
            let told = blocks(&message).into_iter().filter_map(words).collect::<Vec<_>>().join("\n");
            (is_user >= user && !told.trim().is_empty()).then_some(told)
        })
    };
    Some(quote(said(true).or_else(|| said(false)).or(system).unwrap_or_default()))
}

/// All of it, as far as it is legible. None for another method.
pub(super) fn view(raw: &Json) -> Option<SamplingView> {
    let request = Fields::lenient(raw.raw());
    if request.text("method").as_deref() != Some(signalbox_model::SAMPLING) {
        return None;
    }
    let params = request.object("params");
    let model = params.object("modelPreferences");
    let mut room = Room { left: LONGEST, cut: false };
    // What is small and what all else is read by comes first.
    let scalar = |room: &mut Room, of: &Fields<'_>, name| {
        of.some(name).and_then(|raw| room.text(text(raw).unwrap_or_else(|| raw.get().to_owned())))
    };
    let named = |raw: &RawValue| Fields::lenient(raw).text("name").or_else(|| text(raw));
    let mut view = SamplingView {
        max_tokens: scalar(&mut room, &params, "maxTokens"),
        temperature: scalar(&mut room, &params, "temperature"),
        cost_priority: scalar(&mut room, &model, "costPriority"),
        speed_priority: scalar(&mut room, &model, "speedPriority"),
        intelligence_priority: scalar(&mut room, &model, "intelligencePriority"),
        include_context: scalar(&mut room, &params, "includeContext"),
        model_hints: room.all(list(&model, "hints").into_iter().filter_map(named)),
        stop_sequences: room.all(list(&params, "stopSequences").into_iter().filter_map(text)),
        tools: room.all(list(&params, "tools").into_iter().filter_map(named)),
        system_prompt: params.text("systemPrompt").and_then(|prompt| room.text(prompt)),
        ..SamplingView::default()
    };
    // Of a long conversation the end is what is asked.
    for raw in list(&params, "messages").into_iter().rev() {
        let Some(message) = message(raw, &mut room) else { break };
        view.messages.push(message);
    }
    view.messages.reverse();
    view.cut = room.cut;
    Some(view)
}

fn list<'a>(of: &Fields<'a>, name: &str) -> Vec<&'a RawValue> {
    of.some(name).and_then(elements).unwrap_or_default()
}

fn message(raw: &RawValue, room: &mut Room) -> Option<SamplingMessage> {
    let fields = Fields::lenient(raw);
    let role = room.text(fields.text("role").unwrap_or_default())?;
    // A message that is bare text.
    let content = if text(raw).is_some() { vec![raw] } else { blocks(&fields) };
    let parts = content.into_iter().map_while(|block| part(block, room)).collect();
    Some(SamplingMessage { role, parts })
}

/// The blocks of a message's content, which may be one or several.
fn blocks<'a>(message: &Fields<'a>) -> Vec<&'a RawValue> {
    message
        .some("content")
        .map(|content| elements(content).unwrap_or_else(|| vec![content]))
        .unwrap_or_default()
}

fn part(raw: &RawValue, room: &mut Room) -> Option<SamplingPart> {
    if let Some(text) = words(raw) {
        return room.text(text).map(|text| SamplingPart::Text { text });
    }
    let fields = Fields::lenient(raw);
    match fields.text("type").as_deref() {
        Some(kind @ ("image" | "audio")) => {
            let mime_type = fields.quote("mimeType");
            room.take(mime_type.as_ref().map_or(0, String::len))?;
            Some(SamplingPart::Media {
                r#type: kind.to_owned(),
                mime_type,
                bytes: fields.some("data").and_then(decoded_size),
            })
        }
        _ => {
            room.take(raw.get().len())?;
            Some(SamplingPart::Other { json: raw.to_owned().into() })
        }
    }
}

/// The text of a block, if it is one of text. Older servers give bare text.
fn words(raw: &RawValue) -> Option<String> {
    let fields = Fields::lenient(raw);
    text(raw).or_else(|| fields.text("text").filter(|_| fields.text("type").as_deref() == Some("text")))
}

/// How many bytes this base64 stands for, without making them.
fn decoded_size(raw: &RawValue) -> Option<u64> {
    let quoted = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    let digits = quoted.trim_end_matches('=');
    let mut all = digits.bytes();
    let legible = all.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'));
    (legible && digits.len() % 4 != 1).then_some(digits.len() as u64 * 3 / 4)
}

/// What may still be shown.
struct Room {
    left: usize,
    cut: bool,
}

impl Room {
    /// Room for so many bytes; none where there is too little.
    fn take(&mut self, bytes: usize) -> Option<()> {
        let left = self.left.checked_sub(bytes + OVERHEAD);
        self.cut |= left.is_none();
        self.left = left?;
        Some(())
    }

    /// A text, as much of it as there is room for.
    fn text(&mut self, mut text: String) -> Option<String> {
        let most = self.left.saturating_sub(OVERHEAD);
        if text.len() > most && most > 0 {
            text.truncate(text.floor_char_boundary(most));
            self.cut = true;
            text.push('…');
            self.left = 0;
            return Some(text);
        }
        self.take(text.len())?;
        Some(text)
    }

    fn all(&mut self, texts: impl Iterator<Item = String>) -> Vec<String> {
        texts.map_while(|text| self.text(text)).collect()
    }
}

/// Whether two requests want the same of a model, whatever task they name.
pub(super) fn same(one: &Json, other: &Json) -> bool {
    wanted(one) == wanted(other)
}

/// What a request wants of a model, member by member.
pub(super) fn wanted(raw: &Json) -> Vec<(String, String)> {
    let params = Fields::lenient(raw.raw()).object("params");
    let of_model = params.iter().filter(|(name, _)| name != "_meta" && name != "task");
    of_model.map(|(name, value)| (name.to_string(), value.get().to_owned())).collect()
}

/// See [`super::QuestionView::answer_schema`].
pub(super) fn answer_schema(given: &Json) -> Json {
    if is_result(given) { Json::parse(RESULT).expect("BUG: our own schema is JSON") } else { form() }
}

/// Whether it is given in the protocol's own shape. Our form has none of these.
fn is_result(given: &Json) -> bool {
    let fields = Fields::lenient(given.raw());
    fields.get("content").is_some() || fields.get("role").is_some()
}

/// See [`super::QuestionView::sampled`].
pub(super) fn sampled(given: &Json) -> Option<Json> {
    let is_text = |raw: &RawValue| raw.get().starts_with('"');
    if is_result(given) {
        let fields = Fields::lenient(given.raw());
        let content = fields.some("content")?;
        let has_shape = content.get().starts_with(['{', '[']);
        let named = fields.some("role").is_some_and(is_text) && fields.some("model").is_some_and(is_text);
        return (has_shape && named).then(|| given.clone());
    }
    let Entered { text, model } = given.read().ok()?;
    let model = model.filter(|model| model.get() != r#""""#);
    if !is_text(text) || !model.is_none_or(is_text) {
        return None;
    }
    Some(result_of(text.get(), model.map_or(HUMAN, RawValue::get)))
}

/// What our form has.
#[derive(Deserialize)]
struct Entered<'a> {
    #[serde(borrow)]
    text: &'a RawValue,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

/// Who answers, where nobody else is named.
const HUMAN: &str = r#""human""#;

/// The result that is made of what was entered in our form.
fn result_of(text: &str, model: &str) -> Json {
    Json::parse(format!(
        r#"{{"role":"assistant","content":{{"type":"text","text":{text}}},"model":{model},"stopReason":"endTurn"}}"#
    ))
    .expect("BUG: two JSON texts in a JSON object are JSON")
}

/// See [`super::QuestionView::entered`].
pub(super) fn entered(result: &Json) -> Json {
    let fields = Fields::lenient(result.raw());
    let text = fields.object("content").some("text").filter(|text| text.get().starts_with('"'));
    let (Some(text), Some(model)) = (text, fields.some("model")) else { return result.clone() };
    // Only what our form can say in full.
    if result_of(text.get(), model.get()) != *result {
        return result.clone();
    }
    let model = if model.get() == HUMAN { String::new() } else { format!(r#","model":{}"#, model.get()) };
    Json::parse(format!(r#"{{"text":{}{model}}}"#, text.get()))
        .expect("BUG: JSON texts in a JSON object are JSON")
}

#[cfg(test)]
mod tests;
