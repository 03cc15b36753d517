//! Data directories that are damaged, newer, foreign or not ours: left as they are.

use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;
use signalbox_tests::{Machine, text};

fn database(machine: &Machine) -> PathBuf {
    machine.data().join("signalbox.db")
}

/// Checks that every kind of command refuses with this word and leaves the file as it is.
async fn refused(machine: &Machine, word: &str, hint: &str) {
    let before = fs::read(database(machine)).unwrap();
    for line in
        [["server", "list"].as_slice(), &["tasks"], &["call", "demo", "echo", "--args", "{}"], &["serve"]]
    {
        let failure = machine.run(line).await.failure(7, word);
        let message = text(&failure, "message");
        assert!(
            message.contains("signalbox.db") && message.contains(hint),
            "which file, and what to do: {message}"
        );
        assert!(fs::read(database(machine)).unwrap() == before, "not a byte was changed by {line:?}");
    }
}

#[tokio::test]
async fn a_file_that_is_no_database() {
    let machine = Machine::new();
    fs::write(database(&machine), "these are my notes, not a database\n".repeat(200)).unwrap();
    refused(&machine, "storage_damaged", "damaged").await;
}

#[tokio::test]
async fn a_database_that_was_cut_short() {
    let machine = Machine::new();
    let whole = fs::read(database(&machine)).unwrap();
    for len in [50, whole.len() / 2] {
        fs::write(database(&machine), &whole[..len]).unwrap();
        refused(&machine, "storage_damaged", "damaged").await;
    }
}

#[tokio::test]
async fn a_database_without_one_of_its_tables() {
    let machine = Machine::new();
    let cut = Connection::open(database(&machine)).unwrap();
    cut.execute_batch("DROP TABLE events").unwrap();
    cut.close().unwrap();
    refused(&machine, "storage_damaged", "signalbox salvage").await;
    let salvaged = machine.run(&["salvage"]).await.exits(1).document();
    let tables = salvaged["salvaged"]["tables"].as_array().unwrap();
    assert!(tables.iter().any(|table| table["name"] == "events" && table["kept"] == 0), "{salvaged}");
    let _ = machine.run(&["tasks"]).await.ok();
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_in_the_place_of_the_database() {
    let machine = Machine::new();
    fs::remove_file(database(&machine)).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(database(&machine)).status().unwrap().success());
    for line in [["tasks"].as_slice(), &["serve"], &["salvage"], &["backup", "backup.db"]] {
        let failure = machine.run(line).await.failure(7, "storage_denied");
        assert!(text(&failure, "message").contains("a pipe"), "nobody waits for it: {failure}");
    }
    let doctor = machine.run(&["doctor"]).await.exits(1);
    assert!(doctor.stdout.contains("a pipe"), "{doctor}");
    let pipe = database(&machine);
    let _ = Machine::new().run(&["restore", pipe.to_str().unwrap()]).await.failure(2, "usage");
}

#[tokio::test]
async fn a_database_with_spoilt_pages() {
    let machine = Machine::new();
    let mut bytes = fs::read(database(&machine)).unwrap();
    let spoilt = bytes.len() / 4..bytes.len() / 2;
    bytes[spoilt].fill(0xa5);
    fs::write(database(&machine), bytes).unwrap();
    refused(&machine, "storage_damaged", "damaged").await;
}

#[tokio::test]
async fn a_database_of_a_newer_version() {
    let machine = Machine::new();
    let newer = Connection::open(database(&machine)).unwrap();
    newer.pragma_update(None, "user_version", 999).unwrap();
    newer.close().unwrap();
    refused(&machine, "storage_newer", "update Signalbox").await;
}

#[tokio::test]
async fn a_database_of_another_program() {
    let machine = Machine::new();
    fs::remove_file(database(&machine)).unwrap();
    let foreign = Connection::open(database(&machine)).unwrap();
    foreign.execute_batch("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('Blue')").unwrap();
    foreign.close().unwrap();
    refused(&machine, "storage_denied", "another").await;
}

#[tokio::test]
async fn a_file_in_the_place_of_the_directory() {
    let machine = Machine::untouched();
    let path = machine.file("data", "not a directory");
    let _ = machine.run(&["tasks"]).await.failure(7, "storage_denied");
    assert_eq!(fs::read_to_string(path).unwrap(), "not a directory");
}

#[cfg(unix)]
#[tokio::test]
async fn a_directory_that_everybody_may_write_into() {
    use std::os::unix::fs::PermissionsExt;

    let machine = Machine::new();
    fs::set_permissions(machine.data(), fs::Permissions::from_mode(0o777)).unwrap();
    let failure = machine.run(&["tasks"]).await.failure(7, "storage_denied");
    assert!(text(&failure, "message").contains("chmod o-w"), "how to mend it: {failure}");
    fs::set_permissions(machine.data(), fs::Permissions::from_mode(0o700)).unwrap();
    let _ = machine.run(&["tasks"]).await.ok();
}

#[cfg(unix)]
#[tokio::test]
async fn a_directory_of_somebody_else() {
    let machine = Machine::new();
    // To root somebody else's is what it gave away, to others what is root's.
    let theirs = match std::os::unix::fs::chown(machine.data(), Some(65_534), None) {
        Ok(()) => machine.data(),
        Err(_) => PathBuf::from("/usr"),
    };
    let failure =
        machine.run(&["tasks", "--home", theirs.to_str().unwrap()]).await.failure(7, "storage_denied");
    assert!(text(&failure, "message").contains("another user"), "{failure}");
}

#[tokio::test]
async fn an_owner_that_is_alive_and_does_not_answer_is_named() {
    let machine = Machine::new();
    // What holds the lock here is no Signalbox: nobody will ever open the socket.
    let lock = fs::File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(machine.data().join("owner.lock"))
        .unwrap();
    lock.lock().unwrap();
    let failure = machine.run(&["tasks"]).await.failure(7, "storage_in_use");
    assert!(text(&failure, "message").contains("does not answer"), "{failure}");
    drop(lock);
    let _ = machine.run(&["tasks"]).await.ok();
}

#[cfg(unix)]
#[tokio::test]
async fn one_that_is_moved_away_under_its_owner() {
    let machine = Machine::new();
    let _ = machine.add("before", "http://127.0.0.1:9/mcp").await;
    let owner = machine.serve().await;
    let (db, aside) = (machine.data().join("signalbox.db"), machine.path("aside.db"));
    std::fs::rename(&db, &aside).unwrap();
    let add = ["server", "add", "after", "--url", "http://127.0.0.1:9/mcp"];
    let failure = machine.run(&add).await.failure(7, "storage_gone");
    let message = failure["message"].as_str().unwrap();
    assert!(message.contains("signalbox.db was moved") && message.contains("put back"), "{message}");
    assert_eq!(failure["retry"], "after_fix", "{failure}");

    std::fs::rename(&aside, &db).unwrap();
    let _ = machine.run(&["server", "add", "again", "--url", "http://127.0.0.1:9/mcp"]).await.ok();
    let _ = owner.interrupt().await.exits(0);
    let listed = machine.run(&["server", "list"]).await.ok();
    let names: Vec<_> = listed["servers"].as_array().unwrap().iter().map(|server| &server["name"]).collect();
    assert_eq!(names, ["again", "before"], "what was refused is not there");
}
