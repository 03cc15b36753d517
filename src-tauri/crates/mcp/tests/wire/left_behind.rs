//! Programs that an owner left which was killed.

use std::{
    fs,
    process::Stdio,
    time::{Duration, Instant},
};

use signalbox_mcp::LeftBehind;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader},
    process::{Child, ChildStdout, Command},
};

const GRACE: Duration = Duration::from_millis(300);

/// A shell that leads a group, once it has said that it runs; and its output, which whatever it starts holds, too.
async fn program(script: &str) -> (Child, BufReader<ChildStdout>) {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("echo; {script}")]).stdout(Stdio::piped());
    let mut child = command.process_group(0).kill_on_drop(true).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut String::new()).await.unwrap();
    (child, output)
}

/// The note that an owner made of it.
fn note(program: &Child) -> String {
    let pid = program.id().unwrap();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let started = stat.rsplit(')').next().unwrap().split_whitespace().nth(19).unwrap();
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    format!("{pid}.{started}.{}", boot.trim())
}

#[tokio::test]
async fn one_that_goes_on_and_on_is_ended_with_all_that_it_starts() {
    // It hears nothing, and starts others all the while that it is being ended.
    let script = "trap '' TERM; for n in $(seq 200); do sleep 100 & sleep 0.01; done; sleep 100";
    let (mut child, mut output) = program(script).await;
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(note(&child)), "").unwrap();
    fs::write(dir.path().join("no note"), "").unwrap();
    let left = LeftBehind::noted_in(dir.path()).unwrap();
    assert!(!left.is_empty());
    let begun = Instant::now();
    left.end(GRACE).await;
    assert!(begun.elapsed() < 3 * GRACE, "{:?}", begun.elapsed());
    output.read_to_end(&mut Vec::new()).await.unwrap();
    assert!(!child.wait().await.unwrap().success(), "by force");
    let names: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["no note"], "its note goes");
}

#[tokio::test]
async fn one_that_heeds_the_wish_is_not_forced() {
    let (mut child, _output) = program("trap 'exit 7' TERM; while :; do sleep 0.01; done").await;
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(note(&child)), "").unwrap();
    LeftBehind::noted_in(dir.path()).unwrap().end(Duration::from_secs(30)).await;
    assert_eq!(child.wait().await.unwrap().code(), Some(7));
}
