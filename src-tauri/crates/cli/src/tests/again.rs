//! `again`: the same tool at the same server, with the same arguments or edited ones.

use serde_json::json;
use signalbox_api::{ApiError, Code, Command, PayloadInfo, Reply, command};
use signalbox_model::{CallId, Json, Origin, Outcome, PayloadKind};

use super::Trial;
use super::desk::{Scripted, World, http, task};
use crate::exit::{Exit, Failure};

/// The digits and the blank tell arguments as they were sent from arguments that were read and written again.
const SENT: &str = r#"{"service": "web","n":12345678901234567890123}"#;

/// A desk that knows t1, and starts t2.
fn desk(change: impl FnOnce(&mut World)) -> Scripted {
    let mut world = World { servers: vec![http()], ..World::default() };
    let mut first = task(1);
    let json = Json::parse(SENT).ok();
    first.payloads = vec![PayloadInfo { kind: PayloadKind::Arguments, bytes: 46, json, fault: None }];
    world.tasks.insert(CallId(1), first);
    change(&mut world);
    Scripted::new(world, |world, command| match command {
        Command::Find(_) => Ok(Reply::Found { calls: vec![CallId(1)] }),
        Command::Payload(_) => Ok(Reply::Payload { json: Json::parse(SENT).ok() }),
        Command::Start(_) => {
            world.tasks.insert(CallId(2), task(2));
            world.end(CallId(2), Outcome::Ok, "deployed");
            Ok(Reply::Started { call: CallId(2) })
        }
        other => Err(ApiError::new(Code::Internal, format!("not in the script: {other:?}"))),
    })
}

fn started(desk: &Scripted) -> Vec<(String, String, String)> {
    let start = |command: &Command| match command {
        Command::Start(command::Start { server, tool, arguments, .. }) => {
            Some((server.clone(), tool.clone(), arguments.text().to_owned()))
        }
        _ => None,
    };
    desk.world().commands.iter().filter_map(start).collect()
}

fn once(arguments: &str) -> [(String, String, String); 1] {
    [("ci".to_owned(), "deploy".to_owned(), arguments.to_owned())]
}

#[tokio::test]
async fn the_arguments_go_out_as_they_were_sent() {
    let (desk, trial) = (desk(|_| ()), Trial::json());
    assert_eq!(trial.run(&desk, &["again", "t1"]).await.unwrap(), Exit::Done);
    assert_eq!(started(&desk), once(SENT), "the same tool, at the same server");
    let document = trial.document();
    assert_eq!((&document["id"], &document["outcome"]), (&json!("t2"), &json!("ok")), "as of `call`");
}

#[tokio::test]
async fn large_arguments_are_fetched_for_it() {
    let desk = desk(|world| world.tasks.get_mut(&CallId(1)).unwrap().payloads[0].json = None);
    assert_eq!(Trial::text().run(&desk, &["again", "t1"]).await.unwrap(), Exit::Done);
    assert_eq!(started(&desk), once(SENT));
}

#[tokio::test]
async fn edited_arguments_take_their_place() {
    let (desk, trial) = (desk(|_| ()), Trial::text());
    let edited = r#"{"service":"api"}"#;
    assert_eq!(trial.run(&desk, &["again", "t1", "--args", edited]).await.unwrap(), Exit::Done);
    assert_eq!(started(&desk), once(edited));
    assert_eq!(trial.out.text(), "deployed\n", "the result is what is printed");
}

#[tokio::test]
async fn a_task_that_was_adopted_says_that_it_cannot() {
    for line in [["again", "t1"].as_slice(), &["again", "t1", "--args", "{}"]] {
        let desk = desk(|world| {
            let task = world.tasks.get_mut(&CallId(1)).unwrap();
            (task.row.origin, task.arguments) = (Origin::Adopted, None);
            task.row.tool.clear();
            task.payloads.clear();
        });
        let failure = Trial::text().run(&desk, line).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage, "{failure}");
        assert!(failure.to_string().contains("started elsewhere"), "{failure}");
        assert_eq!(started(&desk), [], "nothing was started");
    }
}

#[tokio::test]
async fn arguments_that_are_damaged_are_not_taken_for_none() {
    let desk = desk(|world| {
        let arguments = &mut world.tasks.get_mut(&CallId(1)).unwrap().payloads[0];
        arguments.json = None;
        arguments.fault = Some(ApiError::new(Code::StorageDamaged, "its file is damaged"));
    });
    let failure = Trial::text().run(&desk, &["again", "t1"]).await.unwrap_err();
    let Failure::Api(error) = &failure else { panic!("{failure}") };
    assert_eq!(error.code, Code::StorageDamaged, "{error}");
    assert!(error.message.contains("the arguments of t1") && error.message.contains("damaged"), "{error}");
    assert_eq!(started(&desk), [], "nothing was started");
}

#[tokio::test]
async fn without_a_lasting_owner_a_program_is_not_left_alone() {
    let desk = desk(|world| world.servers = vec![super::desk::stdio()]);
    let trial = Trial::text().owner();
    let failure = trial.run(&desk, &["again", "t1", "--detach"]).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage, "as of `call`: {failure}");
    assert_eq!(started(&desk), []);
}
