//! `tag`, `note`, and `cancel` and `forget` of tasks that are named.

use serde_json::{Value, json};
use signalbox_api::command::{self, TaskOutcome};
use signalbox_api::{ApiError, Code, Command, Reply};
use signalbox_model::{CallId, Tag};

use super::Trial;
use super::desk::{Scripted, World, task};
use crate::exit::Exit;

/// A desk with two tasks, which keeps what it is told; the second one can be neither cancelled nor forgotten.
fn desk() -> Scripted {
    let mut world = World::default();
    for id in [1, 2] {
        world.tasks.insert(CallId(id), task(id));
    }
    Scripted::new(world, |world, command| match command {
        Command::Find(find) => Ok(Reply::Found { calls: vec![find.text.parse().unwrap()] }),
        Command::TagTasks(act) => {
            let row = &mut world.tasks.get_mut(&act.calls[0]).unwrap().row;
            row.tags.extend(act.add.iter().map(|word| word.parse::<Tag>().unwrap()));
            row.tags.retain(|tag| !act.remove.contains(&tag.to_string()));
            Ok(Reply::Several { outcomes: vec![TaskOutcome { call: act.calls[0], failure: None }] })
        }
        Command::NoteTask(act) => {
            let kept = world.tasks[&act.call].remark.clone().unwrap_or_default();
            if act.seen != kept {
                return Err(ApiError::new(Code::ChangedMeanwhile, "The note of t1 was changed"));
            }
            let remark = Some(act.text.clone()).filter(|text| !text.is_empty());
            world.tasks.get_mut(&act.call).unwrap().remark = remark;
            Ok(Reply::Done)
        }
        Command::CancelTasks(command::CancelTasks { calls })
        | Command::ForgetTasks(command::ForgetTasks { calls }) => {
            let failure = |call: &CallId| {
                (*call == CallId(2)).then(|| ApiError::new(Code::AlreadyClosed, "t2 has ended"))
            };
            let outcomes = calls.iter().map(|call| TaskOutcome { call: *call, failure: failure(call) });
            Ok(Reply::Several { outcomes: outcomes.collect() })
        }
        other => panic!("{other:?}"),
    })
}

async fn document(desk: &Scripted, args: &[&str]) -> Value {
    let trial = Trial::json();
    trial.run(desk, args).await.unwrap();
    trial.document()
}

#[tokio::test]
async fn tags_are_put_on_taken_off_and_shown() {
    let desk = desk();
    assert_eq!(document(&desk, &["tag", "t1"]).await, json!({"id": "t1", "tags": []}));
    let tagged = document(&desk, &["tag", "t1", "Release", "eu"]).await;
    assert_eq!(tagged, json!({"id": "t1", "tags": ["release", "eu"]}));
    let left = document(&desk, &["tag", "t1", "eu", "--remove"]).await;
    assert_eq!(left, json!({"id": "t1", "tags": ["release"]}));
    let trial = Trial::text();
    trial.run(&desk, &["show", "t1"]).await.unwrap();
    assert!(trial.out.text().contains("tags"), "{}", trial.out.text());
}

#[tokio::test]
async fn a_note_is_kept_shown_and_taken_away() {
    let desk = desk();
    let noted = document(&desk, &["note", "t1", "ask Ada first"]).await;
    assert_eq!(noted, json!({"id": "t1", "remark": "ask Ada first"}));
    assert_eq!(document(&desk, &["show", "t1"]).await["remark"], "ask Ada first");
    let other = document(&desk, &["note", "t1", "ask Bo"]).await;
    assert_eq!(
        other,
        json!({"id": "t1", "remark": "ask Bo", "replaced": "ask Ada first"}),
        "it is not lost unseen"
    );
    let trial = Trial::text();
    trial.run(&desk, &["note", "t1", "ask Cy"]).await.unwrap();
    assert_eq!(trial.out.text(), "t1  ask Cy\ninstead of  ask Bo\n");
    let same = document(&desk, &["note", "t1", "ask Cy"]).await;
    assert_eq!(same, json!({"id": "t1", "remark": "ask Cy"}), "nothing was replaced");
    let removed = document(&desk, &["note", "t1", "--remove"]).await;
    assert_eq!(removed, json!({"id": "t1", "replaced": "ask Cy"}));
    Trial::text().run(&desk, &["note", "t1", " "]).await.expect_err("an empty note is a slip");
}

#[tokio::test]
async fn of_several_tasks_each_is_told() {
    let desk = desk();
    for command in ["cancel", "forget"] {
        let trial = Trial::json();
        let exit = trial.run(&desk, &[command, "t1", "t2"]).await.unwrap();
        assert_eq!(exit, Exit::Gone, "it ends as the first that failed would");
        let told = trial.document();
        assert_eq!(told["done"], json!(["t1"]));
        assert_eq!(
            (&told["failures"][0]["task"], &told["failures"][0]["failure"]["code"]),
            (&json!("t2"), &json!("already_closed"))
        );
    }
    Trial::text()
        .run(&desk, &["cancel", "t1", "t2", "--again"])
        .await
        .expect_err("to insist is for one task");
}
