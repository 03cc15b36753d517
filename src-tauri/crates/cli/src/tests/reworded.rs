//! A question that is withdrawn and asked again in other words, while a person reads it at the terminal.

use signalbox_api::{ApiError, Code, Command, Reply, command};
use signalbox_model::{CallId, Outcome, RequestId, RequestState};

use super::Trial;
use super::answering::asked;
use super::desk::{SCHEMA, Scripted, World, http, request, task, tool};
use crate::exit::{Exit, Failure};

/// A desk that takes an answer to a question as it stands, and no other.
fn desk(world: World) -> Scripted {
    Scripted::new(world, |world, command| match command {
        Command::Tool(_) => Ok(Reply::Tool { tool: Box::new(world.tools[0].clone()) }),
        Command::Start(_) => {
            world.tasks.insert(CallId(1), task(1));
            world.ask(request(1, 1, SCHEMA));
            Ok(Reply::Started { call: CallId(1) })
        }
        Command::Answer(command::Answer { request, asks, .. }) => {
            if asks.as_deref() != Some(world.requests[request].asks.as_str()) {
                return Err(ApiError::new(Code::ChangedMeanwhile, "r1 has changed since you saw it"));
            }
            world.settle(*request, RequestState::Answered, None);
            world.end(CallId(1), Outcome::Ok, "destroyed");
            Ok(Reply::Done)
        }
        other => panic!("not in the script: {other:?}"),
    })
}

/// Once the prompt for a field is out, the server asks something else, and then the person says yes.
async fn reworded_in_between(trial: &Trial, desk: &Scripted) {
    while !trial.err.text().contains("yes or no") {
        tokio::task::yield_now().await;
    }
    desk.happens(|world| {
        let mut detail = request(1, 1, SCHEMA);
        detail.row.message = "Destroy production?".into();
        detail.asks = "other words".into();
        world.ask(detail);
    });
    for typed in ["yes", "as agreed"] {
        trial.typed.send(typed.into()).await.unwrap();
    }
}

#[tokio::test]
async fn an_answer_is_for_the_words_that_were_read() {
    let (desk, trial) = (desk(asked(request(1, 1, SCHEMA))), Trial::person(&[]));
    let line = ["answer", "r1", "--accept"];
    let (ended, ()) = tokio::join!(trial.run(&desk, &line), reworded_in_between(&trial, &desk));
    let failure = ended.unwrap_err();
    assert_eq!(failure.exit(), Exit::Gone, "{failure}");
    let Failure::Api(error) = failure else { panic!("it is the desk's") };
    assert_eq!(error.code, Code::ChangedMeanwhile, "a program can tell it from other ends");
    assert_eq!(desk.world().requests[&RequestId(1)].row.state, RequestState::Open, "it waits as before");
    let line = ["answer", "r1", "--accept", "--content", r#"{"approve":true}"#];
    assert_eq!(Trial::text().run(&desk, &line).await.unwrap(), Exit::Done, "what reads it anew answers it");
}

#[tokio::test]
async fn in_the_middle_of_a_call_it_is_put_again_in_its_new_words() {
    let world =
        World { servers: vec![http()], tools: vec![tool("{\"type\":\"object\"}")], ..World::default() };
    let (desk, trial) = (desk(world), Trial::person(&["accept"]));
    let person = async {
        reworded_in_between(&trial, &desk).await;
        while !trial.err.text().contains("Destroy production?") {
            tokio::task::yield_now().await;
        }
        assert!(trial.err.text().contains("r1 has changed since you saw it"), "{}", trial.err.text());
        for typed in ["accept", "yes", "as agreed"] {
            trial.typed.send(typed.into()).await.unwrap();
        }
    };
    let (ended, ()) = tokio::join!(trial.run(&desk, &["call", "ci", "deploy"]), person);
    assert_eq!(ended.unwrap(), Exit::Done);
    let answers = desk.world().commands.iter().filter(|sent| matches!(sent, Command::Answer(_))).count();
    assert_eq!(answers, 2, "one for each wording that was read");
}
