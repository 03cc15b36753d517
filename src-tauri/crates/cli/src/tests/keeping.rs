//! The command `secrets`, and where values are kept.

use signalbox_api::{Code, Command, Reply, SecretPlace, SecretsState, SecretsView, command};

use clap::Parser;

use super::desk::{Scripted, World};
use super::{Trial, args};
use crate::args::{Cli, Command as Line};
use crate::commands::secrets::may_need;
use crate::exit::Exit;

fn view(place: SecretPlace, state: SecretsState) -> SecretsView {
    let file = (place == SecretPlace::File).then(|| "/data/secrets".to_owned());
    SecretsView { place, state, file, message: None, detail: None, no_keychain: false, unused: None }
}

fn desk() -> Scripted {
    Scripted::new(World::default(), |_, command| match command {
        Command::Secrets(_) => Ok(Reply::Secrets { secrets: view(SecretPlace::File, SecretsState::Locked) }),
        Command::UnlockSecrets(_) => {
            Ok(Reply::Secrets { secrets: view(SecretPlace::File, SecretsState::Open) })
        }
        Command::KeepSecrets(command::KeepSecrets { place, .. }) => {
            Ok(Reply::SecretsMoved(command::SecretsMoved {
                secrets: view(*place, SecretsState::Open),
                moved: 2,
                left: vec!["ci\u{1b}[2J".to_owned()],
                aside: None,
            }))
        }
        other => panic!("{other:?} has nothing to do with secrets"),
    })
}

fn given(desk: &Scripted) -> Vec<Option<String>> {
    let world = desk.world();
    let passphrase = |command: &Command| match command {
        Command::KeepSecrets(command::KeepSecrets { passphrase, .. }) => {
            passphrase.as_ref().map(|text| text.0.clone())
        }
        Command::UnlockSecrets(command::UnlockSecrets { passphrase }) => Some(passphrase.0.clone()),
        other => panic!("{other:?}"),
    };
    world.commands.iter().map(passphrase).collect()
}

#[tokio::test]
async fn where_they_are_kept_and_what_to_do_is_said() {
    let (desk, trial) = (desk(), Trial::text());
    assert_eq!(trial.run(&desk, &["secrets"]).await.unwrap(), Exit::Done);
    let text = trial.out.text();
    for part in ["/data/secrets", "locked", "signalbox secrets unlock"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let trial = Trial::json();
    trial.run(&desk, &["secrets"]).await.unwrap();
    let document = trial.document();
    assert_eq!((&document["place"], &document["state"]), (&"file".into(), &"locked".into()), "{document}");
    assert!(document.get("moved").is_none(), "only a change moves anything: {document}");
}

#[tokio::test]
async fn a_change_says_what_came_along_and_what_did_not() {
    let (desk, trial) = (desk(), Trial::text());
    trial.run(&desk, &["secrets", "keep", "this-run"]).await.unwrap();
    let text = trial.out.text();
    assert!(text.contains("this run only") && text.contains("2 secrets were moved"), "{text}");
    assert!(text.contains("ci") && !text.contains('\u{1b}'), "a name is text: {text}");
    assert_eq!(given(&desk), [None], "what is no file needs no passphrase");
    let trial = Trial::json();
    trial.run(&desk, &["secrets", "keep", "keychain"]).await.unwrap();
    let document = trial.document();
    assert_eq!((&document["moved"], &document["place"]), (&2.into(), &"keychain".into()), "{document}");
}

#[tokio::test]
async fn a_passphrase_is_asked_for_where_somebody_is_there_and_never_repeated() {
    for act in [["secrets", "unlock"].as_slice(), &["secrets", "keep", "file"]] {
        let (desk, trial) = (desk(), Trial::text());
        let failure = trial.run(&desk, act).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::InputNeeded, "nobody can be asked");
        assert!(failure.to_string().contains("--passphrase-file"), "it must say what to do: {failure}");

        let trial = Trial::person(&["hunter2 hunter2", "hunter2 hunter2"]);
        trial.run(&desk, act).await.unwrap();
        assert_eq!(given(&desk), [Some("hunter2 hunter2".to_owned())]);
        let said = trial.out.text() + &trial.err.text() + &format!("{:?}", desk.world().commands);
        assert!(!said.contains("hunter2"), "a passphrase goes one way: {said}");
    }
    let (desk, trial) = (desk(), Trial::person(&["hunter2", "hunter3"]));
    let failure = trial.run(&desk, &["secrets", "keep", "file"]).await.unwrap_err();
    assert!(matches!(&failure, crate::exit::Failure::Api(error) if error.code == Code::Usage), "{failure}");
    assert_eq!(desk.world().commands.len(), 0, "a slip must not lock everything away");
}

#[test]
fn nobody_is_asked_for_the_passphrase_where_no_server_is_reached() {
    let asks = |line: &[&str]| match Cli::try_parse_from(args(line)).unwrap().command {
        Line::AtDesk(command) => may_need(&command),
        _ => panic!("{line:?} needs no desk"),
    };
    for line in [
        &["undo", "r1"][..],
        &["put-away", "r1"],
        &["snooze", "r1", "1h"],
        &["tasks"],
        &["inbox"],
        &["forget", "t1"],
        &["server", "list"],
        &["server", "disable", "ci"],
        &["call", "ci", "deploy", "--no-input"],
        &["import", "--dry-run"],
    ] {
        assert!(!asks(line), "{line:?} needs no secret");
    }
    for line in [
        &["answer", "r1", "--decline"][..],
        &["cancel", "t1"],
        &["show", "t1"],
        &["watch"],
        &["tools", "ci"],
        &["track", "ci"],
        &["call", "ci", "deploy"],
        &["import"],
        &["server", "check", "ci"],
        &["server", "enable", "ci"],
        &["server", "remove", "ci"],
    ] {
        assert!(asks(line), "{line:?} may need one");
    }
}
