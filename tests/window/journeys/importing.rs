//! Servers that another client knows, or that stand in a pasted configuration.

use std::fs;

use serde_json::json;
use signalbox_tests::signalbox;

use super::Story;
use crate::spot;

#[tokio::test]
async fn servers_of_another_client_are_taken_over_and_wait_for_consent() {
    let story = Story::begin().await;
    let (desktop, machine) = (&story.desktop, &story.desktop.machine);
    let lab = json!({ "command": signalbox(), "args": ["demo", "stdio", "--speed", "instant"] });
    let folder = machine.path("home").join(".cursor");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("mcp.json"), json!({ "mcpServers": { "lab": lab } }).to_string()).unwrap();
    let app = desktop.open().await;
    app.go("Servers").await;
    app.button("Add a server").await;
    app.button("Import…").await;
    app.read("a program: waits to be confirmed").await;
    desktop.picture("import").await;
    app.button("Import 1 server").await;
    app.read("The server's command is not confirmed").await;
    app.button("Confirm command").await;
    app.button("Confirm and check").await;
    app.says(&spot::entry("Servers", "lab"), "answers").await;

    app.button("Add a server").await;
    app.button("Import…").await;
    app.read("it is registered already").await;
    let pasted =
        json!({ "servers": { "eu": { "url": story.demo.url() }, "asks": { "url": "${input:url}" } } });
    app.fill(&spot::field("Configuration"), &pasted.to_string()).await;
    app.button("Read it").await;
    app.read("which only that program can fill in").await;
    desktop.picture("import-pasted").await;
    app.button("Import 1 server").await;
    app.says(&spot::entry("Servers", "eu"), "not tried yet").await;
    app.button("Check now").await;
    app.says(&spot::entry("Servers", "eu"), "answers").await;
    app.terminate().await;
}
