//! `sampling/createMessage` as a question for a person: what a model would be asked, as text, and a form for the answer.

use serde::Deserialize;
use serde_json::value::RawValue;
use signalbox_model::Json;

use super::fields::{Fields, elements, text};

/// More of a conversation than this is not shown as text, in bytes: the raw request has it all.
const LONGEST: usize = 256 * 1024;

/// The form that an answer by hand is entered in.
const FORM: &str = r#"{"type":"object","properties":{"text":{"type":"string","title":"Answer","description":"What the model would say.","minLength":1,"maxLength":1000000},"model":{"type":"string","title":"Model","description":"Who says so. Left out: human.","maxLength":200}},"required":["text"]}"#;

/// The form's schema: ours, for servers send none with this method.
pub(super) fn form() -> Json {
    Json::parse(FORM).expect("BUG: our own schema is JSON")
}

/// The conversation, message by message with its role, and the wish beside it. None where nothing is said in it: there
/// is nothing to answer then.
pub(super) fn conversation(params: &Fields<'_>) -> Option<String> {
    let mut told = String::new();
    if let Some(system) = params.text("systemPrompt") {
        add(&mut told, "system", &system);
    }
    let messages = params.some("messages").and_then(elements).unwrap_or_default();
    for message in messages {
        if told.len() > LONGEST {
            break;
        }
        let message = Fields::lenient(message);
        let role = message.text("role").unwrap_or_default();
        add(&mut told, &role, &message.some("content").map(words).unwrap_or_default());
    }
    if told.is_empty() {
        return None;
    }
    if told.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|at| told.is_char_boundary(*at)).unwrap_or(0);
        told.truncate(end);
        told.push_str("\n\n[more: see the request as received]");
    } else if let Some(most) = params.some("maxTokens") {
        add(&mut told, "at most", &format!("{} tokens", most.get()));
    }
    Some(told)
}

fn add(told: &mut String, role: &str, said: &str) {
    if !told.is_empty() {
        told.push_str("\n\n");
    }
    let role = if role.is_empty() { "?" } else { role };
    told.push_str(&format!("[{role}] {said}"));
}

/// One block of content, or several.
fn words(content: &RawValue) -> String {
    let blocks = elements(content).unwrap_or_else(|| vec![content]);
    let told: Vec<String> = blocks.into_iter().map(block).collect();
    told.join("\n")
}

fn block(raw: &RawValue) -> String {
    // Older servers give bare text.
    if let Some(bare) = text(raw) {
        return bare;
    }
    let fields = Fields::lenient(raw);
    let kind = fields.text("type").unwrap_or_default();
    match (kind.as_str(), fields.text("text"), fields.text("mimeType")) {
        ("text", Some(text), _) => text,
        (_, _, Some(mime)) => format!("({kind}, {mime})"),
        ("image" | "audio", _, None) => format!("({kind})"),
        _ => raw.get().to_owned(),
    }
}

/// See [`super::QuestionView::sampled`].
pub(super) fn sampled(entered: &Json) -> Option<Json> {
    #[derive(Deserialize)]
    struct Entered<'a> {
        #[serde(borrow)]
        text: &'a RawValue,
        #[serde(borrow)]
        model: Option<&'a RawValue>,
    }
    let Entered { text, model } = entered.read().ok()?;
    let is_text = |raw: &RawValue| raw.get().starts_with('"');
    let model = model.filter(|model| model.get() != r#""""#);
    if !is_text(text) || !model.is_none_or(is_text) {
        return None;
    }
    let (text, model) = (text.get(), model.map_or(r#""human""#, RawValue::get));
    Json::parse(format!(
        r#"{{"role":"assistant","content":{{"type":"text","text":{text}}},"model":{model},"stopReason":"endTurn"}}"#
    ))
    .ok()
}

#[cfg(test)]
mod tests {
    use signalbox_model::{Json, Mode};

    use crate::QuestionView;

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    #[test]
    fn sampling_is_a_question_with_the_whole_conversation() {
        let params = r#"{"systemPrompt":"Be brief.","maxTokens":5.0,"messages":[
            {"role":"user","content":{"type":"text","text":"What?\nNow?"}},
            {"role":"assistant","content":[{"type":"text","text":"a"},{"type":"image","data":"AAAA","mimeType":"image/png"}]},
            {"content":"bare"},
            {"role":"user","content":{"type":"tool_result","toolUseId":"1"}}]}"#;
        let view =
            QuestionView::read(&json(&format!(r#"{{"method":"sampling/createMessage","params":{params}}}"#)));
        let told = "[system] Be brief.\n\n[user] What?\nNow?\n\n[assistant] a\n(image, image/png)\n\n[?] bare\n\n\
                    [user] {\"type\":\"tool_result\",\"toolUseId\":\"1\"}\n\n[at most] 5.0 tokens";
        assert_eq!((view.mode, view.message.as_str()), (Mode::Form, told));
        assert!(view.schema.is_some(), "a form of ours");
        let long = "é".repeat(400_000);
        let flood = format!(
            r#"{{"method":"sampling/createMessage","params":{{"messages":[{{"role":"user","content":"{long}"}}]}}}}"#
        );
        let shown = QuestionView::read(&json(&flood)).message;
        assert!(shown.len() < 300_000 && shown.ends_with("as received]"), "bounded: {}", shown.len());
        for odd in ["{}", r#"{"messages":7}"#, r#"{"messages":[],"maxTokens":5}"#] {
            let odd = format!(r#"{{"method":"sampling/createMessage","params":{odd}}}"#);
            assert_eq!(QuestionView::read(&json(&odd)).mode, Mode::Other, "nothing is said: {odd}");
        }
    }

    #[test]
    fn what_was_entered_becomes_the_result_of_sampling() {
        let said =
            |entered: &str| QuestionView::sampled(&json(entered)).map(|result| result.text().to_owned());
        let result = |text: &str, model: &str| {
            Some(format!(
                r#"{{"role":"assistant","content":{{"type":"text","text":{text}}},"model":{model},"stopReason":"endTurn"}}"#
            ))
        };
        assert_eq!(said(r#"{"text":"a\u00e9\n"}"#), result(r#""a\u00e9\n""#, r#""human""#), "byte for byte");
        assert_eq!(said(r#"{"text":"a","model":"m"}"#), result(r#""a""#, r#""m""#));
        assert_eq!(said(r#"{"text":"a","model":""}"#), result(r#""a""#, r#""human""#));
        for wrong in ["{}", "7", r#"{"text":7}"#, r#"{"text":"a","model":7}"#] {
            assert_eq!(said(wrong), None, "{wrong}");
        }
    }
}
