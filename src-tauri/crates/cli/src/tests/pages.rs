//! Pages of questions in URL mode: what is said of them, and `answer --open`.

use serde_json::json;
use signalbox_api::{ApiError, Code, Command, Reply, RequestDetail, RoundView, UrlView, UrlWarning, command};
use signalbox_model::{Accept, Action, Answer, Mode, RequestId, RequestState, Settled, Ways};

use super::answering::{asked, desk};
use super::desk::{SCHEMA, Scripted, request};
use super::{Trial, at};
use crate::ask::Decision;
use crate::exit::Exit;

const PAGE: &str = "https://signing.example.com/7f3a";

/// A question that asks for a page.
fn wants(url: UrlView) -> RequestDetail {
    let mut detail = request(1, 1, SCHEMA);
    (detail.row.mode, detail.form, detail.schema) = (Mode::Url, None, None);
    detail.ways.accept = Some(Accept::Page);
    RequestDetail { url: Some(url), ..detail }
}

fn signing() -> UrlView {
    UrlView { full: PAGE.to_owned(), host: "signing.example.com".to_owned(), web: true, ..UrlView::default() }
}

/// The same, where its task has asked for a page at that host so often before.
fn asked_before(times: usize) -> RequestDetail {
    let days =
        ["2026-07-25T09:00:00Z", "2026-07-26T09:00:00Z", "2026-07-27T09:00:00Z", "2026-07-28T09:00:00Z"];
    RequestDetail { asked_before: days[..times].iter().map(|day| at(day)).collect(), ..wants(signing()) }
}

/// A desk with a question that asks for a page. Opening it leaves the question in this state.
fn page(then: RequestState) -> Scripted {
    desk_with(wants(signing()), then)
}

fn desk_with(detail: RequestDetail, then: RequestState) -> Scripted {
    Scripted::new(asked(detail), move |world, command| match command {
        Command::BeginVisit(_) => Ok(Reply::Page(command::PageToOpen { url: PAGE.to_owned() })),
        Command::EndVisit(command::EndVisit { request, opened, .. }) => {
            if *opened {
                world.settle(*request, then, None);
            }
            Ok(Reply::Done)
        }
        Command::Answer(command::Answer { request, .. }) => {
            world.settle(*request, RequestState::Answered, None);
            Ok(Reply::Done)
        }
        other => panic!("a page has no reason for {other:?}"),
    })
}

fn acts(desk: &Scripted) -> Vec<serde_json::Value> {
    desk.world().commands.iter().map(|command| serde_json::to_value(command).unwrap()).collect()
}

#[tokio::test]
async fn opening_a_page_accepts_it_once_the_browser_is_there() {
    let (desk, mut trial) = (page(RequestState::Answered), Trial::json());
    trial.browser = |url| {
        assert_eq!(url, PAGE);
        Ok(())
    };
    assert_eq!(trial.run(&desk, &["answer", "r1", "--open"]).await.unwrap(), Exit::Done);
    let (begin, end) = (
        json!({"type": "begin_visit", "request": "r1", "asks": "asks of r1"}),
        json!({"type": "end_visit", "request": "r1", "opened": true, "asks": "asks of r1"}),
    );
    assert_eq!(acts(&desk), [begin, end], "and nothing else is sent");
    assert_eq!(trial.document()["state"], "answered");
}

