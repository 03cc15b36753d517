//! `secrets …`, and asking for the passphrase of the encrypted file that keeps them.

use serde::Serialize;
use signalbox_api::command::{self, SecretsMoved};
use signalbox_api::{
    ApiError, Code, DeskExt as _, Local, SecretPlace, SecretText, SecretsState, SecretsView,
};

use super::Context;
use crate::args::{Again, AtDesk, Call, Place, Secrets, Server};
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::text::{self, sanitise};

/// How often a person may mistype it.
const TRIES: u32 = 3;

/// `{"place","state","file","message"}`, and after a change `moved`, `left` and `aside`.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    secrets: &'a SecretsView,
    #[serde(flatten)]
    change: Option<Change>,
}

#[derive(Serialize)]
struct Change {
    /// How many came along.
    moved: u32,
    /// The servers some of whose secrets stayed where they were.
    left: Vec<String>,
    /// Where the file that was set aside is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    aside: Option<String>,
}

/// Runs `secrets`; alone it shows where they are kept.
pub(super) async fn run(context: &Context<'_>, act: Option<Secrets>) -> Result<Exit, Failure> {
    match act {
        None => show(context, &context.desk.act(command::Secrets {}).await?, None),
        Some(Secrets::Keep { place, set_aside }) => keep(context, place, set_aside).await,
        Some(Secrets::Unlock) => unlock(context).await,
    }
}

async fn keep(context: &Context<'_>, place: Place, set_aside: bool) -> Result<Exit, Failure> {
    if set_aside && place != Place::File {
        return Err(Failure::usage(
            "only an encrypted file can be set aside: `secrets keep file --set-aside`",
        ));
    }
    let passphrase = match place {
        Place::File => Some(new_passphrase(context).await?),
        Place::Keychain | Place::ThisRun => None,
    };
    let act = command::KeepSecrets { place: place.into(), passphrase, set_aside };
    let SecretsMoved { secrets, moved, left, aside } = match context.desk.act(act).await {
        Err(error) if place == Place::File && !set_aside => return Err(kept_aside(context, error).await),
        done => done?,
    };
    show(context, &secrets, Some(Change { moved, left, aside }))
}

/// What else becomes of a file that does not open, unless it is the one in use.
async fn kept_aside(context: &Context<'_>, error: ApiError) -> Failure {
    let may_be_set_aside = match context.desk.act(command::Secrets {}).await {
        Ok(now) => (now.place, now.state) != (SecretPlace::File, SecretsState::Open),
        Err(_) => false,
    };
    if !may_be_set_aside || !matches!(error.code, Code::SecretsLocked | Code::NoKeychain) {
        return error.into();
    }
    let way = "`signalbox secrets keep file --set-aside` moves it aside, and begins a new one";
    ApiError { message: format!("{}. {way}", error.message), ..error }.into()
}

async fn unlock(context: &Context<'_>) -> Result<Exit, Failure> {
    let passphrase = match context.passphrase {
        Some(passphrase) => SecretText(passphrase.expose().to_owned()),
        None => asked(context.console, "Passphrase: ").await?,
    };
    let secrets = context.desk.act(command::UnlockSecrets { passphrase }).await?;
    if context.owns() {
        context.console.say(
            "The passphrase is right. But nobody owns the data directory, so each command needs it again. `signalbox serve` needs it \
             once",
        );
    }
    show(context, &secrets, None)
}

fn show(context: &Context<'_>, secrets: &SecretsView, change: Option<Change>) -> Result<Exit, Failure> {
    if context.console.json {
        context.console.document(&Document { secrets, change })?;
        return Ok(Exit::Done);
    }
    let check = text::secrets::check(secrets);
    context.console.text(&format!("Secrets are {}\n", sanitise::line(&check.message)))?;
    if let Some(advice) = &check.advice {
        context.console.text(&format!("{}\n", sanitise::line(advice)))?;
    }
    let Some(Change { moved, left, aside }) = change else { return Ok(Exit::Done) };
    if let Some(aside) = aside {
        context.console.text(&format!("The file that was there is now {}\n", sanitise::line(&aside)))?;
    }
    if moved > 0 {
        context
            .console
            .text(&format!("{} moved\n", text::counted(moved.into(), "secret was", "secrets were")))?;
    }
    if !left.is_empty() {
        let names = left.iter().map(|name| sanitise::line(name)).collect::<Vec<_>>().join(", ");
        let what = "their secrets stay where they were and are not used: give them again, or choose the old place again";
        context.console.text(&format!("{names}: {what}\n"))?;
    }
    if secrets.place == SecretPlace::ThisRun && context.owns() {
        context.console.say(
            "Nobody owns the data directory. Only `signalbox serve` or the window can keep secrets for a run",
        );
    }
    Ok(Exit::Done)
}

