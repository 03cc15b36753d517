//! The logs of a whole program: there is one per process, so this test has one of its own.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::{fs, thread};

use signalbox_api::{Code, Home, logging::Logs};

#[test]
fn a_panic_is_written_down_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path()).unwrap();
    let _logs = Logs::init(&home, "error").unwrap();
    assert_eq!(Logs::init(&home, "error").unwrap_err().code, Code::Internal, "once per program");

    thread::spawn(|| assert_eq!(1, 2, "the boiler burst")).join().unwrap_err();

    let text: String = fs::read_dir(home.logs())
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert!(text.contains("the boiler burst"), "{text}");
    assert!(text.contains("tests/logging.rs:"), "the place must be there: {text}");
    assert!(text.contains("signalbox::panic"), "{text}");
}
