//! The fault harness: rounds of trouble around a real `signalbox serve`, and an independent checker of what they leave.
//!
//! A round is decided by its seed (`plan`): what people want, what happens to the owner (`owner`), to the servers
//! (`server`) and on the way between them (`proxy`). Then everything is mended, people bring everything to its end
//! (`settle`), and `check` compares what the servers wrote down with what the stores held (`evidence`). Timing is the
//! machine's: a seed repeats the decisions of a round, not each of its races.
//!
//! The owner has no hook for any of this: its disk is filled by a limit on file sizes or, like its clock, made up by a
//! library between it and the system (`world.c`), and it is killed, stopped and continued by signals.

// It speaks to the person at the terminal, and its last line is read by scripts.
#![allow(clippy::print_stdout)]

mod answer;
mod check;
mod counts;
mod elsewhere;
mod evidence;
mod form;
mod growth;
mod guest;
mod moment;
mod owner;
mod person;
mod plan;
mod proxy;
mod round;
mod server;
mod settle;
mod stumble;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use tokio::time::{Instant, timeout};

use check::{Law, Verdict, check};
use counts::Counts;
use evidence::Evidence;
use round::{Round, Setting};
use stumble::Stumble;

/// A round that takes longer (s) has failed.
const LONGEST: u64 = 60;

/// Rounds of faults against a real `signalbox serve`.
#[derive(Parser)]
#[command(name = "faults")]
struct Cli {
    /// How many rounds
    #[arg(long, default_value_t = 200)]
    rounds: u64,
    /// The seed of the first round; each later one has the next number. Default: another every time
    #[arg(long)]
    seed: Option<u64>,
    /// So long (s) servers grow without an end beside a good one, before the rounds; 0: not at all
    #[arg(long, default_value_t = 0)]
    grow: u64,
    /// Only servers that grow in these ways: keys, pages, …; `noise` is the program. Default: all
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let seed = cli.seed.unwrap_or_else(signalbox_tests::fresh_seed);
    let Ok(dir) = tempfile::tempdir() else {
        println!("no temporary folder can be made");
        return ExitCode::FAILURE;
    };
    let setting = Setting {
        library: round::library(dir.path()).await,
        acts: Counts::of(&person::ACTS),
        troubles: Counts::of(&round::TROUBLES),
        wire: Counts::of(&proxy::FATES),
    };
    if setting.library.is_none() {
        println!("There is no C compiler here: no clock is moved, and disks are filled by limits alone.");
    }
    // Said once, and not as the failure of every round.
    let program = signalbox_tests::signalbox();
    println!("{} rounds of {} from seed {seed}", cli.rounds, program.display());
    let bounded = cli.grow == 0 || grows(Duration::from_secs(cli.grow), cli.only).await;
    let laws = Counts::of(&Law::ALL.map(Law::name));
    let (mut passed, mut failed) = (0, Vec::new());
    for seed in (seed..).take(usize::try_from(cli.rounds).unwrap_or(usize::MAX)) {
        if one(seed, &setting, &laws).await {
            passed += 1;
        } else {
            failed.push(seed);
        }
    }
    println!("\npeople:  {}", setting.acts);
    println!("trouble: {}", setting.troubles);
    println!("wire:    {}", setting.wire);
    println!("held:    {laws}");
    for seed in &failed {
        println!("again:   cargo xtask faults --rounds 1 --grow 0 --seed {seed}");
    }
    println!("{passed} passed, {} failed", failed.len());
    let tried = cli.grow > 0 || passed > 0;
    if tried && bounded && failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Lets servers grow beside a good one, and tells how that went.
async fn grows(time: Duration, only: Vec<String>) -> bool {
    let growing = tokio::spawn(growth::grow(time, only));
    let findings = match growing.await {
        Ok(Ok(grown)) => {
            println!("growth of {} s: {grown}", time.as_secs());
            grown.findings
        }
        Ok(Err(stumble)) => vec![stumble.to_string()],
        Err(error) => vec![error.to_string()],
    };
    for finding in &findings {
        println!("        {finding:.600}");
    }
    findings.is_empty()
}

/// Plays one round and tells how it went.
async fn one(seed: u64, setting: &Setting, laws: &Counts) -> bool {
    let began = Instant::now();
    let setting = setting.clone();
    // In a task of its own, so that a panic of the testkit is the failure of this round only.
    let playing =
        tokio::spawn(async move { timeout(Duration::from_secs(LONGEST), play(seed, &setting)).await });
    let outcome = match playing.await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Outcome::stumbled(Stumble::TooLong(LONGEST)),
        Err(error) => Outcome::stumbled(Stumble::Panicked(error.to_string())),
    };
    for (law, looked) in &outcome.verdict.looked {
        laws.add(law.name(), *looked);
    }
    let failed = outcome.stumble.is_some() || !outcome.verdict.findings.is_empty();
    let word = if failed { "FAILED" } else { "ok    " };
    let looked: u64 = outcome.verdict.looked.values().sum();
    println!("{word} {:>5.1} s  seed {seed}: {looked} held", began.elapsed().as_secs_f64());
    for finding in &outcome.verdict.findings {
        // Some quote a payload of many kilobytes; the story has it whole.
        println!("        {:.600}", finding.to_string());
    }
    if let Some(stumble) = &outcome.stumble {
        println!("        {stumble}");
    }
    if let Some(slow) = &outcome.slow {
        println!("        waited long for {slow}");
    }
    if let Some(kept) = &outcome.kept {
        println!("        all of it is in {}", kept.display());
    }
    !failed
}

/// How a round went.
struct Outcome {
    verdict: Verdict,
    stumble: Option<Stumble>,
    /// What everybody had to wait for long.
    slow: Option<String>,
    /// Where everything was left for a look, after a failure.
    kept: Option<PathBuf>,
}

impl Outcome {
    fn stumbled(stumble: Stumble) -> Self {
        Self { verdict: Verdict::default(), stumble: Some(stumble), slow: None, kept: None }
    }
}

async fn play(seed: u64, setting: &Setting) -> Outcome {
    let mut round = match Round::begin(seed, setting).await {
        Ok(round) => round,
        Err(stumble) => return Outcome::stumbled(stumble),
    };
    let plan = format!("{:#?}", round.plan());
    let (slow, played) = match round.play().await {
        Ok(slow) => (slow, None),
        Err(stumble) => (None, Some(stumble)),
    };
    let (evidence, machine) = round.evidence().await;
    let (evidence, unread) = match evidence {
        Ok(evidence) => (evidence, None),
        Err(stumble) => (Evidence::default(), Some(stumble)),
    };
    let stumble = played.or(unread);
    // A round that stumbled never settled: its laws of the end do not hold, and need not.
    let verdict = if stumble.is_none() { check(&evidence) } else { Verdict::default() };
    let kept = (stumble.is_some() || slow.is_some() || !verdict.findings.is_empty()).then(|| {
        let story = format!("seed {seed}\n{plan}\n{evidence:#?}\n");
        // Best effort: without it there are still the files themselves.
        let _ = std::fs::write(machine.path("story.txt"), story);
        // Nobody else has it any more; if somebody had, its files would go with it.
        Arc::into_inner(machine).map(signalbox_tests::Machine::keep)
    });
    Outcome { verdict, stumble, slow, kept: kept.flatten() }
}
