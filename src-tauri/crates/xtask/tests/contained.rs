//! `xtask contained`: tests that leave a process behind fail, and the process ends.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

fn contained(script: &str) -> (Option<i32>, String, String) {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = xtask.args(["contained", "--", "sh", "-c", script]).output().expect("it starts");
    let Output { status, stdout, stderr } = output;
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn tests_that_leave_nothing_end_as_they_do() {
    assert_eq!(contained("exit 0"), (Some(0), String::new(), String::new()));
    assert_eq!(contained("exit 3").0, Some(3));
    let (code, _, said) = contained("kill -9 $$");
    assert_eq!((code, said.as_str()), (Some(1), ""), "one that a signal ended has failed");
}

#[test]
fn an_orphan_that_is_about_to_end_is_waited_for() {
    let (code, _, said) = contained("(sleep 0.3; exit 7) > /dev/null 2>&1 & exit 0");
    assert_eq!((code, said.as_str()), (Some(0), ""), "and how it ends is nobody's affair");
}

#[test]
fn an_orphan_that_stays_is_a_failure_and_ended_with_all_that_it_started() {
    // As a test ends that is killed: what it started is in a session of its own, heeds nothing, and has a child.
    let stays = "trap '' TERM HUP INT; sleep 1000 & echo $$ $!; wait; sleep 1001";
    let script = "setsid sh -c \"$1\" 2> /dev/null & sleep 0.5; exit 0";
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let line = ["contained", "--", "sh", "-c", script, "sh", stays];
    let output = xtask.args(line).output().expect("it starts");
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "although the tests passed: {said}");
    assert!(
        said.contains("left behind by the tests") && said.contains("sleep 1000"),
        "each is named: {said}"
    );
    let printed = String::from_utf8(output.stdout).expect("text");
    let pids: Vec<&str> = printed.split_whitespace().collect();
    assert_eq!(pids.len(), 2, "{printed}");
    for pid in pids {
        assert!(said.contains(pid), "{pid} is named: {said}");
        assert!(!std::path::Path::new("/proc").join(pid).exists(), "{pid} is gone");
    }
}
