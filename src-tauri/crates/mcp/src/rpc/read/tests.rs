use proptest::prelude::*;

use super::*;

fn describe(bytes: &[u8]) -> String {
    match Message::read(bytes) {
        Ok(Message::Answer { id, outcome: Ok(result) }) => format!("{id:?} ok {}", result.text()),
        Ok(Message::Answer { id, outcome: Err(error) }) => {
            format!("{id:?} error {} {}", error.code, error.message)
        }
        Ok(Message::Unasked(Unasked { id: Some(id), method, .. })) => format!("request {id} {method}"),
        Ok(Message::Unasked(Unasked { id: None, method, .. })) => format!("notification {method}"),
        Err(Malformed) => "malformed".into(),
    }
}

#[test]
fn takes_answers_apart_however_they_are_written() {
    let cases = [
        (r#"{"jsonrpc":"2.0","id":1,"result":{"a":60000.0}}"#, r#"Some(1) ok {"a":60000.0}"#),
        (r#"{"result":{},"id":1}"#, "Some(1) ok {}"),
        (r#"{"id":"7","result":{}}"#, "Some(7) ok {}"),
        (r#"{"id":7.0,"result":{}}"#, "Some(7) ok {}"),
        (r#"{"id":-7,"result":{}}"#, "None ok {}"),
        (r#"{"id":1,"result":null}"#, "Some(1) ok null"),
        (r#"{"id":1,"result":{"x":1},"error":null}"#, r#"Some(1) ok {"x":1}"#),
        (r#"{"id":1,"result":null,"error":{"code":-32602,"message":"no"}}"#, "Some(1) error -32602 no"),
        (r#"{"id":1,"result":{},"error":{"code":-32602.0,"message":"no"}}"#, "Some(1) error -32602 no"),
        (r#"{"id":null,"error":{"code":-32700,"message":"parse"}}"#, "None error -32700 parse"),
        (r#"{"error":{"code":"-32600"}}"#, "None error -32600 "),
        (r#"{"id":1,"error":"just text"}"#, "Some(1) error 0 just text"),
        (r#"{"id":1,"error":[]}"#, "Some(1) error 0 "),
        (r#"{"method":"notifications/progress","params":{}}"#, "notification notifications/progress"),
        (r#"{"id":3,"method":"ping"}"#, "request 3 ping"),
        (r#"{"id":"a\"b","method":"ping"}"#, r#"request "a\"b" ping"#),
        (r#"{"id":null,"method":"ping"}"#, "notification ping"),
        (r#"{"id":3,"method":"ping","result":null,"error":null}"#, "request 3 ping"),
        (r#"{"id":3,"method":"ping","result":{}}"#, "Some(3) ok {}"),
        (r#"{"id":1,"r\u0065sult":true}"#, "Some(1) ok true"),
        (r#"{"id":1,"result":"\ud800 alone"}"#, r#"Some(1) ok "\ud800 alone""#),
        (r#"{"id":1,"\ud800":0,"result":{}}"#, "Some(1) ok {}"),
        (r#"{"id":9,"id":1,"result":false,"result":{}}"#, "Some(1) ok {}"),
        (r#"{"jsonrpc":"2.0","id":1,"jsonrpc":"2.0","error":{},"error":null,"result":{}}"#, "Some(1) ok {}"),
        (r#"{"id":1}"#, "malformed"),
        ("{}", "malformed"),
        ("[]", "malformed"),
        ("", "malformed"),
        (r#"{"id":1,"result":{"#, "malformed"),
        ("Server listening on port 3000", "malformed"),
    ];
    for (text, expected) in cases {
        assert_eq!(describe(text.as_bytes()), expected, "{text}");
    }
    let no_utf8 = b"\xEF\xBB\xBF {\"id\":1,\"result\":\"\xFF\"}\r";
    assert_eq!(describe(no_utf8), "Some(1) ok \"\u{FFFD}\"", "one broken character costs no answer");
}

#[test]
fn a_list_is_its_messages() {
    let describe = |text: &str| -> Vec<bool> { parts(text.as_bytes()).iter().map(Result::is_ok).collect() };
    assert_eq!(describe(r#" [{"id":1,"result":{}},{"method":"x"},7,[]]"#), [true, true, false, false]);
    assert_eq!(describe(r#"{"id":1,"result":{}}"#), [true]);
    assert_eq!(describe("[{"), [false]);
    assert_eq!(describe("[]"), [false; 0]);
    assert_eq!(describe("\u{FEFF}[{\"method\":\"x\"}]"), [true]);
    assert_eq!(describe(r#"{"id":1,"result":{}}{"id":2,"result":{}} {"id":"#), [true, true, false]);
    assert_eq!(describe(r#"{"id":1}"#), [false]);
    assert_eq!(describe(""), [false]);
}

#[test]
fn a_list_of_very_many_is_cut() {
    let message = r#"{"method":"x"}"#;
    let list = format!("[{}]", vec![message; 100_000].join(","));
    for many in [list, message.repeat(100_000), format!("[{}]", vec!["0"; 100_000].join(","))] {
        let parts = parts(many.as_bytes());
        assert!((MOST_TOGETHER..=MOST_TOGETHER + 1).contains(&parts.len()), "{} messages", parts.len());
    }
    let all = format!("[{}]", vec![message; MOST_TOGETHER].join(","));
    assert!(parts(all.as_bytes()).iter().all(Result::is_ok), "as many as are read");
}

#[test]
fn an_error_without_an_id_is_kept_only_if_it_is_short() {
    let own = |length: usize| {
        let error = format!(r#"{{"error":{{"code":-32600,"message":"{}"}}}}"#, "x".repeat(length));
        own_answer_in(error.as_bytes(), 1).unwrap().unwrap()
    };
    assert!(!own(9).named, "whose it is it does not say");
    assert!(own(9).perhaps().is_some_and(|own| own.permit.is_none()), "who waits has no room");
    assert!(own(LONGEST_PERHAPS).perhaps().is_none());
}

#[test]
fn depth_is_no_danger() {
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    let answer = format!(r#"{{"id":1,"result":{deep}}}"#);
    assert_eq!(describe(answer.as_bytes()), format!("Some(1) ok {deep}"));
    let unclosed = format!(r#"{{"id":1,"result":{}"#, "[".repeat(1_000_000));
    assert_eq!(describe(unclosed.as_bytes()), "malformed");
}

#[test]
fn finds_the_id_in_a_beginning() {
    let cases = [
        (r#"{"jsonrpc":"2.0","id":12,"result":{"content":["#, Some(12)),
        (r#" { "id" : "12" , "result""#, Some(12)),
        (r#"{"result":{},"id":12,"#, Some(12)),
        (r#"{"jsonrpc":"2.0","result":{"content":["#, None),
        (r#"{"id":12"#, None),
        (r#"{"jsonrpc":"2.0""#, None),
        ("junk", None),
        ("", None),
    ];
    for (prefix, id) in cases {
        assert_eq!(early_id(prefix.as_bytes()), id, "{prefix}");
    }
    let cut_inside_a_character = &r#"{"id":1,"result":"é"#.as_bytes()[..19];
    assert_eq!(early_id(cut_inside_a_character), Some(1));
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        let _ = Message::read(&bytes);
        let _ = early_id(&bytes);
    }

    #[test]
    fn no_cut_makes_it_panic_or_lie(cut in 0_usize..80, junk in "\\PC{0,8}") {
        let text = r#"{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":"é\n"}]}}"#;
        let cut = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let broken = format!("{}{junk}", &text[..cut]);
        if let Some(id) = early_id(broken.as_bytes()) {
            prop_assert!(cut >= 22, "an id was found before it stood there: {} in {}", id, broken);
        }
        let _ = Message::read(broken.as_bytes());
    }
}
