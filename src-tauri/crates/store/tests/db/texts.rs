//! Full texts: found by their words, gone with their rows, and in no file that anybody else finds.

use std::fs;

use signalbox_model::{Call, CallId, InputRequest, PayloadKind, Task};
use signalbox_store::{Portion, TextOf, Texts, Write};

use crate::{
    files::{large, payload},
    samples::{Fixture, call, json, put_call, put_request, request, task},
};

/// An index of all rows.
fn whole(at: &Fixture) -> Texts {
    let texts = Texts::beside(&at.store.reads()).unwrap();
    for of in [TextOf::Calls, TextOf::Requests] {
        let mut below = Some(u64::from(u32::MAX) + 1);
        while let Some(before) = below {
            let Portion { next, .. } = texts.take_in_below(of, before).unwrap();
            below = next;
        }
    }
    texts
}

fn calls(texts: &Texts, words: &str) -> Vec<u32> {
    texts.find(TextOf::Calls, words).unwrap()
}

fn arguments(id: u32, text: &str) -> Write {
    Write::PutPayload { call: CallId(id), kind: PayloadKind::Arguments, json: json(text) }
}

fn says(id: u32, message: &str) -> Write {
    let task = Task { status_message: Some(message.to_owned()), ..task("t") };
    put_call(Call { task: Some(task), ..call(id) })
}

#[test]
fn a_call_is_found_by_what_was_sent_and_what_came_back() {
    let at = Fixture::new();
    at.put([
        says(1, "Canary is healthy"),
        arguments(1, r#"{"service":"api-gateway","note":"first line\nsecond Café","build":4711}"#),
        put_call(call(2)),
        arguments(2, "{}"),
        payload(2, json(r#"{"content":[{"type":"text","text":"timed out \"again\" after 30 s"}]}"#)),
        put_call(call(3)),
        Write::PutPayload { call: CallId(3), kind: PayloadKind::Last, json: json(r#"{"canary":1}"#) },
    ]);
    let texts = whole(&at);
    let cases: [(&str, &[u32]); 15] = [
        ("canary", &[1]),
        ("healthy", &[1]),
        ("gateway", &[1]),
        ("second", &[1]),
        ("nsecond", &[]),
        ("cafe", &[1]),
        ("4711", &[1]),
        ("471", &[1]),
        ("711", &[]),
        ("timed out", &[2]),
        ("out timed", &[]),
        ("\"again\"", &[2]),
        ("*:-(", &[]),
        ("", &[]),
        ("timed\0out", &[2]),
    ];
    for (words, found) in cases {
        assert_eq!(calls(&texts, words), found, "{words}");
    }
    assert_eq!(texts.find_in_last("asks"), Ok(vec![]), "questions were taken in last, and there are none");
    assert_eq!(texts.take_in(TextOf::Calls, &[2, 3]), Ok(2));
    assert_eq!((texts.find_in_last("canary"), texts.find_in_last("again")), (Ok(vec![]), Ok(vec![2])));
    assert_eq!(calls(&texts, "canary"), [1]);
}

#[test]
fn it_is_as_its_rows_are_once_they_are_taken_in() {
    let at = Fixture::new();
    at.put([put_call(call(1)), arguments(1, r#""blue""#), put_call(call(2)), arguments(2, r#""blue""#)]);
    let texts = whole(&at);
    at.put([
        arguments(1, r#""green""#),
        Write::ForgetCall(CallId(2)),
        put_call(call(3)),
        arguments(3, r#""blue""#),
    ]);
    assert_eq!(texts.take_in(TextOf::Calls, &[1, 2, 3]), Ok(3));
    assert_eq!((calls(&texts, "blue"), calls(&texts, "green")), (vec![3], vec![1]));
}

#[test]
fn a_large_result_is_found_by_its_first_mebibyte() {
    let at = Fixture::new();
    let text = |kib: usize| json(&format!("\"{} needle\"", "x ".repeat(kib << 9)));
    at.put([put_call(call(1)), payload(1, text(900)), put_call(call(2)), payload(2, text(1_100))]);
    assert_eq!(calls(&whole(&at), "needle"), [1]);
}

#[test]
fn rows_come_in_portions_the_newest_first() {
    let at = Fixture::new();
    at.put((1..=600).flat_map(|id| [put_call(call(id)), arguments(id, r#""blue""#)]));
    let texts = Texts::beside(&at.store.reads()).unwrap();
    let first = texts.take_in_below(TextOf::Calls, 1 << 32).unwrap();
    assert_eq!((first.rows.first(), first.rows.last(), first.next), (Some(&600), Some(&345), Some(345)));
    assert_eq!(calls(&texts, "blue").len(), 256, "they are found before the others are there");
    let at = Fixture::new();
    at.put((1..=9).flat_map(|id| [put_call(call(id)), payload(id, large('a', 900))]));
    let texts = Texts::beside(&at.store.reads()).unwrap();
    let first = texts.take_in_below(TextOf::Calls, 1 << 32).unwrap();
    assert_eq!((first.rows.len(), first.next), (5, Some(5)), "long ones make small portions");
    assert_eq!(texts.take_in(TextOf::Calls, &[1, 2, 3, 4, 5, 6, 7]), Ok(5), "also of rows that are named");
}

#[test]
fn a_question_is_found_by_all_that_it_asks() {
    let at = Fixture::new();
    let asked = InputRequest {
        message: "Go on?".to_owned(),
        raw: json(r#"{"params":{"message":"Go on?","requestedSchema":{"title":"Rollout ring"}}}"#),
        ..request(1, 1)
    };
    at.put([put_call(call(1)), put_request(asked)]);
    let found = |words| whole(&at).find(TextOf::Requests, words).unwrap();
    assert_eq!((found("go on"), found("rollout ri"), found("canary")), (vec![1], vec![1], vec![]));
}

#[test]
fn nobody_else_finds_it_and_it_leaves_nothing_behind() {
    let at = Fixture::new();
    at.put([put_call(call(1)), arguments(1, r#""blue""#)]);
    // Somebody was killed.
    fs::write(at.dir.path().join("texts.db"), "rubbish").unwrap();
    let texts = whole(&at);
    assert_eq!(calls(&texts, "blue"), [1]);
    let names = || -> Vec<String> {
        let entries = fs::read_dir(at.dir.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    if cfg!(unix) {
        assert!(names().iter().all(|name| !name.starts_with("texts")), "{:?}", names());
    }
    drop(texts);
    assert!(names().iter().all(|name| !name.starts_with("texts")), "{:?}", names());
}

#[cfg(unix)]
#[test]
fn where_nothing_can_be_written_it_is_kept_in_memory() {
    let at = Fixture::new();
    at.put([put_call(call(1)), arguments(1, r#""blue""#)]);
    // Whoever may do anything can write into a directory that forbids it, but not put a file where a directory is.
    fs::create_dir(at.dir.path().join("texts.db")).unwrap();
    assert_eq!(calls(&whole(&at), "blue"), [1]);
}
