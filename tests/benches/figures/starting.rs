//! From a start until the window is interactive, where a tray is there and a background follows the tasks: on an empty data
//! directory beside the first paint of an empty window of Tauri, on a large one, and once the background is there, also by a press
//! in the tray.

use std::env;
use std::path::Path;

use signalbox_tests::window::panel::Panel;
use signalbox_tests::{Figure, Machine};

use crate::opening;
use crate::pressed;
use crate::stock::{self, Stock};
use crate::{ROUNDS, best, window};

/// All of it, in ms.
pub(crate) async fn figures() -> [Figure; 4] {
    let bus = env::var("DBUS_SESSION_BUS_ADDRESS").expect("`cargo xtask bench` makes a bus");
    let panel = Panel::on(&bus).await;
    let (mut paints, mut empties, mut larges) = (Vec::new(), Vec::new(), Vec::new());
    let (mut agains, mut presses) = (Vec::new(), Vec::new());
    let large = stock::place();
    let mut stock = Stock::open(large.path());
    opening::fill(&mut stock);
    stock.close();
    // What the system reads for the first time is read once before.
    let _ = first_paint().await;
    for round in 1..=ROUNDS {
        let paint = first_paint().await;
        let place = stock::place();
        let machine = window::machine(place.path());
        let empty = interactive(&machine, place.path()).await;
        let again = interactive(&machine, place.path()).await;
        end_background(&machine).await;
        let machine = window::machine(large.path());
        let of_large = interactive(&machine, large.path()).await;
        end_background(&machine).await;
        let press = pressed::shown(&panel).await;
        println!(
            "starting {round}: an empty window paints after {paint:.0} ms; interactive after {empty:.0} on nothing, \
             {again:.0} again, {press:.0} by a press in the tray, {of_large:.0} on 110,000 tasks"
        );
        paints.push(paint);
        empties.push(empty);
        agains.push(again);
        presses.push(press);
        larges.push(of_large);
    }
    panel.leave().await;
    let name = |what: &str| format!("window: start to interactive, {what}");
    [
        Figure::under(
            250.0,
            &name("empty, after an empty window's first paint"),
            best(empties) - best(paints),
            "ms",
        ),
        Figure::under(800.0, &name("10,000 live and 100,000 ended tasks"), best(larges), "ms"),
        Figure::under(800.0, &name("a background is there"), best(agains), "ms"),
        Figure::under(800.0, "window: a press in the tray to interactive", best(presses), "ms"),
    ]
}

async fn first_paint() -> f64 {
    let place = stock::place();
    let (window, took) = window::empty(&window::machine(place.path())).await;
    window.kill().await;
    took
}

async fn interactive(machine: &Machine, home: &Path) -> f64 {
    let (window, took) = window::interactive(machine, home, &[]).await;
    let _ = window.terminate().await.exits(0);
    took
}

async fn end_background(machine: &Machine) {
    drop(machine.run(&["quit", "--yes"]).await.ok());
}
