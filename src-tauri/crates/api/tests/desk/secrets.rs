//! Where secrets are kept: chosen, locked, unlocked, forgotten.

use std::{fs, net::SocketAddr, path::Path, time::Duration};

use signalbox_api::{
    ApiError, Code, Cursor, Desk, DeskExt as _, Home, NewSecret, NewTransport, Opened, Overview, OwnerKind,
    Passphrase, SecretPlace, SecretText, SecretsState, SecretsView, ServerView, View, ViewData,
    command::{self, SecretsMoved},
    open, open_with, words,
};
use signalbox_demo::{Demo, HttpServer, Speed};
use signalbox_model::{Health, NoteCode};
use tempfile::TempDir;

use super::stage::LIMIT;

const VALUE: &str = "Bearer ünique";
const PASSPHRASE: &str = "correct horse";

/// A data directory with one server, which is to get [`VALUE`] in a header.
struct Place {
    dir: TempDir,
    demo: Demo,
    server: HttpServer,
}

impl Place {
    async fn new() -> Self {
        let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
        let server = demo.serve_http(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        Self { dir: TempDir::new().unwrap(), demo, server }
    }

    fn home(&self) -> Home {
        Home::at(&self.dir.path().join("home")).unwrap()
    }

    fn file(&self) -> std::path::PathBuf {
        self.home().dir().join("secrets")
    }

    async fn open(&self) -> Opened {
        open(&self.home(), OwnerKind::Serve).await.unwrap()
    }

    async fn add(&self, opened: &Opened) -> Result<ServerView, ApiError> {
        let value = NewSecret::Literal { value: SecretText(VALUE.into()) };
        let headers = vec![("Authorization".to_owned(), value)];
        let transport = NewTransport::Http { url: self.server.url(), headers };
        opened.desk().act(command::AddServer { name: "ci".into(), transport, untrusted: false }).await
    }
}

/// The servers whose secrets end with the owner.
async fn told_to_give_again(opened: &Opened) -> Vec<String> {
    opened.desk().act(command::ReadForgotten {}).await.unwrap().servers
}

async fn keep(opened: &Opened, place: SecretPlace) -> Result<(SecretsView, u32, Vec<String>), ApiError> {
    let passphrase = (place == SecretPlace::File).then(|| SecretText(PASSPHRASE.into()));
    let keep = command::KeepSecrets { place, passphrase, set_aside: false };
    let SecretsMoved { secrets, moved, left, aside } = opened.desk().act(keep).await?;
    assert_eq!(aside, None, "nothing was to be set aside");
    Ok((secrets, moved, left))
}

async fn unlock(opened: &Opened, passphrase: &str) -> Result<SecretsView, ApiError> {
    opened.desk().act(command::UnlockSecrets { passphrase: SecretText(passphrase.into()) }).await
}

/// Where somebody stands, and what they see.
type Seen = Option<(Cursor, Overview)>;

async fn overview(desk: &dyn Desk, seen: Seen) -> Seen {
    let (after, held) = seen.unzip();
    let wait = if after.is_some() { LIMIT } else { Duration::ZERO };
    let changes = desk.changes(View::Overview, after, wait).await.unwrap();
    let overview = match changes.data {
        Some(ViewData::Overview { change }) => change.after(held).expect("it goes with what was seen"),
        None => held.expect("the first look shows something"),
        Some(other) => panic!("an overview was asked for: {other:?}"),
    };
    Some((changes.cursor, overview))
}

async fn until(opened: &Opened, what: &str, holds: impl Fn(&Overview) -> bool) -> Overview {
    let desk = opened.desk();
    let looking = async {
        let mut seen = None;
        loop {
            seen = overview(&*desk, seen).await;
            if let Some((_, seen)) = seen.as_ref().filter(|(_, seen)| holds(seen)) {
                return seen.clone();
            }
        }
    };
    tokio::time::timeout(LIMIT, looking).await.unwrap_or_else(|_| panic!("never seen: {what}"))
}

fn health(overview: &Overview) -> &Health {
    &overview.servers[0].health
}

fn answers(overview: &Overview) -> bool {
    matches!(health(overview), Health::Ok { .. })
}

async fn check(opened: &Opened) -> Health {
    opened.desk().act(command::CheckServer { server: "ci".into() }).await.unwrap().server.health
}

fn holds(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let bytes = fs::read(entry.path()).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_wait_for_the_passphrase_and_go_on_by_themselves() {
    let place = Place::new().await;
    let opened = place.open().await;
    let (secrets, moved, left) = keep(&opened, SecretPlace::File).await.unwrap();
    assert_eq!((secrets.place, secrets.state), (SecretPlace::File, SecretsState::Open));
    assert_eq!((moved, left), (0, vec![]), "nothing was kept so far");
    place.add(&opened).await.unwrap();
    assert!(matches!(check(&opened).await, Health::Ok { .. }), "the value is found again");
    for text in [VALUE, PASSPHRASE] {
        assert!(!holds(place.home().dir(), text), "{text:?} lies in the data directory in the clear");
    }
    opened.close().await;

    let asked = place.demo.journal().entries().len();
    let opened = place.open().await;
    assert!(opened.local().unwrap().secrets_locked(), "the choice is known before any secret is needed");
    let seen = until(&opened, "the trouble", |overview| !overview.troubles.is_empty()).await;
    assert_eq!(seen.troubles[0].code, Code::SecretsLocked);
    let waiting = check(&opened).await;
    assert!(
        matches!(&waiting, Health::Unusable { note, .. }
            if note.code == NoteCode::SecretsLocked && words::note(note).contains("is locked")),
        "it must say what is missing: {waiting:?}"
    );
    assert_eq!(place.demo.journal().entries().len(), asked, "nothing goes out without its secret");
    let error = place.add(&opened).await.unwrap_err();
    assert_eq!(error.code, Code::SecretsLocked, "nothing can be kept either: {error}");

    let wrong = unlock(&opened, "correct house").await.unwrap_err();
    assert_eq!(wrong.code, Code::SecretsLocked);
    assert!(!format!("{wrong:?}").contains("house"), "a passphrase is never repeated: {wrong:?}");
    assert!(opened.local().unwrap().secrets_locked());

    let secrets = unlock(&opened, PASSPHRASE).await.unwrap();
    assert_eq!(secrets.state, SecretsState::Open);
    let seen = until(&opened, "the server answers", answers).await;
    assert_eq!(seen.troubles, [], "nothing is locked any more");
    opened.close().await;

    let given = Some(Passphrase::new(PASSPHRASE).unwrap());
    let opened = open_with(&place.home(), OwnerKind::Serve, given).await.unwrap();
    assert!(matches!(check(&opened).await, Health::Ok { .. }), "given at the start nobody needs to wait");
    opened.close().await;
    let wrong = Some(Passphrase::new("x").unwrap());
    let opened = open_with(&place.home(), OwnerKind::Serve, wrong).await.unwrap();
    assert!(opened.local().unwrap().secrets_locked(), "a wrong one keeps nobody from what needs none");
    let remove = command::RemoveServer { server: "ci".into() };
    let error = opened.desk().act(remove.clone()).await.unwrap_err();
    assert_eq!(error.code, Code::SecretsLocked, "what cannot be deleted is not said to be: {error}");
    unlock(&opened, PASSPHRASE).await.unwrap();
    opened.desk().act(remove).await.unwrap();
    opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_for_a_run_is_forgotten_with_it_and_said() {
    let place = Place::new().await;
    let opened = place.open().await;
    keep(&opened, SecretPlace::ThisRun).await.unwrap();
    assert_eq!(told_to_give_again(&opened).await, Vec::<String>::new(), "nothing is kept yet");
    place.add(&opened).await.unwrap();
    assert!(matches!(check(&opened).await, Health::Ok { .. }));
    assert_eq!(told_to_give_again(&opened).await, ["ci"], "said before it happens");
    opened.close().await;

    let opened = place.open().await;
    assert_eq!(told_to_give_again(&opened).await, Vec::<String>::new(), "it is gone already");
    let forgotten = check(&opened).await;
    assert!(
        matches!(&forgotten, Health::Unreachable { note, .. }
            if note.code == NoteCode::SecretMissing && words::note(note).contains("one run only")),
        "{forgotten:?}"
    );
    let seen = until(&opened, "an overview", |_| true).await;
    assert_eq!(seen.troubles, [], "that is how it was chosen");
    opened.close().await;

    let opened = open(&place.home(), OwnerKind::Command).await.unwrap();
    let error = place.add(&opened).await.unwrap_err();
    assert_eq!(error.code, Code::NeedsOwner, "a command's run is over at once: {error}");
    opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_takes_along_what_is_safe_and_names_who_is_left() {
    let place = Place::new().await;
    let opened = place.open().await;
    keep(&opened, SecretPlace::ThisRun).await.unwrap();
    place.add(&opened).await.unwrap();
    let (_, moved, left) = keep(&opened, SecretPlace::File).await.unwrap();
    assert_eq!((moved, left), (1, vec![]), "out of memory onto the disk");
    assert_eq!(told_to_give_again(&opened).await, Vec::<String>::new(), "it is kept");
    assert!(matches!(check(&opened).await, Health::Ok { .. }));

    let (_, moved, left) = keep(&opened, SecretPlace::ThisRun).await.unwrap();
    assert_eq!((moved, left), (0, vec!["ci".to_owned()]), "what would be lost stays, and is not used");
    let (_, moved, left) = keep(&opened, SecretPlace::File).await.unwrap();
    assert_eq!((moved, left), (0, vec![]), "it is where it was");
    until(&opened, "the server answers", answers).await;
    opened.close().await;

    let opened = place.open().await;
    let (secrets, _, left) = keep(&opened, SecretPlace::ThisRun).await.unwrap();
    assert_eq!(left, ["ci"], "what is locked cannot come along");
    assert_eq!(secrets.state, SecretsState::Open);
    assert!(place.file().exists(), "and is not thrown away");
    opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_work_is_refused_and_changes_nothing() {
    let place = Place::new().await;
    let opened = place.open().await;
    let call = |command| {
        let desk = opened.desk();
        async move { desk.act(command).await.unwrap_err().code }
    };
    let without = command::KeepSecrets { place: SecretPlace::File, passphrase: None, set_aside: false };
    assert_eq!(call(without).await, Code::InputNeeded);
    let none = Some(SecretText(String::new()));
    let empty = command::KeepSecrets { place: SecretPlace::File, passphrase: none, set_aside: false };
    assert_eq!(call(empty).await, Code::Usage);
    assert_eq!(unlock(&opened, "x").await.unwrap_err().code, Code::Usage, "nothing is locked");
    fs::write(place.file(), "somebody's own file").unwrap();
    assert_eq!(keep(&opened, SecretPlace::File).await.unwrap_err().code, Code::NoKeychain);
    assert_eq!(fs::read_to_string(place.file()).unwrap(), "somebody's own file", "it is not overwritten");
    assert_eq!(opened.desk().act(command::Secrets {}).await.unwrap().place, SecretPlace::Keychain);
    opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_passphrase_is_left_behind_with_its_file() {
    let place = Place::new().await;
    let opened = place.open().await;
    keep(&opened, SecretPlace::File).await.unwrap();
    place.add(&opened).await.unwrap();
    let anew = |set_aside| command::KeepSecrets {
        place: SecretPlace::File,
        passphrase: Some(SecretText("another".into())),
        set_aside,
    };
    let error = opened.desk().act(anew(true)).await.unwrap_err();
    assert_eq!(error.code, Code::SecretsLocked, "what is in use is not set aside: {error}");
    opened.close().await;

    let opened = place.open().await;
    let before = fs::read(place.file()).unwrap();
    let error = opened.desk().act(anew(false)).await.unwrap_err();
    assert!(error.message.contains("does not open"), "it is told what is wrong: {error}");
    assert_eq!(fs::read(place.file()).unwrap(), before);
    let SecretsMoved { secrets, left, aside, .. } = opened.desk().act(anew(true)).await.unwrap();
    assert_eq!(secrets.state, SecretsState::Open);
    assert_eq!(left, ["ci"], "its secret is in the old file");
    assert_eq!(
        fs::read(aside.expect("it is told where that is")).unwrap(),
        before,
        "which is kept as it was"
    );
    opened.close().await;
}
