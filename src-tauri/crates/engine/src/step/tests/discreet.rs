//! What is said aloud of a question that was answered with a secret: nothing of the secret.

use signalbox_model::{Action, RequestId, RequestState as S};

use super::{super::turn::LONGEST_TOLD, bench::*, questions::ack};
use crate::{Follow, Granted, Intent, NoticeKind, Refusal};

const SECRET: &str = "correct horse battery";
const MINUTE: u64 = 60_000;

/// A poll of a task that has so many minutes to live and wants a password.
fn wants() -> signalbox_model::Json {
    let wanted = r#""requestedSchema":{"type":"object","properties":{"password":{"type":"string"}}}"#;
    let asked = asking(&["k"]).text().replace(r#""requestedSchema":{"type":"object"}"#, wanted);
    let limit = format!(r#""ttlMs":{}"#, 60 * MINUTE);
    json(&asked.replace(r#""ttlMs":null"#, &limit))
}

fn answer(bench: &mut Bench, request: RequestId, hold_ms: u32) -> Result<Granted, Refusal> {
    let seen = bench.seen(request);
    let content = Some(json(&format!(r#"{{"password":"{SECRET}"}}"#)));
    let remark = Some("asked Ada".to_owned());
    bench.wish(Intent::Answer { request, action: Action::Accept, content, hold_ms, seen, remark, asks: None })
}

#[test]
fn no_notification_has_anything_of_a_secret_that_was_answered() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(wants()));
    let id = bench.questions(call)[0].id;
    answer(&mut bench, id, 60_000).unwrap();
    let undoes = bench.undoes(id);
    bench.wish(undoes).unwrap();
    answer(&mut bench, id, 0).unwrap();
    bench.reply_update(call, Err(rpc(-32602)));
    assert_eq!(bench.question(id).state, S::Refused);
    answer(&mut bench, id, 0).unwrap();
    bench.reply_update(call, Ok(ack()));
    while bench.question(id).state == S::Answered {
        bench.poll(call, Ok(wants()));
    }
    assert_eq!(bench.question(id).state, S::NotTaken);
    bench.serve(56 * MINUTE, |_| wants());
    answer(&mut bench, id, 60_000).unwrap();
    let told = std::mem::take(&mut bench.notices);
    let mut bench = bench.restart(1_000, Follow::All);
    bench.serve(MINUTE, |_| wants());
    bench.poll(call, Ok(done()));

    let all: Vec<_> = told.iter().chain(&bench.notices).collect();
    for kind in [NoticeKind::NeedsInput, NoticeKind::Expires, NoticeKind::Ended(signalbox_model::Outcome::Ok)]
    {
        assert!(all.iter().any(|notice| notice.kind == kind), "{kind:?} was told: {all:?}");
    }
    for notice in all {
        let said = format!("{notice:?}");
        let parts = SECRET.split(' ').chain(["Ada"]);
        assert!(parts.into_iter().all(|part| !said.contains(part)), "{said}");
    }
}

#[test]
fn no_notification_has_a_part_of_a_task_id_that_stands_where_a_line_is_cut() {
    for before in [0, LONGEST_TOLD - 8, LONGEST_TOLD - 2, LONGEST_TOLD + 50] {
        let mut bench = Bench::new();
        let call = bench.task();
        let id = bench.row(call).task.as_ref().unwrap().task_id.clone();
        assert!(id.starts_with("task-"), "{id}");
        let line = format!("{}{id} of 3{}", "x".repeat(before), " and more that is not told".repeat(50));
        let result =
            format!(r#"{{"status":"completed","result":{{"content":[{{"type":"text","text":"{line}"}}]}}}}"#);
        bench.poll(call, Ok(json(&result)));
        let told = &bench.notices.last().expect("its end is told").text;
        assert!(told.len() <= LONGEST_TOLD, "{told}");
        assert!(!told.contains("ta"), "{before} characters before it: {told}");
        if before == 0 {
            assert!(told.starts_with(&format!("{call} of 3")), "our own id stands for it, once: {told}");
        }
    }
}