/// Typed twice: nobody sees a slip, and nothing can be had without it.
async fn new_passphrase(context: &Context<'_>) -> Result<SecretText, Failure> {
    if let Some(passphrase) = context.passphrase {
        return Ok(SecretText(passphrase.expose().to_owned()));
    }
    let first = asked(context.console, "Passphrase of the encrypted file: ").await?;
    let second = asked(context.console, "The same again: ").await?;
    if first.0 == second.0 {
        return Ok(first);
    }
    Err(Failure::usage("these are two different passphrases: nothing was changed"))
}

async fn asked(console: &Console, prompt: &str) -> Result<SecretText, Failure> {
    let typed = if console.can_ask_unseen() { console.unseen(prompt).await } else { None };
    typed.map(SecretText).ok_or_else(|| {
        let message =
            "nobody can be asked for the passphrase here: give --passphrase-file or --passphrase-fd";
        ApiError::new(Code::InputNeeded, message).into()
    })
}

/// Whether a command may need a secret, as far as a person may be asked for the passphrase.
pub(crate) fn may_need(command: &AtDesk) -> bool {
    match command {
        AtDesk::Secrets { .. }
        | AtDesk::Autostart(_)
        | AtDesk::Shortcut(_)
        | AtDesk::Open(_)
        | AtDesk::Focus
        | AtDesk::Next
        | AtDesk::Notifications { .. }
        | AtDesk::Export(_)
        | AtDesk::Backup(_)
        | AtDesk::Tasks(_)
        | AtDesk::Diff { .. }
        | AtDesk::Inbox(_)
        | AtDesk::Undo { .. }
        | AtDesk::PutAway { .. }
        | AtDesk::Snooze(_)
        | AtDesk::Forget(_)
        | AtDesk::Tag(_)
        | AtDesk::Note(_)
        | AtDesk::Demo(_) => false,
        AtDesk::Tools { .. }
        | AtDesk::Track(_)
        | AtDesk::Show(_)
        | AtDesk::Watch { .. }
        | AtDesk::Cancel(_)
        | AtDesk::Answer(_) => true,
        AtDesk::Import(import) => !import.dry_run,
        AtDesk::Call(Call { how, .. }) | AtDesk::Again(Again { how, .. }) => !how.no_input,
        AtDesk::Server(server) => match server {
            Server::List | Server::Rename { .. } | Server::Disable { .. } => false,
            Server::Add { .. }
            | Server::Edit { .. }
            | Server::Remove { .. }
            | Server::Check { .. }
            | Server::Trust { .. }
            | Server::Login { .. }
            | Server::Logout { .. }
            | Server::Enable { .. } => true,
        },
    }
}

/// Whether the passphrase that an option gave is to open the file that is there; else the command itself says what it
/// is for.
pub(crate) fn is_to_unlock(command: &AtDesk) -> bool {
    let is_its_own = matches!(
        command,
        AtDesk::Secrets { act: Some(Secrets::Unlock | Secrets::Keep { place: Place::File, .. }) }
    );
    !is_its_own
}

/// Asks for the passphrase, if the encrypted file waits for it and somebody is there. Without it the rest goes on.
pub(crate) async fn ask_where_locked(console: &Console, local: &Local) {
    if !local.secrets_locked() || !console.can_ask_unseen() {
        return;
    }
    for _ in 0..TRIES {
        let typed =
            console.unseen("Passphrase for the secrets of the servers (Enter goes on without): ").await;
        let Some(passphrase) = typed.map(SecretText).filter(|typed| !typed.0.is_empty()) else { break };
        match local.act(command::UnlockSecrets { passphrase }).await {
            Ok(_) => return,
            Err(error) => console.say(&error.message),
        }
    }
    console.say("The secrets stay locked: servers that need one cannot be reached");
}
