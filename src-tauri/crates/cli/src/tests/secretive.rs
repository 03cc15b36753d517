//! Secrets that a server asks for in a form, and what a person notes beside an answer.

use signalbox_api::{Command, command};
use signalbox_model::{Action, Answer, Json, Masked, RequestState};

use super::Trial;
use super::answering::{asked, desk};
use super::desk::{Scripted, request};
use crate::exit::Exit;

const SCHEMA: &str = r#"{"type":"object","properties":{
    "user":{"type":"string","title":"User"},"password":{"type":"string","title":"Password"}},"required":["password"]}"#;
const SECRET: &str = "correct horse";

fn given(desk: &Scripted) -> Option<(Option<String>, Option<String>)> {
    desk.world().commands.iter().rev().find_map(|command| match command {
        Command::Answer(command::Answer { content, remark, .. }) => {
            Some((content.as_ref().map(|json| json.text().to_owned()), remark.clone()))
        }
        _ => None,
    })
}

#[tokio::test]
async fn a_secret_is_warned_of_hidden_and_confirmed_before_it_goes() {
    let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
    let trial = Trial::person(&["ada", SECRET, "y"]);
    assert_eq!(trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap(), Exit::Done);
    assert_eq!(given(&desk), Some((Some(format!(r#"{{"user":"ada","password":"{SECRET}"}}"#)), None)));
    let said = trial.err.text();
    assert!(
        said.contains("It asks for a secret.") && said.contains("kept only until it is delivered"),
        "{said}"
    );
    assert!(said.contains("a secret: what you type is not shown"), "at the field: {said}");
    assert!(said.contains(r#"{"user":"ada","password":"••••"}"#), "in the review: {said}");
    assert!(said.contains("ci asks for a secret in a form: Password."), "who, and what: {said}");
    assert!(!said.contains(SECRET) && !trial.out.text().contains(SECRET), "{said}");
}

#[tokio::test]
async fn a_secret_is_warned_of_where_a_form_has_no_fields_too() {
    let schema =
        r#"{"anyOf":[{"properties":{"password":{"type":"string"}}},{"properties":{"x":{"type":"string"}}}]}"#;
    let desk = desk(asked(request(1, 1, schema)), || Ok(()));
    let trial = Trial::person(&[r#"{"x":"y"}"#]);
    assert_eq!(trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap(), Exit::Done);
    let said = trial.err.text();
    let (warned, asked) = (said.find("It asks for a secret."), said.find("it is entered as JSON"));
    assert!(warned.is_some() && warned < asked, "before anything is typed: {said}");
}

#[tokio::test]
async fn a_secret_goes_as_it_is_typed() {
    for secret in [" two spaces ", "null", "-", "\"quoted\""] {
        let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
        Trial::person(&["ada", secret, "y"]).run(&desk, &["answer", "r1", "--accept"]).await.unwrap();
        let content = format!(r#"{{"user":"ada","password":{}}}"#, serde_json::Value::from(secret));
        assert_eq!(given(&desk), Some((Some(content), None)), "{secret:?}");
    }
}

#[tokio::test]
async fn a_secret_with_a_default_is_left_out_as_its_prompt_says() {
    let schema = r#"{"type":"object","properties":{"password":{"type":"string","title":"Password","default":"changeme"}}}"#;
    for (typed, content) in [(&["-"][..], "{}"), (&["", "y"], r#"{"password":"changeme"}"#)] {
        let desk = desk(asked(request(1, 1, schema)), || Ok(()));
        let trial = Trial::person(typed);
        trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap();
        assert!(trial.err.text().contains("- for none"), "{}", trial.err.text());
        assert_eq!(given(&desk), Some((Some(content.to_owned()), None)), "{typed:?}");
    }
}

#[tokio::test]
async fn a_secret_that_is_not_confirmed_does_not_go() {
    let desk = desk(asked(request(1, 1, SCHEMA)), || panic!("nothing is sent"));
    let trial = Trial::person(&["ada", SECRET, ""]);
    let failure = trial.run(&desk, &["answer", "r1", "--accept"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage);
    assert!(failure.to_string().contains("nothing was sent"), "{failure}");
}

#[tokio::test]
async fn a_secret_on_the_command_line_goes_and_is_warned_of() {
    let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
    let trial = Trial::json();
    let content = format!(r#"{{"password":"{SECRET}"}}"#);
    let line = ["answer", "r1", "--accept", "--content", &content];
    assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Done);
    assert_eq!(given(&desk), Some((Some(content.clone()), None)), "as before");
    let said = trial.err.text();
    assert!(said.contains("ci asks for a secret in a form: Password."), "{said}");
    assert!(said.contains("in the history of your shell"), "{said}");
    assert!(!said.contains(SECRET) && !trial.out.text().contains(SECRET), "{said}");

    let harmless = Trial::json();
    let line = ["answer", "r1", "--accept", "--content", r#"{"user":"ada"}"#];
    let desk = super::answering::desk(asked(request(1, 1, SCHEMA)), || Ok(()));
    harmless.run(&desk, &line).await.unwrap();
    assert!(!harmless.err.text().contains("secret"), "{}", harmless.err.text());
}

#[tokio::test]
async fn a_secret_on_the_command_line_is_confirmed_by_the_person_at_the_terminal() {
    let content = format!(r#"{{"password":"{SECRET}"}}"#);
    let line = ["answer", "r1", "--accept", "--content", &content];
    for (typed, goes) in [("", false), ("n", false), ("y", true)] {
        let (desk, trial) = (desk(asked(request(1, 1, SCHEMA)), || Ok(())), Trial::person(&[typed]));
        match trial.run(&desk, &line).await {
            Ok(exit) => assert_eq!((exit, goes), (Exit::Done, true), "{typed:?}"),
            Err(failure) => {
                assert_eq!((failure.exit(), goes), (Exit::Usage, false), "{typed:?}");
                assert!(failure.to_string().contains("nothing was sent"), "{failure}");
            }
        }
        assert_eq!(given(&desk).is_some(), goes, "{typed:?}");
        let said = trial.err.text();
        assert!(
            said.contains(r#"{"password":"••••"}"#) && !said.contains(SECRET),
            "what goes, unseen: {said}"
        );
        assert_eq!(said.matches("ci asks for a secret in a form: Password.").count(), 1, "once: {said}");
        assert!(said.contains("in the history of your shell"), "{said}");
    }
    let (desk, trial) = (desk(asked(request(1, 1, SCHEMA)), || Ok(())), Trial::person(&[]));
    trial.run(&desk, &["answer", "r1", "--accept", "--content", r#"{"user":"ada"}"#]).await.unwrap();
    assert!(given(&desk).is_some(), "what has no secret goes without a word");
}

#[tokio::test]
async fn a_note_is_kept_beside_the_answer_and_shown() {
    let desk = desk(asked(request(1, 1, SCHEMA)), || Ok(()));
    let line = ["answer", "r1", "--decline", "--note", "asked Ada first"];
    assert_eq!(Trial::json().run(&desk, &line).await.unwrap(), Exit::Done);
    assert_eq!(given(&desk), Some((None, Some("asked Ada first".to_owned()))));

    let mut answered = request(1, 1, SCHEMA);
    answered.row.state = RequestState::Answered;
    let masked = Masked { path: "/password".to_owned(), length: 13, salt: None, sha256: None };
    answered.row.answer = Some(Answer {
        content: Some(Json::parse(r#"{"password":null}"#).unwrap()),
        masked: vec![masked],
        remark: Some("asked \u{1b}[2JAda".to_owned()),
        ..Answer::new(Action::Accept, answered.row.opened_at)
    });
    for (state, keeps_secrets, kept) in [
        (RequestState::Held, true, "/password: 13 characters (kept until it is delivered)"),
        (
            RequestState::Answered,
            true,
            "/password: 13 characters (kept as long as the server may still fetch the answer)",
        ),
        (RequestState::Answered, false, "/password: 13 characters (not kept)"),
    ] {
        let mut detail = answered.clone();
        (detail.row.state, detail.keeps_secrets) = (state, keeps_secrets);
        let shown = Trial::text();
        shown.run(&Scripted::showing(asked(detail)), &["show", "r1"]).await.unwrap();
        assert!(shown.out.text().contains(kept), "{kept}: {}", shown.out.text());
    }
    let desk = Scripted::showing(asked(answered));
    let shown = Trial::text();
    shown.run(&desk, &["show", "r1"]).await.unwrap();
    let text = shown.out.text();
    assert!(text.contains("/password: 13 characters (not kept)"), "{text}");
    assert!(text.contains("asked") && !text.contains('\u{1b}'), "{text}");
    let document = Trial::json();
    document.run(&desk, &["show", "r1"]).await.unwrap();
    assert_eq!(document.document()["remark"], "asked \u{1b}[2JAda");
}
