//! What the session starts at a login is what the file says, read as a desktop reads it: by the Desktop Entry Specification.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::Signal;
use signalbox_tests::{Machine, signalbox, soon};
use tokio::process::Child;

use super::owner::Owner;
use crate::app::App;
use crate::desktop::Desktop;
use crate::spot::Spot;

/// Where somebody may have put Signalbox: all that such a file has a meaning of its own for.
const FOLDER: &str = r#"My "Tools" 50% %f $HOME `id` \ \\n ~;&|<>*?#()'é'"#;
/// Where they may have their data.
const DATA: &str = r#"data = "100%" \$1"#;
/// The arguments of what the session starts.
const SERVE: [&str; 3] = ["serve", "--tray", "--unless-owned"];

#[tokio::test]
async fn what_the_session_starts_is_one_owner_that_never_knows_of_a_web_view() {
    let desktop = Desktop::with_tray().await;
    let machine = &desktop.machine;
    let (programs, home) = (installed(machine), machine.path(DATA));
    let mut turn_on = machine.command(&programs.join("signalbox"));
    turn_on.args(["--json", "--home"]).arg(&home).args(["autostart", "on"]);
    let file = machine.finish(turn_on, "").await.ok()["file"].as_str().unwrap().to_owned();
    let line = started_by(&fs::read_to_string(file).unwrap());
    let serve = programs.join("signalbox");
    let started = ["env", serve.to_str().unwrap(), "--home", home.to_str().unwrap()];
    assert_eq!(line, [started.as_slice(), &SERVE].concat());

    // Without a display there could not even be a window.
    for has_display in [true, false] {
        let serve = login(machine, &line, has_display);
        let first = Owner::comes(&home, serve.id()).await;
        first.knows_of_no_window();
        ends_well(login(machine, &line, has_display)).await;
        assert_eq!(Owner::at(&home), first, "there is one already");
        one_serve(machine);
        first.signal(Signal::TERM);
        ends_well(serve).await;
    }

    let app = App::start(&desktop, &["--home", home.to_str().unwrap()]).await;
    assert_ne!(web_processes(machine), [""; 0], "so a web view is seen where there is one");
    app.terminate().await;
}

/// The systemd unit runs `serve` without an icon. Where both are on, the session starts nothing beside it.
#[tokio::test]
async fn beside_the_unit_there_is_one_owner_all_the_same() {
    let desktop = Desktop::with_tray().await;
    let machine = &desktop.machine;
    let unit = machine.serve().await;
    let first = Owner::at(&machine.data());
    let (command, window) = (signalbox(), signalbox().with_file_name("signalbox-desktop"));
    let home = machine.data();
    for (program, hidden) in [(command, SERVE.as_slice()), (window, &["--hidden"])] {
        let line = [&[program.to_str().unwrap(), "--home", home.to_str().unwrap()], hidden].concat();
        ends_well(login(machine, &line.iter().map(ToString::to_string).collect::<Vec<_>>(), true)).await;
        assert_eq!(Owner::at(&home), first, "it is owned already");
        one_serve(machine);
    }
    let _ = unit.terminate().await.exits(0);
}

#[tokio::test]
async fn a_person_switches_it_on_and_off_in_the_window() {
    let desktop = Desktop::start().await;
    let file = desktop.machine.path("config").join("autostart").join("signalbox.desktop");
    let app = desktop.open().await;
    app.go("Settings").await;
    let switch = Spot("//label[normalize-space(.)='Start Signalbox when I log in']/input".into());
    let stands = async |on: bool| {
        app.until(&format!("a switch that is on: {on}"), async || {
            let now = app.hear(&switch).await.is_selected().await.ok()?;
            (now == on && file.exists() == on).then_some(())
        })
        .await;
    };
    stands(false).await;
    app.press(&switch).await;
    stands(true).await;
    let home = fs::canonicalize(desktop.machine.data()).unwrap();
    let words = started_by(&fs::read_to_string(&file).unwrap());
    assert_eq!(words[1..], [["--home", home.to_str().unwrap()].as_slice(), &SERVE].concat());
    assert!(words[0].ends_with("/signalbox"), "{words:?}");

    // What another program says meanwhile is shown, and overruled by the person alone.
    fs::write(&file, "[Desktop Entry]\nType=Application\nExec=/opt/other --hidden\n").unwrap();
    app.go("Tasks").await;
    app.go("Settings").await;
    app.read("something else starts in its place: /opt/other --hidden").await;
    app.press(&switch).await;
    stands(true).await;
    assert_eq!(started_by(&fs::read_to_string(&file).unwrap()), words);
    app.press(&switch).await;
    stands(false).await;
    app.terminate().await;
}

