//! Scripted servers in a process of their own: this program once more, in another role.

use std::num::NonZeroU32;
use std::process::Stdio;

use serde_json::{Value, json};
use signalbox_demo::{Demo, DemoWire, Fault, Speed, Wires};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;

use crate::bare::Bare;

/// The first argument that makes this program the servers.
pub(crate) const ROLE: &str = "demo";

/// How the servers answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Script {
    /// What they speak.
    pub(crate) wire: DemoWire,
    /// How many there are, each with an address of its own.
    pub(crate) servers: usize,
    /// How much faster than told: at 1 they ask for a poll a second.
    pub(crate) speed: u32,
    /// Whether every poll brings another status message: the moment of the answer (µs since the epoch).
    pub(crate) chatty: bool,
    /// Whether they tell by themselves what changes. Whoever is told polls seldom: most figures are of servers that have to be asked.
    pub(crate) push: bool,
}

/// The servers' process. It ends with this.
pub(crate) struct Demos {
    pub(crate) urls: Vec<String>,
    ask: ChildStdin,
    said: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

impl Demos {
    pub(crate) async fn start(script: Script) -> Self {
        let Script { wire, servers, speed, chatty, push } = script;
        let mut command = Command::new(std::env::current_exe().unwrap());
        let wire = if wire == DemoWire::Legacy { "legacy" } else { "modern" };
        command.args([ROLE, wire]);
        command.args([servers.to_string(), speed.to_string(), chatty.to_string(), push.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let ask = process.stdin.take().unwrap();
        let said = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut demos = Self { urls: Vec::new(), ask, said, _process: process };
        let urls = demos.hear().await;
        demos.urls = urls.as_array().unwrap().iter().map(|url| url.as_str().unwrap().to_owned()).collect();
        demos
    }

    /// Starts so many tasks at each of them, side by side: each with its address.
    pub(crate) async fn tasks(&self, wire: DemoWire, each: usize) -> Vec<(String, Vec<String>)> {
        let mut starting = JoinSet::new();
        for url in self.urls.clone() {
            starting.spawn(async move {
                let bare = Bare::new();
                let ids = bare.start(&bare.reach(&url, wire).await, each).await;
                (url, ids)
            });
        }
        starting.join_all().await
    }

    /// How many requests they have received.
    pub(crate) async fn received(&mut self) -> u64 {
        self.ask.write_all(b"\n").await.unwrap();
        self.hear().await.as_u64().unwrap()
    }

    async fn hear(&mut self) -> Value {
        let line = self.said.next_line().await.unwrap().expect("the servers' process is there");
        serde_json::from_str(&line).unwrap()
    }
}

/// Plays the servers until nobody asks any more.
pub(crate) async fn play(mut args: impl Iterator<Item = String>) {
    let mut arg = || args.next().unwrap();
    let wires: Wires = arg().parse().unwrap();
    let (servers, speed) = (arg().parse().unwrap(), arg().parse::<NonZeroU32>().unwrap());
    let (chatty, push) = (arg() == "true", arg() == "true");
    let mut running = Vec::new();
    for _ in 0..servers {
        let demo = Demo::builder().wires(wires).speed(Speed::times(speed)).build().unwrap();
        if !push {
            let refused = Fault::Refuse { status: 405, retry_after: None };
            demo.faults().next(usize::MAX, "subscriptions/listen", refused);
        }
        if chatty {
            demo.faults().next(usize::MAX, "tasks/get", Fault::Chatty);
        }
        let http = demo.serve_http(([127, 0, 0, 1], 0).into()).await.unwrap();
        running.push((demo, http));
    }
    println!("{}", json!(running.iter().map(|(_, http)| http.url()).collect::<Vec<_>>()));
    let mut asked = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(_)) = asked.next_line().await {
        println!("{}", running.iter().map(|(demo, _)| demo.journal().written()).sum::<u64>());
    }
}
