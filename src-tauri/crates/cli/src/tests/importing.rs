//! `import`: what is said of values in the clear is settled before the first server is added.

use signalbox_api::{ApiError, Code, Command, MOST_SERVERS, Reply, ServerView, command};
use tempfile::NamedTempFile;

use super::Trial;
use super::adding::{added, desk};
use super::desk::{Scripted, World, http};
use crate::exit::{Exit, Failure};

const CONFIG: &str = r#"{"mcpServers":{
    "first":{"command":"a","env":{"LEVEL":"debug"}},
    "second":{"url":"https://example.com","headers":{"API_KEY":"hunter2","X-Ref":"${env:REF}"}}
}}"#;

fn config() -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), CONFIG).unwrap();
    file
}

/// What `import` with these options makes of [`CONFIG`], and what was added by then.
async fn import(options: &[&str]) -> (Result<Exit, Failure>, Vec<String>) {
    let file = config();
    let (desk, trial) = (desk(), Trial::json());
    let line = ["import", file.path().to_str().unwrap()];
    let ended = trial.run(&desk, &[&line, options].concat()).await;
    let names = added(&desk).into_iter().map(|(name, _)| name).collect();
    (ended, names)
}

#[tokio::test]
async fn a_wrong_word_about_a_later_server_adds_no_earlier_one() {
    let (ended, names) = import(&["--plain", "API_KEY"]).await;
    let failure = ended.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage, "{failure}");
    assert!(failure.to_string().contains("--yes-plain API_KEY"), "{failure}");
    assert_eq!(names, [""; 0], "nothing is registered that nobody is told of");
}

#[tokio::test]
async fn a_word_about_no_value_is_refused_by_name() {
    for (options, named) in [
        (&["--plain", "LEVLE"][..], "--plain LEVLE"),
        (&["--leave-out", "LEVEL", "--leave-out", "JUNK"], "--leave-out JUNK"),
        (&["--from-env", "second:LEVEL=L"], "--from-env second:LEVEL"),
        (&["--from-env", "api_key"], "--from-env api_key"),
        (&["--plain", "first:X"], "--plain first:X"),
        // It is a reference already: to leave it out would change nothing.
        (&["--leave-out", "X-Ref"], "--leave-out X-Ref"),
        (&["--yes-plain", "API_KEY"], "--yes-plain API_KEY"),
        (&["--plain", "LEVEL", "--yes-plain", "second:API_KEY"], "--yes-plain second:API_KEY"),
    ] {
        for more in [&[][..], &["--dry-run"]] {
            let (ended, names) = import(&[options, more].concat()).await;
            let failure = ended.unwrap_err();
            assert_eq!(failure.exit(), Exit::Usage, "{options:?}: {failure}");
            assert!(failure.to_string().contains(named), "{options:?}: {failure}");
            assert!(!failure.to_string().contains("hunter2"), "{failure}");
            assert_eq!(names, [""; 0], "{options:?}");
        }
    }
}

#[tokio::test]
async fn a_word_about_a_value_of_one_server_is_taken() {
    for options in [
        &[][..],
        &["--plain", "LEVEL", "--from-env", "second:API_KEY=KEY"],
        &["--leave-out", "first:LEVEL", "--plain", "API_KEY", "--yes-plain", "API_KEY"],
        &["--plain", "second:API_KEY", "--yes-plain", "API_KEY"],
    ] {
        let (ended, names) = import(options).await;
        assert_eq!(ended.unwrap(), Exit::Done, "{options:?}");
        assert_eq!(names, ["first", "second"], "{options:?}");
    }
}

#[tokio::test]
async fn what_was_taken_over_is_told_when_the_owner_goes_away() {
    let desk = Scripted::new(World::default(), |_, command| match command {
        Command::AddServer(command::AddServer { name, .. }) if name == "first" => {
            Ok(Reply::Server { server: http() })
        }
        _ => Err(ApiError::new(Code::OwnerGone, "The owner of the data directory went away")),
    });
    let (file, trial) = (config(), Trial::json());
    let failure = trial.run(&desk, &["import", file.path().to_str().unwrap()]).await.unwrap_err();
    assert!(failure.to_string().contains("went away"), "{failure}");
    assert_eq!(trial.err.text(), "Imported before that: \"ci\"\n");
}

#[tokio::test]
async fn a_dry_run_shows_what_is_given_and_the_value_of_what_changes_what_runs() {
    let file = NamedTempFile::new().unwrap();
    let config = r#"{"mcpServers":{"lab":{"command":"npx","env":
        {"LD_PRELOAD":"/tmp/x.so","API_KEY":"hunter2","REF":"${env:REF}"}},
        "web":{"url":"https://example.com","headers":{"Path":"hunter2"}}}}"#;
    std::fs::write(file.path(), config).unwrap();
    let line = ["import", file.path().to_str().unwrap(), "--dry-run"];
    let trial = Trial::text();
    assert_eq!(trial.run(&desk(), &line).await.unwrap(), Exit::Done);
    let said = trial.out.text();
    for shown in [
        r#""LD_PRELOAD" = "/tmp/x.so"  (it changes what the program loads or runs)"#,
        r#""API_KEY", to be kept as a secret"#,
        r#""REF", from the variable "REF""#,
        r#""Path", to be kept as a secret"#,
    ] {
        assert!(said.contains(shown), "{shown}: {said}");
    }
    assert!(!said.contains("hunter2"), "{said}");
    let trial = Trial::json();
    assert_eq!(trial.run(&desk(), &line).await.unwrap(), Exit::Done);
    let document = trial.document();
    let lab = &document["servers"][0];
    assert_eq!(lab["env"], serde_json::json!(["LD_PRELOAD", "API_KEY", "REF"]), "{document}");
    assert_eq!(
        lab["plain"],
        serde_json::json!([{ "name": "LD_PRELOAD", "value": "/tmp/x.so" }]),
        "{document}"
    );
    assert!(document["servers"][1].get("plain").is_none(), "a header runs nothing: {document}");

    let desk = desk();
    let line = ["import", file.path().to_str().unwrap(), "--leave-out", "LD_PRELOAD"];
    assert_eq!(Trial::json().run(&desk, &line).await.unwrap(), Exit::Done, "it can be left out all the same");
}

#[tokio::test]
async fn what_has_no_place_among_a_thousand_servers_is_counted() {
    let servers: Vec<_> =
        (1..=MOST_SERVERS).map(|n| ServerView { name: format!("n{n}"), ..http() }).collect();
    let file = config();
    let line = ["import", file.path().to_str().unwrap()];
    for (options, full) in [(&[][..], true), (&["--dry-run"], false)] {
        let mut world = World { servers: servers.clone(), ..World::default() };
        if !full {
            world.servers.truncate(MOST_SERVERS - 1);
        }
        let desk = Scripted::new(world, |_, command| panic!("there is no place: {command:?}"));
        let trial = Trial::text();
        trial.run(&desk, &[&line, options].concat()).await.unwrap();
        let (n, shown) = (if full { "2 more are" } else { "one more is" }, trial.out.text());
        assert!(shown.contains(&format!("\n  {n} left out: no more than 1000 servers are kept")), "{shown}");
        assert_eq!(shown.contains("first"), !full, "the first one has a place: {shown}");
    }
}
