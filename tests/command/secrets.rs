//! Where secrets are kept, chosen by the person and shown.

use std::fs;

use serde_json::{Value, json};
use signalbox_tests::{Done, Machine, Running, each, signalbox, soon, text};

const VALUE: &str = "hunter2-hunter2";
const PASSPHRASE: &str = "correct horse battery";

/// Says how the server `lab` is reached: a program that writes down the secret it was given, and what it heard otherwise.
async fn tell(machine: &Machine, options: &[&str], verb: &str) -> Done {
    let script = format!(
        "printf %s \"$TOKEN\" > '{}'; {{ cat <&3; echo \"$CREDENTIALS_DIRECTORY\"; }} > '{}' 2>&1; exec '{}' demo stdio",
        machine.path("seen").display(),
        machine.path("heard").display(),
        signalbox().display()
    );
    let env = format!("TOKEN={VALUE}");
    let line = ["server", verb, "lab", "--env", &env, "--", "sh", "-c", &script];
    machine.run(&[options, &line].concat()).await
}

/// What the program was given; none when it was not started since the last look.
fn given(machine: &Machine) -> Option<String> {
    let given = fs::read_to_string(machine.path("seen")).ok();
    let _ = fs::remove_file(machine.path("seen"));
    given
}

/// A machine whose secrets are in an encrypted file, with the server `lab`, and where its passphrase is.
async fn filed() -> (Machine, String) {
    let machine = Machine::new();
    let file = machine.file("passphrase", &format!("{PASSPHRASE}\n"));
    let kept = machine.run(&["secrets", "keep", "file", "--passphrase-file", &file]).await.ok();
    assert_eq!((&kept["place"], &kept["state"]), (&json!("file"), &json!("open")), "{kept}");
    let _ = tell(&machine, &["--passphrase-file", &file], "add").await.ok();
    (machine, file)
}

/// What the program could read beside that.
fn heard(machine: &Machine) -> String {
    fs::read_to_string(machine.path("heard")).expect("it tries")
}

async fn serve(machine: &Machine, args: &[&str]) -> Running {
    let mut serve = machine.start(&[&["serve"], args].concat());
    assert_eq!(serve.line().await.expect("serve says when it is ready")["ready"], true);
    serve
}

fn check<'a>(doctor: &'a Value, name: &str) -> &'a Value {
    let found = doctor["checks"].as_array().unwrap().iter().find(|check| check["name"] == name);
    found.unwrap_or_else(|| panic!("{name} in {doctor}"))
}

#[tokio::test]
async fn an_encrypted_file_gives_its_secrets_to_who_has_the_passphrase() {
    let (machine, file) = filed().await;
    let locked = machine.run(&["tools", "lab"]).await;
    assert!(!locked.stderr.contains(PASSPHRASE), "{locked}");
    let failure = locked.failure(5, "secrets_locked");
    assert_eq!(failure["retry"], "after_fix", "{failure}");
    assert_eq!(given(&machine), None, "nothing is started without its secret");
    let shown = machine.run(&["secrets"]).await.ok();
    assert_eq!((&shown["place"], &shown["state"]), (&json!("file"), &json!("locked")), "{shown}");

    let tools = machine.run(&["tools", "lab", "--passphrase-file", &file]).await.ok();
    assert!(!tools["tools"].as_array().unwrap().is_empty());
    assert_eq!(given(&machine).as_deref(), Some(VALUE), "the very value");

    let other = machine.file("other", "correct house battery");
    let wrong = machine.run(&["tools", "lab", "--passphrase-file", &other]).await;
    assert!(!wrong.stdout.contains("house") && !wrong.stderr.contains("house"), "never repeated: {wrong}");
    let _ = wrong.failure(5, "secrets_locked");
    let _ = machine.run(&["tools", "lab", "--passphrase-file", "/no/such/file"]).await.failure(2, "usage");
    let both = ["tools", "lab", "--passphrase-file", &file, "--passphrase-fd", "0"];
    let _ = machine.run(&both).await.failure(2, "usage");
}

