//! The encrypted file for secrets: opened, left, and begun anew.

use serde_json::json;

use super::Story;
use crate::page::ENTER;
use crate::spot;

const PASSPHRASE: &str = "correct horse battery";

#[tokio::test]
async fn the_encrypted_file_is_opened_left_and_begun_anew() {
    let story = Story::begin().await;
    let (desktop, machine) = (&story.desktop, &story.desktop.machine);
    let passphrase = machine.file("passphrase", PASSPHRASE);
    let with_it =
        async |args: &[&str]| machine.run(&[args, &["--passphrase-file", &passphrase]].concat()).await.ok();
    drop(with_it(&["secrets", "keep", "file"]).await);
    drop(with_it(&["server", "edit", "ci", "--url", &story.demo.url(), "--header", "X-Key=hunter2"]).await);
    let app = desktop.open().await;
    app.read("Servers that need a secret wait for the passphrase.").await;
    app.go("Settings").await;
    app.read("locked").await;
    desktop.picture("secrets-locked").await;

    app.button("Unlock…").await;
    let unlock = spot::dialog("Unlock the secrets");
    let passphrase = spot::field("Passphrase").within(&unlock);
    app.fill(&passphrase, "another").await;
    app.keys(&ENTER.to_string()).await;
    app.says(&spot::error_at("Passphrase"), "does not open").await;
    desktop.picture("secrets-unlock").await;
    app.fill(&passphrase, PASSPHRASE).await;
    app.keys(&ENTER.to_string()).await;
    app.gone(&unlock).await;
    app.gone(&spot::text("Servers that need a secret wait for the passphrase.")).await;

    let keep = spot::dialog("Where to keep secrets");
    app.button("Change…").await;
    app.press(&spot::text("For this run only").within(&keep)).await;
    desktop.picture("secrets-keep").await;
    app.button("Keep them there").await;
    app.gone(&keep).await;
    app.read(
        "The secrets of these servers were not moved and are not used. Enter them again, or change back: ci",
    )
    .await;
    app.read("There is also an encrypted file, which is not used:").await;

    app.button("Change…").await;
    app.press(&spot::text("In an encrypted file").within(&keep)).await;
    for label in ["Passphrase of the encrypted file", "Passphrase again"] {
        app.fill(&spot::field(label).within(&keep), "quite another").await;
    }
    app.button("Keep them there").await;
    app.says(&keep, "Nothing has changed").await;
    let aside = spot::text("Set the existing file aside and start a new one").within(&keep);
    app.reach(&aside).await;
    app.press(&aside).await;
    desktop.picture("secrets-aside").await;
    app.button("Keep them there").await;
    app.gone(&keep).await;
    app.read("The old file was set aside and is not used:").await;
    desktop.picture("secrets-anew").await;
    let kept = machine.run(&["secrets"]).await.ok();
    assert_eq!((&kept["place"], &kept["state"]), (&json!("file"), &json!("open")), "{kept}");
    app.terminate().await;
}
