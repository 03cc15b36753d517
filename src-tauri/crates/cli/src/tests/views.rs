//! `tasks --view`: the list as the window keeps it under a name.

use signalbox_model::{CallId, Json, ServerId, Status};

use super::Trial;
use super::desk::{Scripted, World, http, task};
use crate::exit::Exit;

/// Three tasks, of which the first works at `ci`, the second at `dev`, and the third is cancelled at `ci`.
fn desk(views: &str) -> Scripted {
    let mut world = World { servers: vec![http()], ..World::default() };
    for id in 1..=3 {
        world.tasks.insert(CallId(id), task(id));
    }
    world.tasks.get_mut(&CallId(2)).unwrap().row.server = ServerId(2);
    world.tasks.get_mut(&CallId(3)).unwrap().row.status = Status::Cancelled;
    world.remembered.insert("tasks.views".into(), Json::parse(views).unwrap());
    Scripted::showing(world)
}

async fn listed(views: &str, line: &[&str]) -> Vec<String> {
    let trial = Trial::json();
    trial.run(&desk(views), &[&["tasks"][..], line].concat()).await.unwrap();
    let document = trial.document();
    document["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().into()).collect()
}

const AT_CI: &str = r#"[{"name":"at ci","tokens":["server:s1"],"text":""}, {"name":"of ci","server":"s1"}]"#;

#[tokio::test]
async fn a_view_lists_what_its_filter_and_its_server_show() {
    assert_eq!(listed(AT_CI, &["--view", "at ci"]).await, ["t1", "t3"]);
    assert_eq!(listed(AT_CI, &["--view", "of ci"]).await, ["t1", "t3"]);
    let gone = r#"[{"name":"gone","server":"s9"}]"#;
    assert_eq!(listed(gone, &["--view", "gone"]).await, ["t1", "t2", "t3"], "as the window has it");
}

#[tokio::test]
async fn what_is_said_beside_a_view_narrows_it_and_never_widens_it() {
    assert_eq!(listed(AT_CI, &["--view", "at ci", "--filter", "status:working"]).await, ["t1"]);
    assert_eq!(listed(AT_CI, &["--view", "at ci", "--status", "cancelled"]).await, ["t3"]);
    for view in ["at ci", "of ci"] {
        let other = ["--view", view, "--filter", "server:s2"];
        assert!(listed(AT_CI, &other).await.is_empty(), "no token joins one of the view");
    }
}

#[tokio::test]
async fn a_name_that_is_not_known_is_code_2_with_those_that_are() {
    for (views, said) in [
        (AT_CI, r#"there is "at ci", "of ci""#),
        ("[]", "no view is saved yet"),
        ("7", "no view is saved yet"),
    ] {
        let failure = Trial::text().run(&desk(views), &["tasks", "--view", "at dev"]).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage);
        assert!(failure.to_string().contains(said), "{failure}");
    }
}