/// Both programs in a folder of that name. A link to them would be followed to where they are.
fn installed(machine: &Machine) -> PathBuf {
    let folder = machine.path(FOLDER);
    fs::create_dir(&folder).unwrap();
    for name in ["signalbox", "signalbox-desktop"] {
        let (from, to) = (signalbox().with_file_name(name), folder.join(name));
        fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop)).unwrap();
    }
    folder
}

/// Starts this as the session does, which knows of no data directory.
fn login(machine: &Machine, line: &[String], has_display: bool) -> Child {
    let mut command = machine.command(Path::new(&line[0]));
    command.args(&line[1..]).env_remove("SIGNALBOX_HOME").stdin(Stdio::null());
    if !has_display {
        command.env_remove("DISPLAY");
    }
    command.spawn().unwrap()
}

/// Waits until it has ended.
async fn ends_well(mut started: Child) {
    let ended = soon("the end of what the session started", started.wait()).await.unwrap();
    assert!(ended.success(), "{ended}");
}

fn one_serve(machine: &Machine) {
    let serves = running(machine, |_, line| line.contains("\0serve\0"));
    assert_eq!(serves.len(), 1, "one data directory, one owner: {serves:?}");
    assert_eq!(web_processes(machine), [""; 0], "nobody wants a window");
}

/// The processes of a web view.
fn web_processes(machine: &Machine) -> Vec<String> {
    running(machine, |name, _| name.starts_with("WebKit"))
}

/// What runs on this machine and is like this, by its name and its command line.
fn running(machine: &Machine, is_it: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let home = format!("HOME={}", machine.path("home").display());
    let read = |process: &Path, file: &str| {
        String::from_utf8_lossy(&fs::read(process.join(file)).unwrap_or_default()).into_owned()
    };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let ours = processes.filter(|process| read(process, "environ").split('\0').any(|pair| pair == home));
    ours.map(|process| (read(&process, "comm"), read(&process, "cmdline")))
        .filter(|(name, line)| is_it(name.trim(), line))
        .map(|(name, line)| format!("{}: {line:?}", name.trim()))
        .collect()
}

/// The words of the command line that a desktop starts for this file.
fn started_by(file: &str) -> Vec<String> {
    let mut lines = file.lines();
    assert_eq!(lines.next(), Some("[Desktop Entry]"));
    let exec = lines.find_map(|line| line.strip_prefix("Exec=")).expect("it starts something");
    let words = words(&value(exec));
    words.iter().map(|word| without_field_codes(word)).collect()
}

/// A value of type string: what its escapes stand for.
fn value(text: &str) -> String {
    let mut letters = text.chars();
    let mut value = String::new();
    while let Some(letter) = letters.next() {
        value.push(match (letter, letter == '\\') {
            (letter, false) => letter,
            _ => match letters.next() {
                Some('s') => ' ',
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('\\') => '\\',
                other => panic!("no file may have \\{other:?}: {text}"),
            },
        });
    }
    value
}

/// The words of an `Exec`: separated by blanks, and quoted as a whole where a reserved character is in them.
fn words(exec: &str) -> Vec<String> {
    const RESERVED: &str = " \t\n\"'\\><~|&;$*?#()`";
    let mut words = Vec::new();
    let mut rest = exec;
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => unquoted(quoted),
            None => {
                let (word, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
                assert!(!word.contains(|letter| RESERVED.contains(letter)), "{word} has to be quoted");
                (word.to_owned(), after)
            }
        };
        words.push(word);
        assert!(after.is_empty() || after.starts_with(' '), "a word is quoted as a whole: {exec}");
        rest = after.trim_start_matches(' ');
    }
    words
}

/// A word that begins after a quote, and what comes after it.
fn unquoted(quoted: &str) -> (String, &str) {
    let mut word = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (word, &quoted[at + 1..]),
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '`' | '$' | '\\'))) => word.push(escaped),
                other => panic!("{other:?} is not escaped: {quoted}"),
            },
            '`' | '$' => panic!("{letter} has to be escaped: {quoted}"),
            _ => word.push(letter),
        }
    }
    panic!("the quotes do not end: {quoted}")
}

/// The line hands over nothing, so that a percent sign is never more than that.
fn without_field_codes(word: &str) -> String {
    let parts: Vec<&str> = word.split("%%").collect();
    assert!(parts.iter().all(|part| !part.contains('%')), "a field code: {word}");
    parts.join("%")
}
