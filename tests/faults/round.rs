//! One round: a fresh data directory, an owner, servers and people; trouble; the end; the evidence.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use signalbox_api::{Home, NewTransport};
use signalbox_tests::{Dice, Machine};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::counts::Counts;
use crate::evidence::Evidence;
use crate::guest::Guests;
use crate::moment::sleep_until;
use crate::owner::Owner;
use crate::person::{Memory, Persons};
use crate::plan::{Act, Disk, Plan, Wanted};
use crate::proxy::Account;
use crate::server::{HttpServer, Program};
use crate::settle::settle;
use crate::stumble::Stumble;

/// The servers' names; the last is the program.
const NAMES: [&str; 3] = ["north", "south", "program"];
/// One hour in ms.
const HOUR: i64 = 3_600_000;

/// The names of what happens to the owner and the servers, for the count.
pub(crate) const TROUBLES: [&str; 11] = [
    "owner killed",
    "next owner killed, too",
    "commands killed",
    "owner ended with care",
    "owner frozen",
    "disk filled",
    "no space left",
    "clock moved",
    "server away",
    "server away, and forgot",
    "program killed",
];

/// What all rounds share.
#[derive(Clone)]
pub(crate) struct Setting {
    /// The library that makes up the world around the owner.
    pub(crate) library: Option<PathBuf>,
    pub(crate) acts: Counts,
    pub(crate) troubles: Counts,
    pub(crate) wire: Counts,
}

/// A round under way.
pub(crate) struct Round {
    plan: Plan,
    /// See [`Evidence::slept`].
    slept: bool,
    setting: Setting,
    http: [Arc<Mutex<HttpServer>>; 2],
    persons: Arc<Persons>,
    owner: Owner,
    dice: Dice,
    account: Account,
}

