//! No room, or no right to write: a clear message, and nothing of what was there is lost.

use serde_json::Value;
use signalbox_demo::Fault;
use signalbox_tests::{DemoServer, Done, Machine, each, signalbox, text};
use tokio::process::Command;

/// A shell with a file system of its own at the data directory: not seen outside, gone with it. None where the system
/// lets nobody have one.
async fn with_own_disk(machine: &Machine, options: &str, script: &str) -> Option<Done> {
    let unshare = |line: &str| {
        let mut command: Command = machine.command("unshare".as_ref());
        command.args(["--mount", "--map-root-user", "sh", "-euc", line, "sh"]);
        command.arg(signalbox()).arg(machine.data());
        command
    };
    std::fs::create_dir_all(machine.data()).unwrap();
    let mount = format!("mount -t tmpfs -o mode=700,{options} tmpfs \"$2\"");
    if machine.finish(unshare(&mount), "").await.code != Some(0) {
        return None;
    }
    Some(machine.finish(unshare(&format!("{mount}\n{script}")), "").await)
}

#[tokio::test]
async fn a_disk_that_fills_up_under_the_owner() {
    let (demo, machine) = (DemoServer::start().await, Machine::untouched());
    let big = machine.file("big.json", &format!(r#"{{"text":"{}"}}"#, "x".repeat(600_000)));
    let script = format!(
        r#"
        run() {{ code=0; "$program" --json "$@" || code=$?; echo "code $code" >&2; }}
        program=$1 data=$2
        mkfifo "$HOME/ready"
        "$program" --json serve > "$HOME/ready" 2> /dev/null & owner=$!
        read -r ready < "$HOME/ready"
        run server add demo --url {url}
        run call demo echo --args '{{"text":"before"}}'
        dd if=/dev/zero of="$data/filler" bs=4096 2> /dev/null || true
        run call demo echo --args @{big}
        rm "$data/filler"
        run call demo echo --args '{{"text":"after"}}'
        kill "$owner"; wait "$owner"
        run tasks
        "#,
        url = demo.url()
    );
    let Some(done) = with_own_disk(&machine, "size=2m", &script).await else { return };
    let codes: Vec<&str> = done.stderr.lines().filter_map(|line| line.strip_prefix("code ")).collect();
    assert_eq!(codes, ["0", "0", "7", "0", "0"], "only while there was no room it failed: {done}");
    let documents = done.documents();
    assert_eq!(documents[2]["failure"]["code"], "storage_full", "{}", documents[2]);
    assert!(text(&documents[2]["failure"], "message").contains("the disk is full"));
    let kept: Vec<&Value> =
        documents[4]["tasks"].as_array().unwrap().iter().map(|task| &task["arguments"]["text"]).collect();
    assert_eq!(kept, ["after", "before"], "nothing that was kept is lost");
    assert_eq!(demo.journal().requests("tools/call").len(), 2, "what could not be kept was not sent");
}

#[tokio::test]
async fn who_looks_while_the_disk_is_full_under_the_owner_comes_to_an_end() {
    let (demo, machine) = (DemoServer::start().await, Machine::untouched());
    // More than there is room for: it waits for room, and all that servers say waits behind it.
    demo.faults().next(usize::MAX, "tools/list", Fault::Huge(600_000));
    let script = format!(
        r#"
        run() {{ code=0; "$program" --json --timeout 25 "$@" || code=$?; echo "code $code" >&2; }}
        program=$1 data=$2
        mkfifo "$HOME/ready"
        "$program" --json serve > "$HOME/ready" 2> /dev/null & owner=$!
        read -r ready < "$HOME/ready"
        run server add demo --url {url}
        dd if=/dev/zero of="$data/filler" bs=4096 2> /dev/null || true
        run tools demo
        run server check demo
        run doctor
        kill "$owner"; wait "$owner"
        "#,
        url = demo.url()
    );
    let Some(done) = with_own_disk(&machine, "size=2m", &script).await else { return };
    let codes: Vec<&str> = done.stderr.lines().filter_map(|line| line.strip_prefix("code ")).collect();
    assert_eq!(codes, ["0", "0", "7", "1"], "a list of tools needs no room: {done}");
    let documents = done.documents();
    assert_eq!(documents[2]["failure"]["code"], "storage_full", "{}", documents[2]);
    let checks = documents[3]["checks"].as_array().unwrap();
    let state = |name| &checks.iter().find(|check| check["name"] == name).expect(name)["state"];
    assert_eq!(state("storage_full"), "problem", "{}", documents[3]);
    assert_eq!(state("store"), "ok", "what can be looked at is: {}", documents[3]);
    assert_eq!(state("server:demo"), "problem", "{}", documents[3]);
}

#[tokio::test]
async fn a_disk_that_is_full_from_the_beginning() {
    let machine = Machine::untouched();
    let script = r#"
        program=$1 data=$2
        dd if=/dev/zero of="$data/filler" bs=4096 2> /dev/null || true
        code=0; "$program" --json tasks || code=$?; echo "code $code" >&2
        rm "$data/filler"
        "$program" --json tasks
        "#;
    let Some(done) = with_own_disk(&machine, "size=256k", script).await else { return };
    assert!(done.stderr.contains("code 7"), "{done}");
    let documents = done.documents();
    assert_eq!(documents[0]["failure"]["code"], "storage_full", "{done}");
    assert_eq!(each(&documents[1]["tasks"], "id"), [""; 0], "with room it works");
}

#[tokio::test]
async fn what_is_kept_on_a_full_disk_can_be_taken_elsewhere() {
    let (demo, machine) = (DemoServer::start().await, Machine::untouched());
    let script = format!(
        r#"
        run() {{ code=0; "$program" --json "$@" || code=$?; echo "code $code" >&2; }}
        program=$1 data=$2
        run server add demo --url {url}
        run call demo echo --args '{{"text":"before"}}'
        dd if=/dev/zero of="$data/filler" bs=4096 2> /dev/null || true
        run tasks
        run verify
        run backup "$HOME/copy.db"
        run export --what tasks --out "$HOME/tasks.jsonl"
        "#,
        url = demo.url()
    );
    let Some(done) = with_own_disk(&machine, "size=2m", &script).await else { return };
    let codes: Vec<&str> = done.stderr.lines().filter_map(|line| line.strip_prefix("code ")).collect();
    assert_eq!(codes, ["0", "0", "7", "0", "0", "0"], "following needs room, reading does not: {done}");
    assert!(machine.path("home/copy.db").metadata().unwrap().len() > 0, "{done}");
}

#[tokio::test]
async fn a_disk_that_cannot_be_written() {
    let machine = Machine::untouched();
    let script = r#""$1" --json tasks"#;
    let Some(done) = with_own_disk(&machine, "ro", script).await else { return };
    let _ = done.failure(7, "storage_denied");
}

#[tokio::test]
async fn a_file_that_must_not_grow() {
    let (demo, machine) = (DemoServer::start().await, Machine::new());
    machine.add("demo", &demo.url()).await;
    let kept = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"before"}"#]).await.ok();
    let big = machine.file("big.json", &format!(r#"{{"text":"{}"}}"#, "x".repeat(2_000_000)));
    // Files of at most 512 KiB. The signal that comes with the limit ends who does not expect it.
    let mut limited = machine.command("sh".as_ref());
    limited.args(["-c", "ulimit -f 1024; exec \"$@\"", "sh"]).arg(signalbox());
    limited.args(["--json", "call", "demo", "echo", "--args", &format!("@{big}")]);
    let failure = machine.finish(limited, "").await.failure(7, "storage_full");
    assert!(text(&failure, "message").contains("ulimit -f"), "what to look at: {failure}");
    assert_eq!(demo.journal().requests("tools/call").len(), 1, "what could not be kept was not sent");
    let tasks = machine.run(&["tasks"]).await.ok();
    assert_eq!(each(&tasks["tasks"], "id"), [text(&kept, "id")], "and what was there is there");
}

/// Here the log of the database itself reaches the limit, page by page.
#[tokio::test]
async fn an_owner_under_a_limit_on_file_sizes_goes_on() {
    let machine = Machine::untouched();
    let script = r#"
        program=$1 much=$2
        run() { code=0; "$program" --json "$@" || code=$?; echo "code $code" >&2; }
        mkfifo "$HOME/ready"
        (ulimit -S -f 1024; exec "$program" --json serve > "$HOME/ready" 2> /dev/null) & owner=$!
        read -r ready < "$HOME/ready"
        for n in 1 2 3 4 5 6 7 8; do run --timeout 10 server add "much-$n" -- true "$much"; done
        code=0; kill "$owner"; wait "$owner" || code=$?; echo "owner $code" >&2
        run server list
        "#;
    let mut shell = machine.command("sh".as_ref());
    shell.args(["-euc", script, "sh"]).arg(signalbox()).arg("x".repeat(100_000));
    let done = machine.finish(shell, "").await;
    let owner = done.stderr.lines().find_map(|line| line.strip_prefix("owner "));
    assert_eq!(owner, Some("0"), "no signal has ended it: {done}");
    let documents = done.documents();
    let (added, listed) = documents.split_at(8);
    let refused: Vec<&Value> = added.iter().filter(|document| document["failure"].is_object()).collect();
    assert!(!refused.is_empty(), "the limit was reached");
    for document in &refused {
        assert_eq!(document["failure"]["code"], "storage_full", "{document}");
    }
    assert_eq!(each(&listed[0]["servers"], "id").len(), 8 - refused.len(), "what was kept is there");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_servers_program_meets_the_limit_as_anywhere_else() {
    let machine = Machine::new();
    let said = machine.path("said");
    let script = format!("grep SigIgn /proc/self/status > {}; exec \"$0\" demo stdio", said.display());
    let program = signalbox();
    let line = ["server", "add", "demo", "--", "sh", "-c", &script, program.to_str().unwrap()];
    let _ = machine.run(&line).await.ok();
    let _ = machine.run(&["tools", "demo"]).await.ok();
    let ignored = std::fs::read_to_string(said).unwrap();
    let ignored = u64::from_str_radix(ignored.trim().rsplit('\t').next().unwrap(), 16).unwrap();
    let limit = rustix::process::Signal::XFSZ.as_raw();
    assert_eq!(ignored >> (limit - 1) & 1, 0, "ignored signals: {ignored:x}");
}
