//! Leniency: a table of odd things that servers do (`table`), each done by a scripted server (`stage`) to a client that
//! asks (`asks`), over both transports and on both wires. What must hold of it is what a person is told (`facts`), that
//! all JSON behind it was kept byte for byte, that nothing hangs, and that the next message is read as ever.

#![cfg(unix)]
#![expect(clippy::panic, reason = "helpers of tests fail as tests do")]

mod asks;
mod facts;
mod row;
mod stage;
mod table;

use std::{
    collections::{HashMap, hash_map::Entry},
    time::Duration,
};

use signalbox_demo::{Carrier, DemoWire, Oddity};

use crate::{
    asks::{Ask, PLACES, found},
    facts::Seen,
    row::{Deed, Row},
    stage::{Place, Stage, soon},
    table::rows,
};

const PATIENT: Duration = Duration::from_secs(30);
/// For an answer that never comes; everything else of the case has to fit in, too.
const BRIEF: Duration = Duration::from_secs(2);

#[test]
fn the_table_is_complete() {
    let rows = rows();
    let mut names: Vec<&str> = rows.iter().map(|row| row.name).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None, "every case has a name of its own");
    for oddity in Oddity::all() {
        let row = rows.iter().find(|row| row.oddities().contains(&oddity.name));
        let row = row.unwrap_or_else(|| panic!("{} has no row", oddity.name));
        for (carrier, wire) in PLACES.into_iter().filter(|(carrier, wire)| !oddity.happens(*wire, *carrier)) {
            let of_another = row.oddities().len() > 1;
            let said = row.senseless((carrier, wire)).is_some();
            assert!(said || of_another, "{} does not happen {carrier:?}, {wire:?}: say why", row.name);
        }
    }
    for place in PLACES {
        let count = rows.iter().filter(|row| row.senseless(place).is_none()).count();
        assert!(count >= 60, "{count} cases for {place:?}");
    }
}

#[tokio::test]
async fn over_stdio_on_the_modern_wire() {
    run((Carrier::Stdio, DemoWire::Modern), |row| !row.is_large()).await;
}

#[tokio::test]
async fn over_http_on_the_modern_wire() {
    run((Carrier::Http, DemoWire::Modern), |row| !row.is_large()).await;
}

#[tokio::test]
async fn over_stdio_on_the_legacy_wire() {
    run((Carrier::Stdio, DemoWire::Legacy), |row| !row.is_large()).await;
}

#[tokio::test]
async fn over_http_on_the_legacy_wire() {
    run((Carrier::Http, DemoWire::Legacy), |row| !row.is_large()).await;
}

#[tokio::test]
async fn of_twenty_megabytes() {
    for place in PLACES {
        run(place, Row::is_large).await;
    }
}

/// Every such case that makes sense there; all that do not hold are told at once.
async fn run(place: Place, such: impl Fn(&Row) -> bool) {
    let mut ordinary: HashMap<Ask, Vec<String>> = HashMap::new();
    let mut broken = Vec::new();
    for row in rows().iter().filter(|row| such(row) && row.senseless(place).is_none()) {
        if let Entry::Vacant(new) = ordinary.entry(row.ask) {
            let what = format!("an ordinary {:?}", row.ask);
            new.insert(soon(&what, case(place, row.ask, None, PATIENT)).await.seen.facts);
        }
        let ordinary = &ordinary[&row.ask];
        for deed in row.deeds(place) {
            broken.extend(problems(place, row, deed, ordinary).await);
        }
    }
    assert!(broken.is_empty(), "{place:?}:\n{}", broken.join("\n"));
}

/// What does not hold.
async fn problems(place: Place, row: &Row, deed: Deed, ordinary: &[String]) -> Vec<String> {
    let holds = row.holds.at(place);
    let patience = if holds.is_silence() { BRIEF } else { PATIENT };
    let Came { seen, next, changed } = soon(row.name, case(place, row.ask, Some(deed), patience)).await;
    let next = next.filter(|next| next.facts != ordinary);
    let next = next.map(|next| format!("the next is not as ever: {}", difference(&next.facts, ordinary)));
    let told = if holds.of(&seen.facts, ordinary) { None } else { Some(difference(&seen.facts, ordinary)) };
    told.into_iter().chain(next).chain(changed).map(|problem| format!("{}: {problem}", row.name)).collect()
}

/// What came of one case.
struct Came {
    seen: Seen,
    /// What the next message of its kind told, where one was asked for.
    next: Option<Seen>,
    /// JSON that is not kept as it came.
    changed: Vec<String>,
}

async fn case(place: Place, ask: Ask, deed: Option<Deed>, patience: Duration) -> Came {
    let stage = Stage::set(place, patience, Deed::manners(deed.as_ref())).await;
    let at_once = ask == Ask::Connect || deed.as_ref().is_some_and(Deed::at_the_beginning);
    let goes_wrong = || deed.iter().for_each(|deed| deed.set(&stage.demo, ask.method(place.1)));
    if at_once {
        goes_wrong();
    }
    if ask == Ask::Connect {
        let seen = stage.connect().await.map_or_else(|error| Seen::failed(&error), |opened| found(&opened));
        return Came { changed: changed(&stage, &seen), seen, next: None };
    }
    let mut opened = stage.connect().await.expect("a server that can be connected to");
    let task = ask.prepare(&stage, &opened).await.expect("a task");
    if !at_once {
        goes_wrong();
    }
    let seen = ask.ask(&stage, &mut opened, &task).await;
    let came = |what: &str| seen.facts.iter().any(|fact| fact == what);
    let mut next = None;
    // A child that ended is started again: the transport's own tests are about that.
    if deed.as_ref().is_some_and(Deed::passes) && ask.repeats() && !came("fails exited") {
        stage.demo.faults().clear();
        if came("fails session over") {
            opened = stage.connect().await.expect("a new session");
        }
        next = Some(ask.ask(&stage, &mut opened, &task).await);
    }
    Came { changed: changed(&stage, &seen), seen, next }
}

fn changed(stage: &Stage, seen: &Seen) -> Vec<String> {
    let changed = seen.kept.iter().filter(|raw| !stage.wrote(raw.text()));
    changed.map(|raw| format!("not kept as it came: {:.200}", raw.text())).collect()
}

fn difference(facts: &[String], ordinary: &[String]) -> String {
    let missing = |from: &[String], others: &[String]| -> Vec<String> {
        from.iter().filter(|fact| !others.contains(fact)).map(|fact| format!("{fact:.300}")).collect()
    };
    format!("told {:#?} instead of {:#?}", missing(facts, ordinary), missing(ordinary, facts))
}
