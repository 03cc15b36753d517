//! What a person sees of sampling, and what goes out.

use signalbox_model::{Json, Mode, SamplingMessage, SamplingPart, SamplingView};

use crate::QuestionView;

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn asked(params: &str) -> Json {
    json(&format!(r#"{{"method":"sampling/createMessage","params":{params}}}"#))
}

fn view(params: &str) -> SamplingView {
    QuestionView::sampling(&asked(params)).unwrap()
}

fn said(text: &str) -> SamplingPart {
    SamplingPart::Text { text: text.to_owned() }
}

const WHOLE: &str = r#"{"systemPrompt":"Be brief.","maxTokens":5.0,"temperature":0.70,"stopSequences":["END"],
    "includeContext":"thisServer","tools":[{"name":"search"}],"toolChoice":{"mode":"auto"},
    "modelPreferences":{"hints":[{"name":"small"},{"odd":1}],"costPriority":0.30,"speedPriority":"1"},
    "messages":[
        {"role":"user","content":{"type":"text","text":"What?\nNow?"}},
        {"role":"assistant","content":[{"type":"text","text":"a"},{"type":"image","data":"AAAA","mimeType":"image/png"}]},
        "bare",
        {"role":"user","content":{"type":"tool_result","toolUseId":"1"}}]}"#;

#[test]
fn sampling_is_titled_by_what_it_wants() {
    let read = QuestionView::read(&asked(WHOLE));
    assert_eq!((read.mode, read.message.as_str()), (Mode::Form, "What?\nNow?"), "what a user said last");
    assert!(read.schema.is_some(), "a form of ours");
    let title = |params: &str| QuestionView::read(&asked(params)).message;
    let model_said = r#"{"messages":[{"role":"assistant","content":"a"}],"systemPrompt":"s"}"#;
    assert_eq!(title(model_said), "a", "where no user says anything");
    assert_eq!(title(r#"{"systemPrompt":"s"}"#), "s");
    assert_eq!(title(r#"{"messages":[{"role":"user","content":{"type":"image"}}]}"#), "");
    let long = "é".repeat(400_000);
    assert!(title(&format!(r#"{{"messages":[{{"role":"user","content":"{long}"}}]}}"#)).len() < 5_000);
    for odd in ["{}", r#"{"messages":7}"#, r#"{"messages":[],"maxTokens":5}"#] {
        assert_eq!(QuestionView::read(&asked(odd)).mode, Mode::Other, "nothing is said: {odd}");
    }
}

#[test]
fn sampling_is_shown_whole() {
    let message = |role: &str, parts| SamplingMessage { role: role.to_owned(), parts };
    let image = SamplingPart::Media {
        r#type: "image".to_owned(),
        mime_type: Some("image/png".to_owned()),
        bytes: Some(3),
    };
    let result = SamplingPart::Other { json: json(r#"{"type":"tool_result","toolUseId":"1"}"#) };
    let whole = SamplingView {
        system_prompt: Some("Be brief.".to_owned()),
        messages: vec![
            message("user", vec![said("What?\nNow?")]),
            message("assistant", vec![said("a"), image]),
            message("", vec![said("bare")]),
            message("user", vec![result]),
        ],
        max_tokens: Some("5.0".to_owned()),
        temperature: Some("0.70".to_owned()),
        stop_sequences: vec!["END".to_owned()],
        model_hints: vec!["small".to_owned()],
        cost_priority: Some("0.30".to_owned()),
        speed_priority: Some("1".to_owned()),
        intelligence_priority: None,
        include_context: Some("thisServer".to_owned()),
        tools: vec!["search".to_owned()],
        cut: false,
    };
    assert_eq!(view(WHOLE), whole);
    assert_eq!(view("7"), SamplingView::default(), "what is not legible is left out");
    assert_eq!(QuestionView::sampling(&json(r#"{"method":"elicitation/create"}"#)), None);
}

#[test]
fn data_is_a_note_that_says_its_size() {
    let size = |data: &str| {
        let params = format!(r#"{{"messages":[{{"content":{{"type":"audio","data":{data}}}}}]}}"#);
        match &view(&params).messages[0].parts[..] {
            [SamplingPart::Media { bytes, .. }] => *bytes,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(size(r#""""#), Some(0));
    assert_eq!(size(r#""QQ==""#), Some(1));
    assert_eq!(size(r#""QUI=""#), Some(2));
    assert_eq!(size(r#""QUJD""#), Some(3));
    assert_eq!(size(r#""not base64""#), None);
    assert_eq!(size("7"), None);
}

#[test]
fn what_is_shown_has_a_bound_and_says_that_it_is_cut() {
    let shown = |params: &str| {
        let view = view(params);
        (serde_json::to_string(&view).unwrap().len(), view)
    };
    let flood = "x".repeat(1 << 20);
    let long = format!(r#"{{"messages":[{{"role":"user","content":"{flood}"}}],"systemPrompt":"s"}}"#);
    let (bytes, view) = shown(&long);
    assert!(view.cut && bytes < 300_000, "a long one: {bytes}");
    assert_eq!(view.system_prompt.as_deref(), Some("s"));
    let many = vec![r#"{"role":"user","content":[]}"#; 100_000].join(",");
    let (bytes, view) = shown(&format!(r#"{{"messages":[{many},{{"role":"user","content":"last"}}]}}"#));
    assert!(view.cut && bytes < 1 << 20, "many: {bytes}");
    assert_eq!(view.messages.last().unwrap().parts, [said("last")], "the end is what is asked");
    let tools = vec![r#"{"name":""}"#; 100_000].join(",");
    let (bytes, view) = shown(&format!(r#"{{"messages":["?"],"tools":[{tools}]}}"#));
    assert!(view.cut && bytes < 1 << 20, "names: {bytes}");
}

#[test]
fn what_was_entered_becomes_the_result_of_sampling_and_can_be_changed() {
    let sent = |entered: &str| QuestionView::sampled(&json(entered)).map(|result| result.text().to_owned());
    let result = |text: &str, model: &str| {
        format!(
            r#"{{"role":"assistant","content":{{"type":"text","text":{text}}},"model":{model},"stopReason":"endTurn"}}"#
        )
    };
    let back = |result: &str| QuestionView::entered(&json(result)).text().to_owned();
    for (entered, text, model) in [
        (r#"{"text":"a\u00e9\n"}"#, r#""a\u00e9\n""#, r#""human""#),
        (r#"{"text":"a","model":"m"}"#, r#""a""#, r#""m""#),
    ] {
        assert_eq!(sent(entered), Some(result(text, model)), "byte for byte");
        assert_eq!(back(&result(text, model)), entered);
    }
    assert_eq!(sent(r#"{"text":"a","model":""}"#), Some(result(r#""a""#, r#""human""#)));
    for wrong in ["{}", "7", r#"{"text":7}"#, r#"{"text":"a","model":7}"#] {
        assert_eq!(sent(wrong), None, "{wrong}");
    }
}

#[test]
fn an_answer_in_the_shape_of_the_protocol_is_checked_and_sent_as_it_is() {
    let given = |content: &str| format!(r#"{{"model":"m", "role":"assistant","content":{content}}}"#);
    for content in
        [r#"{"type":"text","text":"a"}"#, r#"[{"type":"text","text":"a"},{"type":"image","data":"AA=="}]"#]
    {
        let given = given(content);
        assert_eq!(QuestionView::sampled(&json(&given)), Some(json(&given)), "stopReason stays out");
        assert_eq!(QuestionView::entered(&json(&given)), json(&given), "the form cannot say all of it");
        check(&given, true);
    }
    for wrong in [
        given("7"),
        given("[]"),
        given(r#"{"type":"text"}"#),
        given(r#"[{"text":"a"}]"#),
        r#"{"role":"assistant","content":{"type":"text","text":"a"}}"#.to_owned(),
        r#"{"role":"system","content":{"type":"text","text":"a"},"model":"m"}"#.to_owned(),
        r#"{"role":"assistant","text":"a"}"#.to_owned(),
        "{}".to_owned(),
    ] {
        check(&wrong, false);
    }
    check(r#"{"text":"a"}"#, true);
}

fn check(given: &str, fits: bool) {
    let schema = QuestionView::answer_schema(&json(given));
    let checked = signalbox_forms::validate(schema.text(), given);
    assert_eq!(checked.is_ok(), fits, "{given}: {checked:?}");
}
