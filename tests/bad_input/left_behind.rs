//! Programs that an owner left which was killed: the next one ends these, and nobody else.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use signalbox_tests::{Machine, Running};
use tokio::process::{Child, Command};

use crate::offspring::{BOUND, Script};

/// Works, and goes on when its input is closed and when it is asked to end; so does what it starts. (Should a test fail, both
/// end with its machine.)
const STUBBORN: &str =
    r#"trap '' TERM HUP INT; sleep 100 & "$0" demo stdio --speed instant; sleep 100; sleep 100"#;

/// A machine whose owner was killed while such a program ran.
async fn orphaned() -> (Machine, Script) {
    let machine = Machine::new();
    let script = Script::on(&machine, STUBBORN);
    let _ = machine.run(&[&["server", "add", "odd"], script.reach().as_slice()].concat()).await.ok();
    let owner = machine.serve().await;
    let _ = machine.run(&["server", "check", "odd"]).await.ok();
    assert_eq!(notes(&machine).len(), 1, "what runs is noted");
    owner.kill().await;
    (machine, script)
}

fn folder(machine: &Machine) -> PathBuf {
    machine.data().join("programs")
}

/// What is noted as running, by name.
fn notes(machine: &Machine) -> Vec<String> {
    let entries = fs::read_dir(folder(machine)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn log(machine: &Machine) -> String {
    let files = fs::read_dir(machine.data().join("logs")).unwrap();
    files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// Someone else's program, with the name of the note that it would have.
fn stranger() -> (Child, String) {
    let child = Command::new("sleep").arg("100").kill_on_drop(true).process_group(0).spawn().unwrap();
    let pid = child.id().unwrap();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let started = stat.rsplit(')').next().unwrap().split_whitespace().nth(19).unwrap().to_owned();
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    (child, format!("{pid}.{started}.{}", boot.trim()))
}

fn note(machine: &Machine, name: &str) {
    fs::write(folder(machine).join(name), "").unwrap();
}

async fn closed(owner: Running) {
    let _ = owner.interrupt().await.exits(0);
}

#[tokio::test]
async fn the_next_owner_ends_them_with_all_that_they_started() {
    let (machine, script) = orphaned().await;
    let owner = machine.serve().await;
    assert_eq!(notes(&machine).len(), 1, "nobody waits for it: it has not heeded the wish to end yet");
    script.gone().await;
    closed(owner).await;
    assert_eq!(notes(&machine), [""; 0], "and nothing is left to be ended");
    assert!(
        log(&machine).contains("ended a program that an owner left which was killed"),
        "{}",
        log(&machine)
    );
}

/// A test that fails drops its machine in the middle, whatever runs there.
#[tokio::test]
async fn a_machine_that_is_given_up_ends_them_and_its_owner() {
    let machine = Machine::new();
    let script = Script::on(&machine, STUBBORN);
    let _ = machine.run(&[&["server", "add", "odd"], script.reach().as_slice()].concat()).await.ok();
    let owner = machine.serve().await;
    let _ = machine.run(&["server", "check", "odd"]).await.ok();
    let program = notes(&machine)[0].split('.').next().unwrap().parse().unwrap();
    let alive = |pid: i32| fs::read(format!("/proc/{pid}/environ")).is_ok_and(|text| !text.is_empty());
    let group = family(program);
    assert!(group.len() > 1 && group.iter().all(|pid| alive(*pid)), "with what it has started: {group:?}");
    let serve = i32::try_from(owner.pid()).unwrap();
    drop(machine);
    let left: Vec<i32> = group.into_iter().chain([serve]).filter(|pid| alive(*pid)).collect();
    assert_eq!(left, [0; 0], "nothing of it is left");
}

/// Every process of the group that this one leads.
fn family(leader: i32) -> Vec<i32> {
    let stats = fs::read_dir("/proc").unwrap().flatten();
    let stats = stats.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let of_group = |stat: String| {
        let (head, tail) = stat.rsplit_once(") ")?;
        let group: i32 = tail.split_whitespace().nth(2)?.parse().ok()?;
        (group == leader).then(|| head.split_whitespace().next()?.parse().ok()).flatten()
    };
    stats.filter_map(of_group).collect()
}

#[tokio::test]
async fn a_command_that_is_soon_done_ends_them_too() {
    let (machine, script) = orphaned().await;
    let asked = Instant::now();
    let _ = machine.run(&["server", "list"]).await.ok();
    assert!(asked.elapsed() < BOUND, "{:?}", asked.elapsed());
    script.gone().await;
    assert_eq!(notes(&machine), [""; 0]);
}

#[tokio::test]
async fn whoever_has_the_number_of_one_now_is_left_alone() {
    let machine = Machine::new();
    closed(machine.serve().await).await;
    let (mut other_start, name) = stranger();
    let (pid, rest) = name.split_once('.').unwrap();
    note(&machine, &format!("{pid}.1{rest}"));
    let (mut other_boot, name) = stranger();
    let (known, boot) = name.rsplit_once('.').unwrap();
    note(&machine, &format!("{known}.{}", boot.chars().rev().collect::<String>()));
    let (mut in_words, _) = stranger();
    note(&machine, &format!("{}.x.y", in_words.id().unwrap()));
    // The same by its true name is ended, so that the three would have been found.
    let (mut noted, name) = stranger();
    note(&machine, &name);

    closed(machine.serve().await).await;
    for stranger in [&mut other_start, &mut other_boot, &mut in_words] {
        assert_eq!(stranger.try_wait().unwrap(), None, "it is nobody's program");
    }
    assert!(!noted.wait().await.unwrap().success());
    assert_eq!(notes(&machine).len(), 1, "what is no note stays: {:?}", notes(&machine));
}

#[tokio::test]
async fn notes_are_made_through_no_link() {
    let machine = Machine::new();
    let elsewhere = machine.path("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let (mut noted, name) = stranger();
    fs::write(elsewhere.join(name), "").unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder(&machine)).unwrap();
    closed(machine.serve().await).await;
    assert_eq!(noted.try_wait().unwrap(), None, "who made this link decides nothing");
    assert!(is_link(&folder(&machine)));
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}