#[tokio::test]
async fn serve_takes_the_passphrase_from_a_descriptor_or_a_credential() {
    let (machine, file) = filed().await;
    let owner = {
        let mut command = machine.command("sh".as_ref());
        let line = format!("exec '{}' --json serve --passphrase-fd 3 3<'{file}'", signalbox().display());
        command.args(["-c", &line]);
        let mut owner = Running::start(command);
        assert_eq!(owner.line().await.expect("serve says when it is ready")["ready"], true);
        owner
    };
    let _ = machine.run(&["tools", "lab"]).await.ok();
    assert_eq!(given(&machine).as_deref(), Some(VALUE));
    let heard_by_it = heard(&machine);
    assert!(!heard_by_it.contains(PASSPHRASE), "no program inherits the descriptor: {heard_by_it}");
    let _ = owner.terminate().await.exits(0);

    let credentials = machine.path("credentials");
    fs::create_dir(&credentials).unwrap();
    fs::write(credentials.join("signalbox-passphrase"), PASSPHRASE).unwrap();
    let machine = machine.with("CREDENTIALS_DIRECTORY", credentials.clone());
    let owner = serve(&machine, &[]).await;
    let _ = machine.run(&["tools", "lab"]).await.ok();
    assert_eq!(given(&machine).as_deref(), Some(VALUE));
    let heard_by_it = heard(&machine);
    assert!(!heard_by_it.contains("credentials"), "nor is it told where the credential lies: {heard_by_it}");
    let _ = owner.terminate().await.exits(0);

    let other = machine.file("other", "another");
    let _ = machine.start(&["serve", "--passphrase-file", &other]).end().await.failure(5, "secrets_locked");
    fs::write(credentials.join("signalbox-passphrase"), "another").unwrap();
    let owner = serve(&machine, &[]).await;
    let _ = machine.run(&["tools", "lab"]).await.failure(5, "secrets_locked");
    let _ = owner.terminate().await.exits(0);
    fs::remove_file(credentials.join("signalbox-passphrase")).unwrap();
    let owner = serve(&machine, &[]).await;
    let _ = machine.run(&["tools", "lab"]).await.failure(5, "secrets_locked");
    let _ = owner.terminate().await.exits(0);
}

#[tokio::test]
async fn a_locked_owner_follows_the_rest_and_is_unlocked_from_outside() {
    let (machine, file) = filed().await;
    let demo = signalbox_tests::DemoServer::start().await;
    machine.add("demo", &demo.url()).await;
    let owner = serve(&machine, &[]).await;
    let _ = machine.run(&["call", "demo", "build"]).await.ok();
    let doctor = machine.run(&["doctor"]).await.exits(1).document();
    let secrets = check(&doctor, "secrets");
    assert_eq!(secrets["state"], "warning", "{secrets}");
    assert!(text(secrets, "advice").contains("signalbox secrets unlock"), "{secrets}");
    assert_eq!(check(&doctor, "server:demo")["state"], "ok", "others go on: {doctor}");
    assert_eq!(check(&doctor, "server:lab")["state"], "problem", "{doctor}");

    let _ = machine.run(&["secrets", "unlock"]).await.failure(3, "input_needed");
    let other = machine.file("other", "another");
    let _ =
        machine.run(&["secrets", "unlock", "--passphrase-file", &other]).await.failure(5, "secrets_locked");
    let open = machine.run(&["secrets", "unlock", "--passphrase-file", &file]).await.ok();
    assert_eq!(open["state"], "open", "{open}");
    let started = soon("the server that waited is tried by itself", async {
        loop {
            let listed = machine.run(&["server", "list"]).await.ok();
            let lab =
                listed["servers"].as_array().unwrap().iter().find(|s| s["name"] == "lab").unwrap().clone();
            if lab["health"]["state"] == "ok" {
                return lab;
            }
        }
    });
    started.await;
    assert_eq!(given(&machine).as_deref(), Some(VALUE));
    let doctor = machine.run(&["doctor"]).await.document();
    assert_eq!(check(&doctor, "secrets")["state"], "ok", "{doctor}");
    assert_eq!(check(&doctor, "server:lab")["state"], "ok", "{doctor}");
    let done = owner.terminate().await.exits(0);
    assert!(!done.stderr.contains(PASSPHRASE), "{done}");
    let logs = fs::read_dir(machine.data().join("logs")).unwrap().flatten();
    for log in logs {
        let log = fs::read_to_string(log.path()).unwrap();
        assert!(!log.contains(PASSPHRASE) && !log.contains(VALUE), "a log holds neither");
    }
}

