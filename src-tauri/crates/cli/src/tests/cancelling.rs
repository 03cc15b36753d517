//! `cancel`: what is said of a wish to cancel is what became of that wish.

use serde_json::{Value, json};
use signalbox_api::{Code, Command, Reply};
use signalbox_model::{CallId, Cancel, Outcome};

use super::desk::{Scripted, World, task};
use super::{Trial, at};
use crate::exit::{Exit, Failure};

const WISHED: &str = "2026-07-28T10:00:06Z";

fn world(has_task: bool, wish: Option<Cancel>) -> World {
    let mut world = World::default();
    let mut task = task(1);
    (task.row.has_task, task.row.cancel) = (has_task, wish);
    world.tasks.insert(CallId(1), task);
    world
}

fn wish(acknowledged: bool) -> Cancel {
    Cancel { requested_at: at(WISHED), acknowledged_at: acknowledged.then(|| at("2026-07-28T10:00:07Z")) }
}

/// A desk at which a wish leads to this.
fn desk(world: World, wish: Cancel, outcome: Option<Outcome>) -> Scripted {
    Scripted::new(world, move |world, command| match command {
        Command::Find(_) => Ok(Reply::Found { calls: vec![CallId(1)] }),
        Command::Cancel(_) => {
            let row = &mut world.tasks.get_mut(&CallId(1)).unwrap().row;
            (row.cancel, row.outcome) = (Some(wish.clone()), outcome);
            Ok(Reply::Done)
        }
        other => panic!("{other:?}"),
    })
}

fn sent(desk: &Scripted) -> Vec<Value> {
    let commands = desk
        .world()
        .commands
        .iter()
        .map(|command| serde_json::to_value(command).unwrap())
        .collect::<Vec<_>>();
    commands.into_iter().filter(|command| command["type"] == "cancel").collect()
}

#[tokio::test]
async fn each_end_of_a_wish_has_a_sentence_of_its_own() {
    let table = [
        (true, wish(true), None, "has the request to cancel"),
        (true, wish(false), Some(Outcome::Cancelled), "The server has cancelled the task"),
        (false, wish(false), Some(Outcome::Cancelled), "given up. Nobody waits for its answer any more"),
    ];
    for (has_task, wish, outcome, words) in table {
        let desk = desk(world(has_task, None), wish, outcome);
        let trial = Trial::text();
        assert_eq!(trial.run(&desk, &["cancel", "t1"]).await.unwrap(), Exit::Done);
        assert!(trial.out.text().contains(words), "{}", trial.out.text());
        assert_eq!(sent(&desk), [json!({"type": "cancel", "call": "t1"})], "nobody had asked before");
    }
}

#[tokio::test]
async fn a_second_wish_takes_a_word() {
    let table = [(true, true, "took note"), (true, false, "on its way"), (false, false, "gives the call up")];
    for (has_task, acknowledged, why) in table {
        let desk = desk(world(has_task, Some(wish(acknowledged))), wish(true), None);
        let failure = Trial::text().run(&desk, &["cancel", "t1"]).await.unwrap_err();
        let Failure::Api(error) = &failure else { panic!("{failure}") };
        assert_eq!((error.code, failure.exit()), (Code::CancelledMeanwhile, Exit::Gone), "{error}");
        assert!(error.message.contains(why) && error.message.contains("--again"), "{error}");
        assert_eq!(sent(&desk), [] as [Value; 0], "nothing was done");
        Trial::text().run(&desk, &["cancel", "t1", "--again"]).await.unwrap();
        assert_eq!(
            sent(&desk),
            [json!({"type": "cancel", "call": "t1", "seen": at(WISHED)})],
            "with what was seen"
        );
    }
}
