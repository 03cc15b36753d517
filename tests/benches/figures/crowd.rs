//! 10,000 working tasks on 20 servers, followed by a real `signalbox serve`: its CPU and its memory as a whole process.

use std::time::Duration;

use signalbox_demo::Wire;
use signalbox_tests::{Figure, Machine, soon};
use tokio::time::Instant;

use crate::accounting::{Used, pass};
use crate::bare::Bare;
use crate::demo::{Demos, Script};
use crate::{ROUNDS, best, stock};

const SERVERS: usize = 20;
const TASKS_EACH: usize = 500;
const INTERVAL_MS: u32 = 5_000;
/// How long a round measures.
const ROUND: Duration = Duration::from_secs(10);
/// Fewer polls a second than that are another figure: 10,000 tasks at 5 s, with the engine's jitter of up to a tenth.
const LEAST_RATE: f64 = 1_800.0;

/// CPU and memory.
pub(crate) async fn figures() -> [Figure; 2] {
    let mut demos =
        Demos::start(Script { wire: Wire::Modern, servers: SERVERS, speed: 1, chatty: false, push: false })
            .await;
    let mut starting = tokio::task::JoinSet::new();
    for url in demos.urls.clone() {
        starting.spawn(async move {
            let bare = Bare::new();
            let ids = bare.start(&bare.reach(&url, Wire::Modern).await, TASKS_EACH).await;
            (url, ids)
        });
    }
    let lines = starting.join_all().await;
    let place = stock::place();
    stock::with_tasks(place.path(), INTERVAL_MS, INTERVAL_MS.into(), &lines);

    let start = demos.received().await;
    let machine = Machine::untouched().with("SIGNALBOX_HOME", place.path());
    let serve = machine.serve().await;
    let ramp_up = async {
        while demos.received().await - start < 2 * (SERVERS * TASKS_EACH) as u64 {
            pass(Duration::from_millis(200)).await;
        }
    };
    soon("two polls of every task", ramp_up).await;

    let (mut shares, mut resident, mut slowest) = (Vec::new(), 0.0_f64, f64::INFINITY);
    for round in 1..=ROUNDS {
        let (before, received, started) = (Used::by(serve.pid()), demos.received().await, Instant::now());
        while started.elapsed() < ROUND {
            pass(Duration::from_secs(1)).await;
            resident = resident.max(Used::by(serve.pid()).resident);
        }
        let cpu = Used::by(serve.pid()).cpu - before.cpu;
        let seconds = started.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "thousands")]
        let rate = (demos.received().await - received) as f64 / seconds;
        println!(
            "crowd {round}: {rate:.0} polls/s, {:.1} % of a core, {resident:.1} MB",
            cpu / seconds * 100.0
        );
        shares.push(cpu / seconds * 100.0);
        slowest = slowest.min(rate);
    }
    let _ = serve.terminate().await.exits(0);

    let mut figures = [
        Figure::under(30.0, "10,000 tasks on 20 servers at 5 s: CPU", best(shares), "% of a core"),
        Figure::under(120.0, "10,000 tasks on 20 servers at 5 s: memory", resident, "MB"),
    ];
    for figure in &mut figures {
        figure.met &= slowest >= LEAST_RATE;
    }
    figures
}
