//! What `doctor` finds: told as it is found, and at the end what nobody came to.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use signalbox_api::doctor::{Check, CheckState};
use tokio::time::Instant;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::text::{self, Hue, advice, sanitise};

/// The document of `doctor`: `{"checks":[{"name","state","message","advice"}]}`
#[derive(Serialize)]
struct Document {
    checks: Vec<Check>,
}

/// What is to be looked at, by name, and what was found.
pub(crate) struct Findings<'a> {
    console: &'a Console,
    all: RefCell<Vec<(String, Option<Check>)>>,
    /// The servers that were asked, and since when.
    asked: RefCell<BTreeMap<String, Instant>>,
}

impl<'a> Findings<'a> {
    pub(crate) fn on(console: &'a Console) -> Self {
        Self { console, all: RefCell::default(), asked: RefCell::default() }
    }

    /// These are to be looked at. The document has them in this order.
    pub(super) fn expect(&self, names: impl IntoIterator<Item = impl Into<String>>) {
        self.all.borrow_mut().extend(names.into_iter().map(|name| (name.into(), None)));
    }

    /// This one is asked now.
    pub(super) fn begin(&self, name: String) {
        self.asked.borrow_mut().insert(name, Instant::now());
    }

    /// These are not to be looked at any more: what was found instead says why.
    pub(super) fn forgo(&self, names: &[&str]) {
        self.all.borrow_mut().retain(|(name, check)| check.is_some() || !names.contains(&name.as_str()));
    }

    /// People read it at once.
    pub(super) fn found(&self, check: Check) -> Result<(), Failure> {
        if !self.console.json {
            self.print(&check)?;
        }
        let mut all = self.all.borrow_mut();
        match all.iter_mut().find(|(name, known)| *name == check.name && known.is_none()) {
            Some((_, expected)) => *expected = Some(check),
            None => all.push((check.name.clone(), Some(check))),
        }
        Ok(())
    }

    /// The end, when all was looked at or `early`.
    pub(crate) fn end(self, early: Option<Exit>) -> Result<Exit, Failure> {
        let mut checks = Vec::new();
        for (name, check) in self.all.take() {
            checks.push(match check {
                Some(check) => check,
                None => {
                    let waited = self.asked.borrow().get(&name).map(Instant::elapsed);
                    let missed = missed(name, waited, early);
                    if !self.console.json {
                        self.print(&missed)?;
                    }
                    missed
                }
            });
        }
        let is_sick = checks.iter().any(|check| check.state == CheckState::Problem);
        if self.console.json {
            self.console.document(&Document { checks })?;
        }
        if early == Some(Exit::TimedOut) {
            self.console.say("the time was up before everything was checked");
        }
        Ok(early.unwrap_or(if is_sick { Exit::Failed } else { Exit::Done }))
    }

    fn print(&self, check: &Check) -> std::io::Result<()> {
        let hue = match check.state {
            CheckState::Ok => Hue::Green,
            CheckState::Warning => Hue::Amber,
            CheckState::Problem => Hue::Red,
        };
        let (word, name) = (text::words(&check.state), sanitise::line(&check.name));
        self.console.text(&format!(
            "{}  {name}: {}\n",
            self.console.paint().on(hue, &format!("{word:<7}")),
            sanitise::line(&check.message)
        ))?;
        match &check.advice {
            Some(advice) => self.console.text(&format!("         {}\n", sanitise::line(advice))),
            None => Ok(()),
        }
    }
}

/// What nobody came to, or what has not answered yet.
fn missed(name: String, waited: Option<Duration>, early: Option<Exit>) -> Check {
    match (early, waited) {
        (Some(Exit::TimedOut), Some(waited)) => {
            let message = format!("it did not answer within {}", text::time::within(waited));
            Check::warning(name, message, advice::MORE_TIME)
        }
        (Some(Exit::TimedOut), None) => {
            Check::warning(name, "not checked in time", "Give a longer --timeout, or none")
        }
        _ => Check::warning(name, "not checked", advice::LOOK_AGAIN),
    }
}
