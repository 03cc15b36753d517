//! `answer` and `inbox`.
//!
//! Longer than most: each way to answer is tried on the same few questions.

use serde_json::json;
use signalbox_api::{
    ApiError, Code, Command, Detail, Reply, RequestDetail, RequestRow, Retry, RoundView, UrlView, UrlWarning,
    command,
};
use signalbox_forms::{FieldError, FieldErrorCode};
use signalbox_model::{
    Accept, Action, Answer, Attention, CallId, Json, Mode, No, RequestId, RequestState, SAMPLING,
    SamplingMessage, SamplingPart, SamplingView, Settled, Ways,
};

use super::calling::answered_once;
use super::desk::{SCHEMA, Scripted, World, request, task, ways};
use super::{Trial, at};
use crate::ask::Decision;
use crate::exit::{Exit, Failure};

pub(super) fn asked(request: signalbox_api::RequestDetail) -> World {
    let mut world = World::default();
    world.tasks.insert(CallId(1), task(1));
    world.ask(request);
    world
}

pub(super) fn desk(world: World, answer: impl Fn() -> Result<(), ApiError> + Send + 'static) -> Scripted {
    Scripted::new(world, move |world, command| match command {
        Command::Answer(command::Answer { request, .. }) => {
            answer()?;
            world.settle(*request, RequestState::Answered, None);
            Ok(Reply::Done)
        }
        other => panic!("an answer has no reason for {other:?}"),
    })
}

fn sent(desk: &Scripted) -> Option<serde_json::Value> {
    desk.world().commands.last().map(|command| serde_json::to_value(command).unwrap())
}

#[tokio::test]
async fn an_answer_goes_out_as_typed_and_comes_back_as_document() {
    let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
    let trial = Trial::json();
    let line = ["answer", "r1", "--accept", "--content", r#"{"approve": true}"#];
    assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Done);
    assert_eq!(
        sent(&desk),
        Some(json!({
            "type": "answer", "request": "r1", "action": "accept", "content": r#"{"approve": true}"#, "holdMs": 0,
            "asks": "asks of r1"
        }))
    );
    assert_eq!(trial.document()["state"], "answered");
}

