//! The command `answer --open`: pages of questions in URL mode.

use serde_json::json;
use signalbox_api::{ApiError, Code, Command, Reply, command};
use signalbox_model::{Mode, RequestId, RequestState, Settled, Ways};

use super::Trial;
use super::answering::{asked, desk};
use super::desk::{SCHEMA, Scripted, request};
use crate::exit::Exit;

const PAGE: &str = "https://signing.example.com/7f3a";

/// A desk with a question that asks for a page. Opening it leaves the question in this state.
fn page(then: RequestState) -> Scripted {
    let mut detail = request(1, 1, SCHEMA);
    (detail.row.mode, detail.form, detail.schema) = (Mode::Url, None, None);
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
        json!({"type": "begin_visit", "request": "r1"}),
        json!({"type": "end_visit", "request": "r1", "opened": true}),
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
    assert_eq!(acts(&desk)[1], json!({"type": "end_visit", "request": "r1", "opened": false}));
    assert_eq!(desk.world().requests[&RequestId(1)].row.state, RequestState::Open);
}

#[tokio::test]
async fn a_page_that_was_agreed_to_can_be_opened_again() {
    let (desk, trial) = (page(RequestState::Answered), Trial::text());
    desk.happens(|world| {
        let settled = Some(Settled::Answered);
        let detail = world.requests.get_mut(&RequestId(1)).unwrap();
        (detail.row.state, detail.ways) = (RequestState::Answered, Ways { settled, ..Default::default() });
    });
    assert_eq!(trial.run(&desk, &["answer", "r1", "--open"]).await.unwrap(), Exit::Done);
    assert_eq!(acts(&desk).len(), 2, "the desk decides whether it may");
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