#[tokio::test]
async fn a_browser_that_fails_is_told_and_sends_nothing() {
    let (desk, mut trial) = (page(RequestState::Answered), Trial::json());
    trial.browser = |_| Err(ApiError::new(Code::BrowserFailed, "none"));
    let failure = trial.run(&desk, &["answer", "r1", "--open"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Failed);
    assert_eq!(
        acts(&desk)[1],
        json!({"type": "end_visit", "request": "r1", "opened": false, "asks": "asks of r1"})
    );
    assert_eq!(desk.world().requests[&RequestId(1)].row.state, RequestState::Open);
}

#[tokio::test]
async fn a_page_that_was_agreed_to_can_be_opened_again() {
    let (desk, trial) = (page(RequestState::Answered), Trial::text());
    desk.happens(|world| {
        let settled = Some(Settled::Answered);
        let detail = world.requests.get_mut(&RequestId(1)).unwrap();
        (detail.row.state, detail.ways) = (RequestState::Answered, Ways { settled, ..Default::default() });
        // Nothing goes out, so that there is nothing to say twice.
        detail.destructive = true;
    });
    assert_eq!(trial.run(&desk, &["answer", "r1", "--open"]).await.unwrap(), Exit::Done);
    assert_eq!(acts(&desk).len(), 2, "the desk decides whether it may");
}

#[tokio::test]
async fn a_note_goes_with_the_consent_and_is_refused_where_opening_is_none() {
    let noted = ["answer", "r1", "--open", "--note", "asked Ada"];
    let (desk, trial) = (page(RequestState::Answered), Trial::json());
    assert_eq!(trial.run(&desk, &noted).await.unwrap(), Exit::Done);
    assert_eq!(acts(&desk)[1]["remark"], "asked Ada");

    let mut before_call = wants(signing());
    before_call.round =
        Some(RoundView { n: 1, requests: vec![RequestId(1)], undecided: vec![RequestId(1)], paged: true });
    let mut agreed_to = wants(signing());
    agreed_to.ways = Ways { settled: Some(Settled::Answered), ..Ways::default() };
    for (detail, instead) in [(before_call, "with --accept"), (agreed_to, "no decision")] {
        let desk = desk_with(detail, RequestState::Answered);
        let failure = Trial::text().run(&desk, &noted).await.unwrap_err();
        assert_eq!(
            (failure.exit(), acts(&desk).len()),
            (Exit::Usage, 0),
            "it would be kept nowhere: {failure}"
        );
        assert!(failure.to_string().contains(instead), "{failure}");
    }
}

#[tokio::test]
async fn only_a_page_can_be_opened_and_one_before_a_call_waits_for_its_person() {
    let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
    let failure = Trial::text().run(&desk, &["answer", "r1", "--open"]).await.unwrap_err();
    assert_eq!((failure.exit(), acts(&desk).len()), (Exit::Usage, 0));
    let (desk, trial) = (page(RequestState::Open), Trial::text());
    trial.run(&desk, &["answer", "r1", "--open"]).await.unwrap();
    assert!(trial.out.text().contains("--accept` makes the call again"), "{}", trial.out.text());
}

#[test]
fn what_is_known_of_a_page_is_said_before_it_is_asked_about() {
    let imitates = UrlView {
        full: "https://p\u{430}ypal.com/".to_owned(),
        before: "https://".to_owned(),
        host: "xn--pypal-4ve.com".to_owned(),
        after: "/".to_owned(),
        web: true,
        reads: Some("p\u{430}ypal.com".to_owned()),
        scripts: vec!["Latin".to_owned(), "Cyrillic".to_owned()],
        server_host: Some("ci.example.com".to_owned()),
        warnings: vec![UrlWarning::Punycode, UrlWarning::MixedScript],
        ..UrlView::default()
    };
    let detail = RequestDetail { asked_before: asked_before(4).asked_before, ..wants(imitates) };
    let shown =
        [crate::ask::introduction(&detail), crate::text::request::detail(&detail, &Trial::text().console)];
    for said in shown {
        for fact in [
            r"its host is xn--pypal-4ve.com, which reads p\u{430}ypal.com",
            "the letters of its host are Latin, Cyrillic",
            "its host is not the server's, which is ci.example.com",
            "beware: its host has letters beyond ASCII and may imitate another host",
            "beware: its host mixes letters of several scripts in one name",
            "beware: this task has asked for a page at this host 5 times; before at 2026-07-26",
        ] {
            assert!(said.contains(fact), "{fact:?} is missing: {said}");
        }
        assert!(!said.contains("on this machine"), "{said}");
    }
    let here = UrlView { loopback: true, host: "localhost".to_owned(), ..signing() };
    let said = crate::ask::introduction(&wants(here));
    assert!(said.contains("it is on this machine") && !said.contains("beware"), "no alarm: {said}");
}

#[test]
fn a_receipt_says_which_host_was_agreed_to_and_whether_it_was_opened() {
    let shown = |detail: &RequestDetail| crate::text::request::detail(detail, &Trial::text().console);
    let mut detail = wants(signing());
    assert!(!shown(&detail).contains("agreed to"), "nothing was decided yet");
    detail.row.answer = Some(Answer::new(Action::Accept, at("2026-07-28T10:00:06Z")));
    let said = shown(&detail);
    let agreed = said.lines().find(|line| line.trim_start().starts_with("agreed to"));
    assert!(agreed.is_some_and(|line| line.ends_with("signing.example.com")), "{said}");
    assert!(said.contains("was not opened by Signalbox"), "{said}");
    detail.row.visited_at = Some(at("2026-07-28T10:00:06Z"));
    assert!(shown(&detail).contains("was opened 2026-07-28"), "{}", shown(&detail));
    detail.row.answer = Some(Answer::new(Action::Decline, at("2026-07-28T10:00:06Z")));
    assert!(!shown(&detail).contains("agreed to"), "a no agrees to nothing");
}

#[tokio::test]
async fn what_is_no_web_address_is_not_offered_and_asking_goes_on() {
    let (full, before) = ("javascript:alert(1)".to_owned(), "javascript:alert(1)".to_owned());
    let script = UrlView { full, before, warnings: vec![UrlWarning::NotWeb], ..UrlView::default() };
    let trial = Trial::person(&["o", "open", "d"]);
    let decision = crate::ask::decide(&trial.console, &wants(script), &mut None).await;
    assert_eq!(decision, Decision::Answer(Action::Decline, None));
    let said = trial.err.text();
    assert!(!said.contains("[o]pen") && said.contains("[a]ccept"), "{said}");
    assert_eq!(said.matches("opens web addresses only").count(), 2, "it says why, each time: {said}");
}

#[tokio::test]
async fn from_the_third_time_on_agreeing_takes_a_second_word() {
    for (times, line, goes) in [
        (0, &["answer", "r1", "--open"][..], true),
        (1, &["answer", "r1", "--open"], true),
        (2, &["answer", "r1", "--open"], false),
        (2, &["answer", "r1", "--accept"], false),
        (2, &["answer", "r1", "--open", "--again"], true),
        (2, &["answer", "r1", "--decline"], true),
    ] {
        let (desk, trial) = (desk_with(asked_before(times), RequestState::Answered), Trial::text());
        match trial.run(&desk, line).await {
            Ok(exit) => assert_eq!((exit, goes), (Exit::Done, true), "{times} {line:?}"),
            Err(failure) => {
                assert_eq!((failure.exit(), goes), (Exit::InputNeeded, false), "{times} {line:?}: {failure}");
                assert!(failure.to_string().contains("3 times"), "{failure}");
            }
        }
        assert_eq!(acts(&desk).is_empty(), !goes, "{times} {line:?}");
    }
}

#[tokio::test]
async fn the_person_at_the_terminal_is_asked_once_more() {
    for (typed, goes) in [("", false), ("n", false), ("y", true)] {
        let (desk, trial) = (desk_with(asked_before(2), RequestState::Answered), Trial::person(&[typed]));
        assert_eq!(trial.run(&desk, &["answer", "r1", "--open"]).await.is_ok(), goes, "{typed:?}");
        assert_eq!(acts(&desk).is_empty(), !goes, "{typed:?}");
    }
    for (decision, asks) in [
        (Decision::Open, true),
        (Decision::Answer(Action::Accept, None), true),
        (Decision::Answer(Action::Decline, None), false),
    ] {
        let trial = Trial::person(&["n"]);
        let wanted = crate::ask::is_wanted(&trial.console, &asked_before(2), &decision, None).await;
        assert_eq!(wanted, !asks, "{decision:?}");
    }
}

#[tokio::test]
async fn a_page_for_a_tool_that_may_destroy_something_takes_a_second_word() {
    for option in ["--open", "--accept"] {
        let detail = RequestDetail { destructive: true, ..wants(signing()) };
        let desk = desk_with(detail, RequestState::Answered);
        let failure = Trial::text().run(&desk, &["answer", "r1", option]).await.unwrap_err();
        assert_eq!((failure.exit(), acts(&desk).len()), (Exit::InputNeeded, 0), "{option}: {failure}");
        Trial::text().run(&desk, &["answer", "r1", option, "--destructive"]).await.unwrap();
        assert!(!acts(&desk).is_empty(), "{option}");
    }
}