impl Round {
    pub(crate) async fn begin(seed: u64, setting: &Setting) -> Result<Self, Stumble> {
        let plan = Plan::of(seed);
        let machine = Arc::new(Machine::new());
        let servers = machine.path("servers");
        std::fs::create_dir(&servers)?;
        let account = Account::new(setting.wire.clone());
        let [north, south] = [0, 1].map(|n| {
            let dice = Dice::apart(seed, 10 + n as u64);
            HttpServer::start(&servers, (n, NAMES[n]), plan.http[n], dice, account.clone())
        });
        let (north, south) = (north.await?, south.await?);
        let program = plan.program.map(|wire| Program::new(&servers, NAMES[2], wire));
        let home = Home::at(&machine.data())?;
        let names = NAMES.map(str::to_owned).into();
        let others = [&north, &south].map(HttpServer::past_its_proxy);
        let owner =
            Owner::start(Arc::clone(&machine), account.clone(), setting.library.clone(), program).await?;
        let guests = Guests::new(machine, setting.library.clone());
        let persons = Persons::new(home, guests, account.clone(), setting.acts.clone(), names, others);
        for (name, server) in NAMES.into_iter().zip([&north, &south]) {
            let transport = NewTransport::Http { url: server.proxy.url(), headers: Vec::new() };
            persons.add_server(name, transport).await?;
        }
        if let Some((command, args)) = owner.program.as_ref().map(Program::command) {
            let transport = NewTransport::Stdio { command, args, env: Vec::new(), cwd: None };
            persons.add_server(NAMES[2], transport).await?;
        }
        let http = [north, south].map(|server| Arc::new(Mutex::new(server)));
        let persons = Arc::new(persons);
        let dice = Dice::apart(seed, 2);
        Ok(Self { plan, setting: setting.clone(), http, persons, owner, dice, account, slept: false })
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Lives through the plan, and brings everything to its end. What that had to wait for long comes back.
    pub(crate) async fn play(&mut self) -> Result<Option<String>, Stumble> {
        let began = Instant::now();
        let at = |ms: u64| began + Duration::from_millis(ms);
        let mut people = JoinSet::new();
        let mut away = JoinSet::new();
        let acts = std::mem::take(&mut self.plan.acts);
        for (ms, act) in &acts {
            if let Act::Person(wanted) = act {
                let (persons, wanted, at) = (Arc::clone(&self.persons), Wanted::clone(wanted), at(*ms));
                people.spawn(async move {
                    sleep_until(at).await;
                    persons.act(wanted).await;
                });
            }
        }
        for (ms, act) in acts {
            sleep_until(at(ms)).await;
            self.trouble(act, &mut away).await?;
        }
        while let Some(back) = away.join_next().await {
            back.map_err(|error| Stumble::Panicked(error.to_string()))??;
        }
        self.owner.make_room()?;
        self.owner.set_clock_right().await?;
        for server in &self.http {
            server.lock().await.proxy.calm().await;
        }
        let slow = settle(&self.persons, people, &mut self.dice).await?;
        self.afterwards().await?;
        Ok(slow)
    }

    async fn trouble(&mut self, act: Act, away: &mut JoinSet<std::io::Result<()>>) -> Result<(), Stumble> {
        let name = match act {
            Act::Person(_) => return Ok(()),
            Act::Room => return self.owner.make_room(),
            Act::Kill => {
                self.owner.kill().await?;
                "owner killed"
            }
            Act::KillTwice(ms) => {
                self.owner.kill_twice(Duration::from_millis(ms), &self.persons.guests).await?;
                "next owner killed, too"
            }
            Act::KillGuests => {
                self.persons.guests.kill();
                "commands killed"
            }
            Act::Terminate => {
                self.owner.terminate().await?;
                "owner ended with care"
            }
            Act::Freeze(ms) => {
                self.owner.freeze(Duration::from_millis(ms)).await?;
                "owner frozen"
            }
            Act::Full(how) => {
                self.owner.fill(how)?;
                match how {
                    Disk::Limit(_) => "disk filled",
                    Disk::NoSpace => "no space left",
                }
            }
            Act::Clock(jump) => {
                if !self.owner.move_clock(jump)? {
                    return Ok(());
                }
                self.slept |= jump > HOUR;
                "clock moved"
            }
            Act::Away { server, ms, refuses, forgets } => {
                let server = Arc::clone(&self.http[server]);
                let time = Duration::from_millis(ms);
                away.spawn(async move { server.lock().await.leave(time, refuses, forgets).await });
                if forgets { "server away, and forgot" } else { "server away" }
            }
            Act::KillProgram => {
                self.owner.kill_programs()?;
                "program killed"
            }
        };
        self.setting.troubles.count(name);
        Ok(())
    }

    /// One more owner, for which there is nothing left to do: it must leave all that has ended alone.
    async fn afterwards(&mut self) -> Result<(), Stumble> {
        self.owner.kill().await?;
        for name in &NAMES[..2 + usize::from(self.plan.program.is_some())] {
            self.persons.check((*name).to_owned()).await;
        }
        self.owner.end_with_care().await
    }

    /// What is left of it all. The owner is gone.
    pub(crate) async fn evidence(self) -> (Result<Evidence, Stumble>, Arc<Machine>) {
        let Self { http, persons, mut owner, account, slept, .. } = self;
        let gathered = async {
            if owner.lives_now() {
                owner.end_killed().await?;
            }
            let mut servers = Vec::new();
            for server in http {
                let server = Arc::into_inner(server).map(Mutex::into_inner);
                servers.push(
                    server
                        .ok_or_else(|| Stumble::Panicked("a server is still away".to_owned()))?
                        .stop()
                        .await?,
                );
            }
            let (mut sent, told) = (account.sent().clone(), account.told().clone());
            if let Some(program) = owner.program.take() {
                let (server, received) = program.stop(servers.len())?;
                servers.push(server);
                sent.extend(received);
            }
            let memory = persons.memory();
            drop(persons);
            let lives = owner.lives.clone();
            let (kept, log) = (owner.kept()?, owner.verified().await);
            let Memory { wishes, shown, asked, elsewhere } = memory;
            Ok(Evidence { servers, sent, told, lives, kept, wishes, shown, asked, elsewhere, log, slept })
        };
        let evidence = gathered.await;
        (evidence, owner.into_machine())
    }
}

/// Builds the library that makes up the world around the owner; none where there is no C compiler.
pub(crate) async fn library(dir: &Path) -> Option<PathBuf> {
    let (source, library) = (dir.join("world.c"), dir.join("world.so"));
    std::fs::write(&source, include_str!("world.c")).ok()?;
    let mut cc = tokio::process::Command::new("cc");
    cc.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
    cc.status().await.ok().filter(std::process::ExitStatus::success).map(|_| library)
}
