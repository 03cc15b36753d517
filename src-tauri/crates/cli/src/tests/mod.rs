//! The commands against a desk that follows a script: no store, no servers, no terminal.

mod adding;
mod again;
mod answering;
mod calling;
mod cancelling;
mod demo;
mod desk;
mod doctor;
mod documents;
mod editing;
mod hostile;
mod importing;
mod keeping;
mod listing;
mod notifying;
mod own;
mod pages;
mod quitting;
mod resources;
mod reworded;
mod secretive;
mod several;
mod showing;
mod signing_in;
mod stopping;
mod together;
mod trusting;
mod typed;
mod views;
mod watching;

use std::cell::Cell;
use std::ffi::OsString;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use clap::Parser;
use serde_json::Value;
use signalbox_model::Timestamp;
use tokio::sync::mpsc;

use crate::args::{AtDesk, Cli, Command, Demo};
use crate::commands::{self, Context};
use crate::console::{Console, Place};
use crate::exit::{Exit, Failure};
use desk::Scripted;

/// A stream that can be read afterwards.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// One command at a scripted desk.
struct Trial {
    console: Console,
    out: Written,
    err: Written,
    typed: mpsc::Sender<String>,
    owner: AtomicBool,
    browser: signalbox_api::Browser,
}

impl Trial {
    fn new(json: bool, person: bool) -> Self {
        let (typed, lines) = mpsc::channel(64);
        Self::placed(json, Place { person, ..Place::default() }, typed, lines)
    }

    fn placed(json: bool, place: Place, typed: mpsc::Sender<String>, lines: mpsc::Receiver<String>) -> Self {
        let (out, err) = (Written::default(), Written::default());
        let (o, e) = (Box::new(out.clone()), Box::new(err.clone()));
        let console = Console::of_parts(json, place, o, e, lines, || "2026-07-28T10:00:10Z".parse().unwrap());
        Self { console, out, err, typed, owner: AtomicBool::new(false), browser: |_| Ok(()) }
    }

    /// Off a terminal, with text.
    fn text() -> Self {
        Self::new(false, false)
    }

    /// Off a terminal, with documents.
    fn json() -> Self {
        Self::new(true, false)
    }

    /// At a terminal where a person types these lines.
    fn person(lines: &[&str]) -> Self {
        let trial = Self::new(false, true);
        for line in lines {
            trial.typed.try_send((*line).to_owned()).unwrap();
        }
        trial
    }

    /// The same where all that is printed shows on that terminal.
    fn terminal(json: bool, typed_lines: &[&str]) -> Self {
        let (typed, lines) = mpsc::channel(64);
        let place = Place { person: true, terminal: true, ..Place::default() };
        for line in typed_lines {
            typed.try_send((*line).to_owned()).unwrap();
        }
        Self::placed(json, place, typed, lines)
    }

    fn owner(self) -> Self {
        self.owner.store(true, Ordering::Relaxed);
        self
    }

    async fn run(&self, desk: &Scripted, line: &[&str]) -> Result<Exit, Failure> {
        let cli = Cli::try_parse_from(std::iter::once("signalbox").chain(line.iter().copied())).unwrap();
        let command = match cli.command {
            Command::AtDesk(command) => command,
            Command::Demo(Demo::Act(act)) => AtDesk::Demo(act),
            _ => panic!("{line:?} needs no desk"),
        };
        commands::run(&self.context(desk), command).await
    }

    fn context<'a>(&'a self, desk: &'a Scripted) -> Context<'a> {
        let (owner, console) = (&self.owner, &self.console);
        Context {
            desk,
            owner,
            console,
            passphrase: None,
            browser: self.browser,
            waiting_for: Cell::new(None),
            deadline: None,
            asked: None,
        }
    }

    fn document(&self) -> Value {
        serde_json::from_str(&self.out.text())
            .unwrap_or_else(|e| panic!("one document, but {e}: {}", self.out.text()))
    }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn args(line: &[&str]) -> Vec<OsString> {
    std::iter::once("signalbox").chain(line.iter().copied()).map(OsString::from).collect()
}
