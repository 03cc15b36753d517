use std::fs;
use std::net::{Ipv4Addr, TcpListener};

use super::Story;
use crate::desktop::Desktop;
use crate::spot;

#[tokio::test]
async fn a_server_nobody_answers_for_is_kept_and_said_to_be_unreachable() {
    let desktop = Desktop::start().await;
    let app = desktop.open().await;
    let url = {
        let nobody = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        format!("http://{}/mcp", nobody.local_addr().unwrap())
    };

    app.go("Servers").await;
    app.read("No servers yet").await;
    app.button("Add and check").await;
    app.says(&spot::error_at("Name"), "Give it a name.").await;
    app.fill(&spot::field("Name"), "deploy-eu").await;
    app.fill(&spot::field("URL"), "not a url").await;
    app.button("Add and check").await;
    app.see(&spot::error_at("URL")).await;
    app.fill(&spot::field("URL"), &url).await;
    app.button("Add and check").await;

    let detail = spot::region("Server");
    app.says(&detail, "deploy-eu").await;
    app.says(&detail, "The server cannot be reached").await;
    app.says(&detail, "Check that the server is running and that its URL is right.").await;
    app.says(&spot::entry("Servers", "deploy-eu"), "unreachable").await;
    let servers = desktop.machine.run(&["server", "list"]).await.ok();
    assert_eq!(servers["servers"][0]["health"]["state"], "unreachable", "{servers}");
    app.terminate().await;
}

#[tokio::test]
async fn a_damaged_database_is_shown_and_kept_as_it_is() {
    let story = Story::begin().await;
    let database = story.desktop.machine.data().join("signalbox.db");
    let damaged = b"this was a database once".repeat(400);
    assert!(database.is_file(), "the database is where this journey damages it");
    for file in fs::read_dir(story.desktop.machine.data()).unwrap() {
        let path = file.unwrap().path();
        if path.to_string_lossy().contains("signalbox.db-") {
            fs::remove_file(path).unwrap();
        }
    }
    fs::write(&database, &damaged).unwrap();

    let app = story.desktop.open().await;
    app.read("The data directory is damaged").await;
    app.terminate().await;
    assert_eq!(fs::read(&database).unwrap(), damaged, "the file is kept, byte by byte");
}