#[tokio::test]
async fn another_answer_to_what_may_have_arrived_is_a_decision() {
    for state in [RequestState::Unknown, RequestState::NotTaken] {
        let desk = desk(asked(answered_once(state)), || Ok(()));
        let failure = Trial::text().run(&desk, &["answer", "r1", "--decline"]).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Gone, "{failure}");
        let said = failure.to_string();
        assert!(said.contains("--again") && said.contains(r#"{"approve":false}"#), "what was said: {said}");
        assert_eq!(sent(&desk), None, "{state:?}");
        Trial::text().run(&desk, &["answer", "r1", "--decline", "--again"]).await.unwrap();
        assert_eq!(sent(&desk).unwrap()["action"], "decline");
    }
}

fn destructive() -> RequestDetail {
    RequestDetail { destructive: true, ..request(1, 1, SCHEMA) }
}

#[tokio::test]
async fn what_may_destroy_something_takes_a_second_word() {
    let line = ["answer", "r1", "--accept", "--content", r#"{"approve":true}"#];
    let quiet = desk(asked(destructive()), || Ok(()));
    let failure = Trial::text().run(&quiet, &line).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::InputNeeded, "{failure}");
    let said = failure.to_string();
    assert!(
        said.contains("may destroy something") && said.contains("--destructive"),
        "what was said: {said}"
    );
    assert_eq!(sent(&quiet), None, "nobody was there to say it twice");
    Trial::text().run(&quiet, &[&line[..], &["--destructive"]].concat()).await.unwrap();
    assert_eq!(sent(&quiet).unwrap()["action"], "accept");

    for (typed, goes) in [("", false), ("n", false), ("y", true)] {
        let (desk, trial) = (desk(asked(destructive()), || Ok(())), Trial::person(&[typed]));
        assert_eq!(trial.run(&desk, &line).await.is_ok(), goes, "{typed:?}");
        assert_eq!(sent(&desk).is_some(), goes, "{typed:?}");
        assert!(trial.err.text().contains("may destroy something"), "it is said first: {}", trial.err.text());
    }
    let trial = Trial::text();
    trial.run(&Scripted::showing(asked(destructive())), &["show", "r1"]).await.unwrap();
    assert!(trial.out.text().contains("--destructive"), "who looks at it knows: {}", trial.out.text());
    for no in ["--decline", "--cancel"] {
        let desk = desk(asked(destructive()), || Ok(()));
        Trial::text().run(&desk, &["answer", "r1", no]).await.unwrap();
        assert!(sent(&desk).is_some(), "a no destroys nothing: {no}");
    }
}

/// A desk with a question of a tool that its server has not listed yet, and what comes of asking for that.
fn unlisted(listed: impl Fn() -> Result<bool, ApiError> + Send + 'static) -> Scripted {
    let detail = RequestDetail { unlisted: true, ..request(1, 1, SCHEMA) };
    Scripted::new(asked(detail), move |world, command| match command {
        Command::Tool(command::Tool { server, tool }) => {
            assert_eq!((server.as_str(), tool.as_str()), ("s1", "deploy"));
            let tool = super::desk::tool(SCHEMA);
            Ok(Reply::Tool { tool: Box::new(signalbox_api::ToolView { destructive: listed()?, ..tool }) })
        }
        Command::Answer(command::Answer { request, .. }) => {
            world.settle(*request, RequestState::Answered, None);
            Ok(Reply::Done)
        }
        other => panic!("an answer has no reason for {other:?}"),
    })
}

#[tokio::test]
async fn a_server_that_never_listed_its_tools_is_asked_before_it_gets_a_yes() {
    let line = ["answer", "r1", "--accept", "--content", r#"{"approve":true}"#];
    let answers = |desk: &Scripted| sent(desk).is_some_and(|last| last["type"] == "answer");
    for code in [None, Some(Code::UnknownTool)] {
        let desk = unlisted(move || code.map_or(Ok(false), |code| Err(ApiError::new(code, "no such tool"))));
        assert_eq!(Trial::text().run(&desk, &line).await.unwrap(), Exit::Done);
        assert!(answers(&desk), "nothing says that it may destroy something: {code:?}");
    }

    let warns = unlisted(|| Ok(true));
    let failure = Trial::text().run(&warns, &line).await.unwrap_err();
    assert_eq!((failure.exit(), answers(&warns)), (Exit::InputNeeded, false), "{failure}");
    assert!(failure.to_string().contains("the tool says that it may destroy something"), "{failure}");

    let away = || unlisted(|| Err(ApiError::new(Code::Unreachable, "ci cannot be \u{1b}[2Jreached.")));
    let desk = away();
    let failure = Trial::text().run(&desk, &line).await.unwrap_err();
    assert_eq!((failure.exit(), answers(&desk)), (Exit::InputNeeded, false), "{failure}");
    let said = failure.to_string();
    assert!(said.contains("could not learn whether") && said.contains("--destructive"), "{said}");
    assert!(said.contains("reached)") && !said.contains('\u{1b}'), "and why: {said}");
    for (typed, goes) in [("n", false), ("y", true)] {
        let (desk, trial) = (away(), Trial::person(&[typed]));
        assert_eq!((trial.run(&desk, &line).await.is_ok(), answers(&desk)), (goes, goes), "{typed}");
    }
    let desk = away();
    Trial::text().run(&desk, &[&line[..], &["--destructive"]].concat()).await.unwrap();
    assert_eq!(desk.world().commands.len(), 1, "who says so beforehand waits for no server");
    let desk = away();
    Trial::text().run(&desk, &["answer", "r1", "--decline"]).await.unwrap();
    assert!(answers(&desk), "nor does a no");
}

#[tokio::test]
async fn whoever_is_asked_during_a_call_says_it_twice_too() {
    let yes = Decision::Answer(Action::Accept, None);
    let no = Decision::Answer(Action::Decline, None);
    for (detail, decision, asks) in
        [(destructive(), &yes, true), (destructive(), &no, false), (request(1, 1, SCHEMA), &yes, false)]
    {
        let caution = detail.destructive.then_some(crate::text::DESTROYS);
        let wanted = crate::ask::is_wanted(&Trial::person(&["n"]).console, &detail, decision, caution).await;
        assert_eq!(wanted, !asks, "{decision:?}");
    }
    assert!(
        crate::ask::introduction(&destructive()).contains("may destroy something"),
        "before it is decided"
    );
}

#[tokio::test]
async fn what_is_settled_says_what_was_decided_and_what_can_be_done() {
    let decided = |state: RequestState| {
        let mut detail = answered_once(state);
        detail.row.decided_by = Some(signalbox_model::Actor::Person);
        detail.ways = ways(state);
        detail
    };
    let held = {
        let detail = decided(RequestState::Held);
        RequestDetail { ways: Ways { take_back: true, ..detail.ways }, ..detail }
    };
    for (detail, again, part) in [
        (decided(RequestState::Answered), false, "it has been answered"),
        (decided(RequestState::Answered), true, "--again helps only where nobody knows"),
        (held, true, "`signalbox undo r1` takes the earlier one back"),
        (decided(RequestState::Closed), false, "it is over"),
    ] {
        let desk = desk(asked(detail), || Ok(()));
        let line = ["answer", "r1", "--decline", "--again"];
        let failure = Trial::text().run(&desk, &line[..if again { 4 } else { 3 }]).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Gone, "{failure}");
        let said = failure.to_string();
        let decided = "It was decided by a person here at 2026";
        assert!(said.contains(part) && said.contains(decided), "{part}: {said}");
        assert!(said.contains(r#"accept with {"approve":false}"#), "{said}");
        assert!(said.contains("Nothing of this answer was sent"), "{said}");
        assert_eq!(said.contains("--again"), again && !said.contains("undo"), "{said}");
        assert_eq!(sent(&desk), None);
    }
}

#[tokio::test]
async fn what_is_not_taken_is_explained() {
    let (desk, trial) = (Scripted::showing(asked(answered_once(RequestState::NotTaken))), Trial::text());
    assert_eq!(trial.run(&desk, &["show", "r1"]).await.unwrap(), Exit::Done);
    assert!(trial.out.text().contains("several polls later it still asks"), "{}", trial.out.text());
}

#[tokio::test]
async fn what_was_said_to_the_same_question_before_is_shown_with_it() {
    let before = answered_once(RequestState::Answered).row;
    let answer = before.answer.clone().unwrap();
    let mut world = asked(request(1, 1, SCHEMA));
    world.earlier = vec![RequestRow { id: RequestId(7), ..before }];
    let (desk, trial) = (Scripted::showing(world), Trial::text());
    trial.run(&desk, &["show", "r1"]).await.unwrap();
    let shown = trial.out.text();
    let (_, earlier) = shown.split_once("Earlier answers to the same question:").expect(&shown);
    assert!(earlier.contains("r7") && earlier.contains(r#"accept with {"approve":false}"#), "{shown}");
    let trial = Trial::json();
    trial.run(&desk, &["show", "r1"]).await.unwrap();
    let given = json!([{
        "request": "r7",
        "task": "t1",
        "action": "accept",
        "content": { "approve": false },
        "decidedAt": answer.decided_at.to_string(),
    }]);
    assert_eq!(trial.document()["earlierAnswers"], given, "programs get it, too");
}

#[tokio::test]
async fn decline_and_cancel_carry_nothing() {
    for (option, action) in [("--decline", "decline"), ("--cancel", "cancel")] {
        let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
        Trial::text().run(&desk, &["answer", "r1", option]).await.unwrap();
        assert_eq!(
            sent(&desk),
            Some(
                json!({"type": "answer", "request": "r1", "action": action, "holdMs": 0, "asks": "asks of r1"})
            )
        );
    }
}

#[tokio::test]
async fn off_a_terminal_missing_content_is_code_2_with_the_fields() {
    let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
    let Failure::Api(error) = Trial::json().run(&desk, &["answer", "r1", "--accept"]).await.unwrap_err()
    else {
        panic!("it is from the closed list")
    };
    assert_eq!(Exit::from(error.code), Exit::Usage);
    let Some(Detail::Form(form)) = &error.detail else { panic!("the fields are in the detail") };
    let names: Vec<_> = form.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["approve", "reason"]);
    assert!(error.message.contains("approve, reason"), "{error}");
    assert_eq!(sent(&desk), None, "nothing is guessed");
}

#[tokio::test]
async fn a_form_without_fields_needs_no_content() {
    let desk = desk(asked(request(1, 1, r#"{"type":"object","properties":{}}"#)), || Ok(()));
    Trial::text().run(&desk, &["answer", "r1", "--accept"]).await.unwrap();
    assert_eq!(sent(&desk).unwrap()["content"], "{}");
}

#[tokio::test]
async fn at_a_terminal_the_fields_are_asked_for() {
    let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
    let trial = Trial::person(&["y", ""]);
    assert_eq!(trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap(), Exit::Done);
    assert_eq!(sent(&desk).unwrap()["content"], r#"{"approve":true}"#, "an optional field may stay out");
}

#[tokio::test]
async fn at_a_terminal_a_closed_question_is_not_asked() {
    let mut closed = request(1, 1, SCHEMA);
    closed.row.state = RequestState::Closed;
    closed.ways = ways(RequestState::Closed);
    let desk = desk(asked(closed), || Ok(()));
    let trial = Trial::person(&["y", ""]);
    let failure = trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Gone);
    assert_eq!(trial.err.text(), "");
}

#[tokio::test]
async fn off_a_terminal_a_closed_question_wants_no_content() {
    let mut closed = request(1, 1, SCHEMA);
    closed.row.state = RequestState::Closed;
    closed.ways = ways(RequestState::Closed);
    let desk = desk(asked(closed), || Ok(()));
    let failure = Trial::json().run(&desk, &["answer", "r1", "--accept"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Gone);
}

#[tokio::test]
async fn at_a_terminal_what_is_not_checked_is_said_before_anything_is_asked() {
    let schema = r#"{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}"#;
    let desk = desk(asked(request(1, 1, schema)), || Ok(()));
    let trial = Trial::person(&["{}"]);
    trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap();
    let said = trial.err.text();
    let (first, asked) = said.split_once("(optional)").unwrap();
    assert!(first.contains("a: A reference leads nowhere"), "{said}");
    assert!(!asked.contains("A reference leads"), "and not twice: {said}");
}

#[tokio::test]
async fn what_the_desk_says_decides_the_exit() {
    let queued = ApiError { retry: Retry::Queued, ..ApiError::new(Code::Unreachable, "it stays queued") };
    let misfit = FieldError {
        field: Some("approve".into()),
        path: "/approve".into(),
        message: "Must be true or false".into(),
        code: FieldErrorCode::Type,
    };
    let invalid = ApiError::new(Code::InvalidContent, "approve: Must be true or false")
        .with(Detail::Errors(vec![misfit]));
    let table = [
        (queued, Exit::Unreachable),
        (invalid, Exit::Usage),
        (ApiError::new(Code::AlreadyClosed, "over"), Exit::Gone),
        (ApiError::new(Code::SignInNeeded, "sign in"), Exit::SignInNeeded),
        (ApiError::new(Code::StorageFull, "full"), Exit::Home),
    ];
    for (error, exit) in table {
        let told = error.clone();
        let desk = desk(asked(request(1, 1, SCHEMA)), move || Err(told.clone()));
        let line = ["answer", "r1", "--accept", "--content", "{}"];
        let failure = Trial::json().run(&desk, &line).await.unwrap_err();
        assert_eq!(failure.exit(), exit, "{:?}", error.code);
        let Failure::Api(got) = failure else { panic!("it is the desk's") };
        assert_eq!(got, error, "nothing is lost on the way");
    }
}

#[tokio::test]
async fn an_unknown_question_is_code_6() {
    let desk = desk(World::default(), || Ok(()));
    let failure = Trial::text().run(&desk, &["answer", "r9", "--decline"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Gone);
}

#[test]
fn a_url_is_shown_whole_with_what_to_be_wary_of() {
    let mut detail = request(1, 1, SCHEMA);
    (detail.row.mode, detail.form, detail.schema) = (Mode::Url, None, None);
    detail.url = Some(UrlView {
        full: "http://bank.com@xn--e1awd7f.com/pay?a=\u{202e}1".into(),
        before: "http://bank.com@".into(),
        host: "xn--e1awd7f.com".into(),
        after: "/pay".into(),
        warnings: vec![UrlWarning::NotHttps, UrlWarning::UserInfo],
        web: true,
        ..UrlView::default()
    });
    let shown = crate::ask::introduction(&detail);
    assert!(shown.contains(r"http://bank.com@xn--e1awd7f.com/pay?a=\u{202e}1"), "{shown}");
    assert!(shown.contains("its host is xn--e1awd7f.com"), "{shown}");
    assert!(shown.contains("not be encrypted") && shown.contains("user name"), "{shown}");
}

#[tokio::test]
async fn accepting_a_url_sends_no_content() {
    let mut detail = request(1, 1, SCHEMA);
    (detail.row.mode, detail.form, detail.schema) = (Mode::Url, None, None);
    let desk = desk(asked(detail), || Ok(()));
    Trial::text().run(&desk, &["answer", "r1", "--accept"]).await.unwrap();
    assert_eq!(
        sent(&desk),
        Some(
            json!({"type": "answer", "request": "r1", "action": "accept", "holdMs": 0, "asks": "asks of r1"})
        )
    );
}

#[tokio::test]
async fn the_inbox_lists_who_asks_for_what() {
    let desk = Scripted::showing(asked(request(1, 1, SCHEMA)));
    let trial = Trial::json();
    trial.run(&desk, &["inbox"]).await.unwrap();
    let document = trial.document();
    assert_eq!(document["requests"][0]["id"], "r1");
    assert_eq!(document["requests"][0]["task"], "t1");
    let trial = Trial::text();
    trial.run(&desk, &["inbox"]).await.unwrap();
    assert!(trial.out.text().contains("Deploy to production?"), "{}", trial.out.text());
    assert_eq!(desk.world().requests[&RequestId(1)].row.state, RequestState::Open, "looking answers nothing");
}

/// A wish for a model's answer, on a call itself: there is no way to say no to it alone.
fn sampling() -> RequestDetail {
    let mut detail = request(1, 1, SCHEMA);
    detail.row.method = SAMPLING.to_owned();
    detail.row.message = "Summarize last night's outage".to_owned();
    let text = |text: &str| SamplingPart::Text { text: text.to_owned() };
    let image = SamplingPart::Media {
        r#type: "image".to_owned(),
        mime_type: Some("image/png".to_owned()),
        bytes: Some(1_234),
    };
    let message = |role: &str, parts| SamplingMessage { role: role.to_owned(), parts };
    detail.sampling = Some(SamplingView {
        system_prompt: Some("You write for engineers.\u{1b}[2J".to_owned()),
        messages: vec![
            message("assistant", vec![text("Which one?")]),
            message("user", vec![text("Summarize\nlast night's outage"), image]),
        ],
        max_tokens: Some("400".to_owned()),
        model_hints: vec!["small".to_owned()],
        ..SamplingView::default()
    });
    let no = Some(No::GivesUp);
    detail.ways = Ways { accept: Some(Accept::Text), decline: no, ..Ways::default() };
    detail
}

#[tokio::test]
async fn a_wish_for_a_models_answer_is_titled_by_what_it_wants_and_shown_whole() {
    let desk = Scripted::showing(asked(sampling()));
    let trial = Trial::text();
    trial.run(&desk, &["show", "r1"]).await.unwrap();
    let shown = trial.out.text();
    for wanted in [
        "Wants a model's answer: Summarize last night's outage",
        "[system] You write for engineers.",
        "[assistant] Which one?",
        "[user] Summarize\n  │   last night's outage",
        "(image: image/png, 1234 bytes; not shown)",
        "(at most, in tokens: 400)",
        "(wants a model like: \"small\")",
        "`signalbox answer r1 --decline`: the whole call is given up",
    ] {
        assert!(shown.contains(wanted), "{wanted:?} is missing: {shown}");
    }
    assert!(!shown.contains('\u{1b}'), "text stays text: {shown:?}");
    assert!(!shown.contains("--cancel"), "it cannot be dismissed: {shown}");
}

#[tokio::test]
async fn what_a_no_means_is_said_before_it_is_asked_for() {
    let told = crate::text::ways::choice(&sampling());
    assert_eq!(told.0, "[a]ccept, [d]ecline, [n]ote or [l]ater? ");
    assert!(told.1.is_some_and(|meaning| meaning.contains("the whole call is given up")));
    let plain = crate::text::ways::choice(&request(1, 1, SCHEMA));
    assert_eq!(plain, ("[a]ccept, [d]ecline, dis[m]iss, [n]ote or [l]ater? ".to_owned(), None));
}

#[tokio::test]
async fn what_a_question_does_not_take_is_refused_before_anything_is_sent() {
    let unknown = || {
        let mut detail = request(1, 1, SCHEMA);
        (detail.row.mode, detail.row.method) = (Mode::Other, "future/ask".to_owned());
        detail.ways = Ways { decline: Some(No::Unsaid), ..Ways::default() };
        detail
    };
    let desk = desk(asked(unknown()), || Ok(()));
    for line in [["answer", "r1", "--accept"], ["answer", "r1", "--cancel"]] {
        let failure = Trial::text().run(&desk, &line).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage, "{line:?}");
        assert!(failure.to_string().contains("--decline is possible"), "{failure}");
    }
    assert_eq!(sent(&desk), None);
    let trial = Trial::text();
    trial.run(&desk, &["answer", "r1", "--decline"]).await.unwrap();
    let said = trial.out.text();
    assert!(said.contains("waits until `signalbox cancel t1`"), "what that no means: {said}");
}

#[tokio::test]
async fn an_answer_that_is_kept_says_for_what_and_is_taken_back() {
    let desk = Scripted::new(asked(request(1, 1, SCHEMA)), |world, command| {
        let detail = world.requests.get_mut(&RequestId(1)).unwrap();
        match command {
            Command::Answer(_) => {
                detail.row.answer = Some(Answer::new(Action::Decline, at("2026-07-28T10:00:06Z")));
                detail.row.state = RequestState::Sending;
                detail.ways = Ways { settled: Some(Settled::OnItsWay), take_back: true, ..Ways::default() };
                let (requests, undecided) = (vec![RequestId(1), RequestId(13)], vec![RequestId(13)]);
                detail.round = Some(RoundView { n: 1, requests, undecided, paged: false });
                detail.siblings = vec![RequestId(13)];
            }
            Command::Undo(_) => {
                detail.row.answer = None;
                detail.row.state = RequestState::Open;
                detail.ways = ways(RequestState::Open);
            }
            other => panic!("{other:?}"),
        }
        Ok(Reply::Done)
    });
    let trial = Trial::text();
    trial.run(&desk, &["answer", "r1", "--decline"]).await.unwrap();
    let said = trial.err.text();
    assert!(said.contains("Kept. It goes out with r13, which is still open."), "{said}");
    assert!(said.contains("`signalbox undo r1`"), "{said}");
    let trial = Trial::text();
    assert_eq!(trial.run(&desk, &["undo", "r1"]).await.unwrap(), Exit::Done);
    assert_eq!(
        sent(&desk),
        Some(json!({"type": "undo", "request": "r1", "decidedAt": "2026-07-28T10:00:06.000Z"}))
    );
    assert!(trial.out.text().contains("Taken back: nothing of it was sent."), "{}", trial.out.text());
}

#[test]
fn what_a_kept_answer_waits_for_is_open_or_can_be_undone() {
    let kept = |open: &[u32], held: &[u32]| {
        let mut detail = request(1, 1, SCHEMA);
        detail.ways = Ways { settled: Some(Settled::OnItsWay), take_back: true, ..Ways::default() };
        detail.siblings = open.iter().copied().map(RequestId).collect();
        let undecided: Vec<_> = open.iter().chain(held).copied().map(RequestId).collect();
        let requests = std::iter::once(RequestId(1)).chain(undecided.iter().copied()).collect();
        detail.round = Some(RoundView { n: 1, requests, undecided, paged: false });
        crate::text::ways::kept(&detail)
    };
    for (open, held, said) in [
        (&[2][..], &[][..], Some("Kept. It goes out with r2, which is still open.")),
        (&[2, 3], &[], Some("Kept. It goes out with r2, r3, which are still open.")),
        (&[], &[4], Some("Kept. It goes out with r4, whose answer can still be undone.")),
        (&[], &[4, 5], Some("Kept. It goes out with r4, r5, whose answers can still be undone.")),
        (
            &[2],
            &[4],
            Some(
                "Kept. It goes out with r2, which is still open, and with r4, whose answer can still be undone.",
            ),
        ),
        (&[], &[], None),
    ] {
        assert_eq!(kept(open, held).as_deref(), said, "open {open:?}, held {held:?}");
    }
}

#[tokio::test]
async fn what_is_stranded_is_listed_last_and_put_away() {
    let mut stranded = request(1, 1, SCHEMA);
    (stranded.row.state, stranded.row.stranded) = (RequestState::Orphaned, true);
    stranded.ways = ways(RequestState::Orphaned);
    let mut world = asked(stranded);
    world.ask(request(2, 1, SCHEMA));
    let desk = Scripted::new(world, |world, command| {
        assert!(
            matches!(command, Command::PutAway(command::PutAway { request: RequestId(1) })),
            "{command:?}"
        );
        world.settle(RequestId(1), RequestState::Closed, None);
        Ok(Reply::Done)
    });
    let trial = Trial::text();
    trial.run(&desk, &["inbox"]).await.unwrap();
    let listed = trial.out.text();
    let (waiting, below) = listed.split_once("No longer asked").unwrap();
    assert!(waiting.contains("r2") && !waiting.contains("r1 "), "{listed}");
    assert!(below.contains("r1 "), "{listed}");
    let failure = Trial::text().run(&desk, &["answer", "r1", "--decline"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Gone);
    assert!(failure.to_string().contains("if the server asks again"), "what will happen: {failure}");
    let trial = Trial::text();
    assert_eq!(trial.run(&desk, &["put-away", "r1"]).await.unwrap(), Exit::Done);
    assert!(trial.out.text().starts_with("Put away."), "{}", trial.out.text());
}

#[tokio::test]
async fn a_receipt_says_who_decided() {
    let mut roots = request(1, 1, SCHEMA);
    (roots.row.method, roots.row.message) = (signalbox_model::ROOTS.to_owned(), String::new());
    roots.row.decided_by = Some(signalbox_model::Actor::Signalbox);
    let desk = Scripted::showing(asked(roots));
    let trial = Trial::text();
    trial.run(&desk, &["show", "r1"]).await.unwrap();
    let shown = trial.out.text();
    assert!(shown.contains("Signalbox said which folders it may see"), "{shown}");
    assert!(shown.contains("from the folders that are listed"), "{shown}");
}

#[tokio::test]
async fn what_the_call_was_made_with_stands_above_the_form_row_by_row() {
    let mut detail = request(1, 1, SCHEMA);
    detail.arguments =
        Some(Json::parse(r#"{"service":"a version: 1 region: b","version":"6.6.6"}"#).unwrap());
    let shown = [r#"service  "a version: 1 region: b""#, r#"version  "6.6.6""#];
    let desk = desk(asked(detail), || Ok(()));
    let trial = Trial::person(&["y", ""]);
    trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap();
    let trial_of_show = Trial::text();
    trial_of_show.run(&desk, &["show", "r1"]).await.unwrap();
    for row in shown {
        let is_a_row = |text: &str| text.lines().any(|line| line.ends_with(row));
        assert!(is_a_row(&trial_of_show.out.text()), "{row}: {}", trial_of_show.out.text());
    }
}

#[tokio::test]
async fn absent_empty_and_null_are_three_things_that_can_be_typed() {
    let schema = r#"{"type":"object","properties":{"nickname":{"type":["string","null"]}}}"#;
    for (typed, content) in [
        ("", "{}"),
        (r#""""#, r#"{"nickname":""}"#),
        ("null", r#"{"nickname":null}"#),
        (r#""null""#, r#"{"nickname":"null"}"#),
    ] {
        let (desk, trial) = (desk(asked(request(1, 1, schema)), || Ok(())), Trial::person(&[typed]));
        trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap();
        assert_eq!(sent(&desk).unwrap()["content"], content, "{typed:?}");
        let said = trial.err.text();
        assert!(
            said.contains(r#"null means null, "" means an empty text"#),
            "before it is asked for: {said}"
        );
    }
}

#[tokio::test]
async fn a_question_is_put_off_and_listed_on_its_tab() {
    let mut world = asked(request(1, 1, SCHEMA));
    world.ask(request(2, 1, SCHEMA));
    let desk = Scripted::new(world, |world, command| {
        let Command::Snooze(command::Snooze { request, until }) = command else { panic!("{command:?}") };
        let row = &mut world.requests.get_mut(request).unwrap().row;
        (row.snoozed, row.returns_at) = (*until, until.and_then(|until| until.ends_at(None)));
        row.attention = if until.is_some() { Attention::Snoozed } else { Attention::NeedsYou };
        Ok(Reply::Done)
    });
    let trial = Trial::text();
    assert_eq!(trial.run(&desk, &["snooze", "r1", "1h"]).await.unwrap(), Exit::Done);
    assert!(
        trial.out.text().starts_with("Snoozed: comes back 2026-07-28T11:00:10.000Z"),
        "{}",
        trial.out.text()
    );
    let list = async |tab: &str| {
        let trial = Trial::text();
        trial.run(&desk, &["inbox", "--tab", tab]).await.unwrap();
        trial.out.text()
    };
    let snoozed = list("snoozed").await;
    assert!(snoozed.contains("r1 ") && snoozed.contains("snoozed") && !snoozed.contains("r2 "), "{snoozed}");
    let needs_you = list("needs-you").await;
    assert!(needs_you.contains("r2 ") && !needs_you.contains("r1 "), "{needs_you}");
    assert_eq!(list("expiring").await, "No question is on this tab.\n");
    let trial = Trial::json();
    trial.run(&desk, &["snooze", "r1", "change"]).await.unwrap();
    let printed = trial.out.text();
    assert!(printed.contains(r#""attention":"snoozed","snoozed":{"until":"change"}"#), "{printed}");
    let trial = Trial::text();
    trial.run(&desk, &["snooze", "r1", "before-expiry"]).await.unwrap();
    let printed = trial.out.text();
    assert!(printed.starts_with("Snoozed: until shortly before it expires."), "{printed}");
    let trial = Trial::json();
    trial.run(&desk, &["snooze", "r1", "tomorrow"]).await.unwrap();
    let until: signalbox_model::Timestamp =
        serde_json::from_value(trial.document()["snoozed"]["at"].clone()).unwrap();
    assert_eq!(until, signalbox_api::tomorrow(trial.console.now()), "from the moment that it is typed");
    let trial = Trial::text();
    trial.run(&desk, &["snooze", "r1", "off"]).await.unwrap();
    assert!(trial.out.text().starts_with("It waits for you again."), "{}", trial.out.text());
}
