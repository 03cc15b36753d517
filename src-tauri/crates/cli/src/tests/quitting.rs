//! `quit`, where somebody owns the data directory and does not answer.

use clap::Parser as _;
use signalbox_api::{ApiError, Code, Home, OwnerKind, Ownership};

use super::{Trial, args};
use crate::args::Cli;
use crate::commands::quit;
use crate::exit::{Exit, Failure};

async fn quits(trial: &Trial, home: &Home) -> Result<Exit, Failure> {
    let cli = Cli::try_parse_from(args(&["--home", home.dir().to_str().unwrap(), "quit"])).unwrap();
    Box::pin(quit::run(&trial.console, cli.global, false)).await
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_never_answers_is_no_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path()).unwrap();
    let _owned = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let trial = Trial::text();
    let Err(Failure::Api(ApiError { code, message, .. })) = quits(&trial, &home).await else {
        panic!("it is there: {}", trial.err.text())
    };
    assert_eq!((code, Failure::from(ApiError::new(code, "")).exit()), (Code::StorageInUse, Exit::Home));
    assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    assert!(!trial.err.text().contains("Signalbox is not running"), "{}", trial.err.text());
}

#[tokio::test(start_paused = true)]
async fn one_that_is_leaving_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path()).unwrap();
    let owned = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let trial = Trial::text();
    let leaves = async {
        tokio::task::yield_now().await;
        drop(owned);
    };
    let (ended, ()) = tokio::join!(quits(&trial, &home), leaves);
    assert_eq!(ended.unwrap(), Exit::Done);
    assert!(trial.err.text().contains("Signalbox is not running"), "{}", trial.err.text());
}