#[tokio::test]
async fn what_is_kept_for_one_run_is_gone_with_it() {
    let machine = Machine::new();
    let kept = machine.run(&["secrets", "keep", "this-run"]).await.ok();
    assert_eq!(kept["place"], "this_run", "{kept}");
    let _ = tell(&machine, &[], "add").await.failure(2, "needs_owner");
    let owner = serve(&machine, &[]).await;
    let _ = tell(&machine, &[], "add").await.ok();
    let _ = machine.run(&["tools", "lab"]).await.ok();
    assert_eq!(given(&machine).as_deref(), Some(VALUE));
    let _ = owner.terminate().await.exits(0);

    let owner = serve(&machine, &[]).await;
    let forgotten = machine.run(&["tools", "lab"]).await.failure(2, "secret_missing");
    assert!(text(&forgotten, "message").contains("one run only"), "it must say why: {forgotten}");
    let doctor = machine.run(&["doctor"]).await.document();
    assert!(text(check(&doctor, "secrets"), "message").contains("this run only"), "{doctor}");

    let _ = tell(&machine, &[], "edit").await.ok();
    let file = machine.file("passphrase", PASSPHRASE);
    let moved = machine.run(&["secrets", "keep", "file", "--passphrase-file", &file]).await.ok();
    assert_eq!((&moved["moved"], &moved["left"]), (&json!(1), &json!([])), "it comes along: {moved}");
    let _ = owner.terminate().await.exits(0);
    let _ = machine.run(&["tools", "lab", "--passphrase-file", &file]).await.ok();
    assert_eq!(given(&machine).as_deref(), Some(VALUE));
    let left = machine.run(&["secrets", "keep", "this-run", "--passphrase-file", &file]).await.ok();
    assert_eq!(left["left"], json!(["lab"]), "what would be lost stays: {left}");
    assert_eq!(each(&machine.run(&["server", "list"]).await.ok()["servers"], "name"), ["lab"]);
}

#[tokio::test]
async fn without_a_keychain_the_way_out_is_named_and_works() {
    let machine = Machine::new();
    let refused = tell(&machine, &[], "add").await.failure(2, "no_keychain");
    assert!(text(&refused, "message").contains("signalbox secrets keep"), "{refused}");
    let shown = machine.run(&["secrets"]).await.ok();
    assert_eq!((&shown["place"], &shown["state"]), (&json!("keychain"), &json!("unusable")), "{shown}");
    let plain = machine.run_plain(&["secrets"]).await.exits(0);
    assert!(plain.stdout.contains("signalbox secrets keep"), "for people, too: {plain}");
    let _ = machine.run(&["secrets", "keep", "keychain"]).await.failure(2, "no_keychain");
    let _ = machine.run(&["secrets", "keep", "file"]).await.failure(3, "input_needed");
    let file = machine.file("passphrase", PASSPHRASE);
    let _ = machine.run(&["secrets", "keep", "file", "--passphrase-file", &file]).await.ok();
    let locked = tell(&machine, &[], "add").await.failure(5, "secrets_locked");
    assert!(text(&locked, "message").contains("locked"), "{locked}");
}

#[tokio::test]
async fn a_passphrase_that_is_given_opens_the_owners_file_and_a_forgotten_one_is_got_over() {
    let (machine, file) = filed().await;
    let other = machine.file("other", "another");
    let owner = serve(&machine, &[]).await;
    let _ = machine.run(&["tools", "lab", "--passphrase-file", &other]).await.failure(5, "secrets_locked");
    let doctor = machine.run(&["doctor", "--passphrase-file", &other]).await.exits(1).document();
    assert_eq!(check(&doctor, "secrets")["state"], "problem", "{doctor}");
    assert_eq!(check(&doctor, "store")["state"], "ok", "the rest is looked at: {doctor}");
    let _ = machine.run(&["tools", "lab", "--passphrase-file", &file]).await.ok();
    assert_eq!(given(&machine).as_deref(), Some(VALUE), "the owner was given it first");
    let _ = owner.terminate().await.exits(0);

    let keep = ["secrets", "keep", "file", "--passphrase-file", &other];
    let refused = machine.run(&keep).await.failure(5, "secrets_locked");
    assert!(text(&refused, "message").contains("--set-aside"), "the way out is named: {refused}");
    let anew = machine.run(&[&keep[..], &["--set-aside"]].concat()).await.ok();
    assert_eq!((&anew["state"], &anew["left"]), (&json!("open"), &json!(["lab"])), "{anew}");
    assert!(fs::exists(text(&anew, "aside")).unwrap(), "what was set aside is still there: {anew}");
    let nothing = ["secrets", "keep", "this-run", "--passphrase-file", &other, "--set-aside"];
    let _ = machine.run(&nothing).await.failure(2, "usage");
}

#[cfg(unix)]
#[tokio::test]
async fn a_passphrase_that_others_may_read_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let (machine, file) = filed().await;
    for (mode, is_said) in [(0o644, true), (0o600, false)] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let done = machine.run(&["secrets", "--passphrase-file", &file]).await;
        assert_eq!(done.stderr.contains("others may read"), is_said, "{mode:o}: {done}");
        let _ = done.ok();
    }
}
