//! Links of a result: their server is asked for what is there only when a person wants it.

use serde_json::json;
use signalbox_api::command::{self, ResourceRead};
use signalbox_api::{BlobView, Code, Command, ContentPart, FileFormat, Reply, ResultView};
use signalbox_model::{CallId, Json, Outcome};

use super::Trial;
use super::desk::{Scripted, World, task};
use crate::exit::{Exit, Failure};

fn text(text: &str, bytes: u64) -> ContentPart {
    let text = Some(text.to_owned());
    ContentPart::Resource { uri: "file:///a\u{7}".into(), mime_type: None, text, bytes, blob: None }
}

fn blob(format: FileFormat, base64: Option<&str>) -> ContentPart {
    let base64 = base64.map(str::to_owned);
    let blob =
        BlobView { bytes: 4, format, mime_type: None, width: None, height: None, unshown: None, base64 };
    ContentPart::Resource { uri: "file:///a".into(), mime_type: None, text: None, bytes: 0, blob: Some(blob) }
}

/// A task whose result has a text and a link, and 200 more parts, the last of which is that link again. Its server has this
/// there.
fn desk(contents: Vec<ContentPart>) -> Scripted {
    let link = r#"{"type":"resource_link","uri":"file:///a","name":"log"}"#;
    let text = r#"{"type":"text","text":"built"}"#;
    let received = format!(r#"{{"content":[{text},{link},{}{link}]}}"#, format!("{text},").repeat(199));
    let received = Json::parse(received).unwrap();
    let mut world = World { tasks: [(CallId(1), task(1))].into(), ..World::default() };
    world.end(CallId(1), Outcome::Ok, "built");
    let link = ContentPart::Link {
        uri: "file:///a".into(),
        name: Some("log".into()),
        description: None,
        mime_type: None,
        size: None,
    };
    let result = world.tasks.get_mut(&CallId(1)).unwrap().result.as_mut().unwrap();
    let content = [result.content.remove(0), link].into();
    *result = ResultView { content, content_more: 200, ..ResultView::default() };
    Scripted::new(world, move |_, command| match command {
        Command::Find(_) => Ok(Reply::Found { calls: vec![CallId(1)] }),
        Command::Payload(_) => Ok(Reply::Payload { json: Some(received.clone()) }),
        Command::ReadResource(command::ReadResource { server, uri }) => {
            assert_eq!(
                (server.as_str(), uri.as_str()),
                ("s1", "file:///a"),
                "the link, at the server it is from"
            );
            Ok(Reply::ResourceRead(ResourceRead { contents: contents.clone(), more: 0 }))
        }
        other => panic!("nothing asks for {other:?}"),
    })
}

const READ: [&str; 6] = ["show", "t1", "--result", "--part", "2", "--read"];

#[tokio::test]
async fn what_is_there_is_shown() {
    let trial = Trial::text();
    let contents = vec![text("one\u{1b}[2J\n", 8), text("begin", 300_000), blob(FileFormat::Zip, None)];
    assert_eq!(trial.run(&desk(contents), &READ).await.unwrap(), Exit::Done);
    let said = trial.out.text();
    assert!(!said.contains(['\u{1b}', '\u{7}']), "it is the server's: {said:?}");
    assert!(said.contains("the first 5 of 300000 bytes") && said.contains("(zip, 4 bytes"), "{said}");

    let trial = Trial::text();
    trial.run(&desk(Vec::new()), &READ).await.unwrap();
    assert_eq!(trial.out.text(), "The server gave nothing for it.\n");

    let trial = Trial::text();
    trial.run(&desk(Vec::new()), &["show", "t1", "--result"]).await.unwrap();
    assert!(trial.out.text().contains("--result --part 2 --read asks the server"), "{}", trial.out.text());
}

#[tokio::test]
async fn programs_get_its_contents_as_a_document() {
    let trial = Trial::json();
    let other =
        ContentPart::Other { json: Json::parse(r#"{"n":1.0}"#).ok(), bytes: 9, r#type: String::new() };
    trial.run(&desk(vec![text("one", 3), blob(FileFormat::Gif, Some("R0lG")), other]), &READ).await.unwrap();
    let contents = json!([
        {"uri": "file:///a\u{7}", "text": "one", "bytes": 3},
        {"uri": "file:///a", "bytes": 4, "blob": "R0lG"},
        {"n": 1.0}
    ]);
    assert_eq!(trial.document(), json!({ "contents": contents }));
}

#[tokio::test]
async fn it_is_written_where_all_of_it_came() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("read");
    let line = [&READ[..], &["--out", file.to_str().unwrap()]].concat();
    for (contents, written) in [
        (vec![text("one\n", 4)], Some(b"one\n".as_slice())),
        (vec![blob(FileFormat::Gif, Some("R0lG"))], Some(b"GIF".as_slice())),
        (vec![text("begin", 300_000)], None),
        (vec![blob(FileFormat::Zip, None)], None),
        (vec![text("one", 3), text("two", 3)], None),
        (Vec::new(), None),
    ] {
        let done = Trial::text().run(&desk(contents), &line).await;
        match (written, done) {
            (Some(bytes), Ok(Exit::Done)) => assert_eq!(std::fs::read(&file).unwrap(), bytes),
            (None, Err(Failure::Api(error))) => assert_eq!(error.code, Code::NotPossible),
            (_, done) => panic!("{done:?}"),
        }
        assert_eq!(file.exists(), written.is_some(), "nothing is written in part");
        let _ = std::fs::remove_file(&file);
    }
}

#[tokio::test]
async fn what_is_no_link_is_not_asked_for() {
    for (part, exit) in [("1", Exit::Usage), ("structured", Exit::Usage), ("203", Exit::Gone)] {
        let line = ["show", "t1", "--result", "--part", part, "--read"];
        assert_eq!(Trial::text().run(&desk(Vec::new()), &line).await.unwrap_err().exit(), exit, "{part}");
    }
}

#[tokio::test]
async fn a_link_behind_the_parts_that_are_shown_is_one_too() {
    let line = |part| ["show", "t1", "--result", "--part", part, "--read"];
    let trial = Trial::text();
    trial.run(&desk(vec![text("one", 3)]), &line("202")).await.unwrap();
    assert!(trial.out.text().contains("one"), "{}", trial.out.text());
    let none = Trial::text().run(&desk(Vec::new()), &line("203")).await.unwrap_err();
    let Failure::Api(error) = none else { panic!("{none:?}") };
    assert_eq!((error.code, error.message.as_str()), (Code::UnknownItem, "The result of t1 has 202 parts"));
}
