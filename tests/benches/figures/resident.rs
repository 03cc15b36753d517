//! What is left running for weeks: the background without a window, and the window with 1,000 live tasks beside an empty window
//! of Tauri. After five minutes; `--soak H` again so many hours later.

use std::env;
use std::time::Duration;

use signalbox_tests::window::panel::{Bus, Panel};
use signalbox_tests::{Figure, Machine};

use crate::accounting::{Memory, Used, course};
use crate::{stock, window};

/// What a window has after so long is what it is to keep.
const SETTLED: Duration = Duration::from_secs(5 * 60);

/// `serve --tray` on a bus with a panel, with nothing to follow.
pub(crate) async fn background(soak: Option<Duration>) -> [Figure; 2] {
    let place = stock::place();
    let machine = Machine::untouched().with("SIGNALBOX_HOME", place.path());
    let bus = Bus::start(&machine).await;
    let machine = machine.with("DBUS_SESSION_BUS_ADDRESS", &bus.address);
    let panel = bus.panel().await;
    let mut serve = machine.start(&["serve", "--tray"]);
    let ready = serve.line().await.expect("serve says when it is ready");
    assert_eq!(ready["ready"], true, "{ready}");
    panel.icon().await.says("Signalbox").await;
    let (before, time) = (Used::by(serve.pid()).cpu, soak.unwrap_or_default().max(SETTLED));
    let memory = course("background", serve.pid(), time).await;
    let cpu = (Used::by(serve.pid()).cpu - before) / time.as_secs_f64() * 100.0;
    let _ = serve.terminate().await.exits(0);
    let name = |what: &str| format!("background without a window, {what} after {} s", time.as_secs());
    [
        Figure::under(40.0, &name("memory in all"), memory.all, "MB"),
        Figure::under(0.1, &name("CPU"), cpu, "% of a core"),
    ]
}

/// The window's memory above that of an empty one, and how it grows. The tasks are followed in the background, as where there is
/// a tray.
pub(crate) async fn open_window(soak: Option<Duration>) -> Vec<Figure> {
    let bus = env::var("DBUS_SESSION_BUS_ADDRESS").expect("`cargo xtask bench` makes a bus");
    let panel = Panel::on(&bus).await;
    let empty = empty().await;
    let (_demos, place) = window::tasks().await;
    // Else the window would start it, and its memory would count as the window's.
    let beside = window::machine(place.path());
    let mut serve = beside.start(&["serve", "--tray"]);
    let ready = serve.line().await.expect("serve says when it is ready");
    assert_eq!(ready["ready"], true, "{ready}");
    let (_machine, open) = window::open(place.path()).await;
    let at_first = course("window", open.pid(), SETTLED).await;
    let name =
        format!("window with 1,000 live tasks, memory above an empty one after {} s", SETTLED.as_secs());
    let mut figures = vec![Figure::under(60.0, &name, at_first.all - empty.all, "MB")];
    if let Some(soak) = soak {
        let last = course("window, from then on", open.pid(), soak).await;
        let name =
            format!("window with 1,000 live tasks, memory gained {:.1} h later", soak.as_secs_f64() / 3600.0);
        figures.push(Figure::under(10.0, &name, (last.all / at_first.all - 1.0) * 100.0, "%"));
    }
    let _ = open.terminate().await.exits(0);
    let _ = serve.terminate().await.exits(0);
    panel.leave().await;
    figures
}

async fn empty() -> Memory {
    let place = stock::place();
    let machine = window::machine(place.path());
    let (empty, _) = window::empty(&machine).await;
    let memory = course("empty window", empty.pid(), SETTLED).await;
    empty.kill().await;
    memory
}
