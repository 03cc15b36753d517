//! A task that asks far more than anybody can answer: what can be shown is shown, and everything else goes on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::param::clock_ticks_per_second;
use serde_json::value::RawValue;
use signalbox_tests::{DemoServer, Stage, each, said, soon, text};

use crate::floods::{MB, behind, memory, peak};
use crate::front::{Answer, Front};

const FLOOD: usize = 100_000;
/// More questions than this of one task do not wait at a time.
const SHOWN: usize = 500;

/// Many questions more behind those of a task.
fn with_flood(answer: &str, flood: &str) -> Option<String> {
    let envelope: BTreeMap<String, Box<RawValue>> = serde_json::from_str(answer).ok()?;
    let task: BTreeMap<String, Box<RawValue>> = serde_json::from_str(envelope.get("result")?.get()).ok()?;
    let asked = task.get("inputRequests")?.get();
    Some(answer.replacen(asked, &format!("{}{flood}}}", asked.strip_suffix('}')?), 1))
}

#[tokio::test]
async fn a_hundred_thousand_questions_of_one_task() {
    let demo = DemoServer::start().await;
    let flood = (0..FLOOD).fold(String::new(), |mut flood, n| {
        write!(flood, r#","more-{n}":{{"method":"elicitation/create"}}"#).unwrap();
        flood
    });
    let size = flood.len() as u64;
    let flooded = move |_: &str, answer: String| {
        let more = with_flood(&answer, &flood);
        Answer::Text(more.unwrap_or(answer))
    };
    let front = Front::before(&demo, |request| request, flooded).await;
    let (machine, owner) = behind(&front, 64 * MB).await;
    let stage = Stage { demo, machine, owner: Some(owner) };

    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let shown = asked["inputRequests"].as_array().unwrap();
    assert_eq!(shown.len(), SHOWN, "bounded");
    assert_eq!(shown[0]["key"], "approval", "what came first is there");
    let noted = each(&asked["timeline"], "kind").contains(&"left_out");
    assert!(noted, "the rest is noted: {}", asked["timeline"]);
    let inbox = stage.machine.run(&["inbox"]).await.ok();
    assert_eq!(inbox["requests"].as_array().unwrap().len(), SHOWN, "and nothing hides behind");

    // Everything else goes on, and so does this task.
    let echo = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"still here"}"#]).await.ok();
    assert_eq!(said(&echo), "still here");
    let content = r#"{"approved":true,"rollout":"gradual"}"#;
    let answer = ["answer", text(&shown[0], "id"), "--accept", "--content", content];
    let _ = stage.machine.run(&answer).await.ok();
    let done = stage.ends_well(text(&asked, "id")).await;
    assert_eq!(said(&done), "Deployed web latest to eu-west.");
    let states = each(&done["inputRequests"], "state");
    assert!(states.len() <= SHOWN + 1, "an answer makes room for one more: {}", states.len());
    let open = states.iter().filter(|state| !["closed", "answered"].contains(state)).count();
    assert_eq!(open, 0, "over with their task");
    let peak = peak(stage.owner.as_ref().unwrap());
    assert!(peak < 90 * MB + 12 * size, "{} MB for an answer of {} MB", peak / MB, size / MB);
}

/// How often a server asks all anew, under other keys.
const TIMES: usize = 6;
/// What a command may take of the machine's time, its owner's part included. It was ten seconds and more when every question
/// read all of its call.
const QUICK: Duration = Duration::from_millis(300);
/// A build that is not optimized may take so many times as long: 63 to 249 ms on an idle machine, more on one with other work.
const SLOWER: u32 = if cfg!(debug_assertions) { 3 } else { 1 };
/// The best of so many: the owner has other work, too.
const TRIES: usize = 5;

/// The documents of a task that goes on asking stay small and come soon, and what made them is given back.
#[tokio::test]
async fn three_thousand_questions_of_one_task() {
    let demo = DemoServer::start().await;
    let looks = AtomicUsize::new(0);
    let renamed = move |asked: &str, answer: String| {
        if asked != "tasks/get" {
            return Answer::Text(answer);
        }
        let time = looks.load(Ordering::SeqCst).min(TIMES - 1);
        let flood = (1..SHOWN).fold(String::new(), |mut flood, n| {
            let params = r#"{"mode":"form","message":"And now?","requestedSchema":{"type":"object"}}"#;
            write!(flood, r#","time-{time}-{n}":{{"method":"elicitation/create","params":{params}}}"#)
                .unwrap();
            flood
        });
        let Some(more) = with_flood(&answer, &flood) else { return Answer::Text(answer) };
        looks.fetch_add(1, Ordering::SeqCst);
        Answer::Text(more)
    };
    let front = Front::before(&demo, |request| request, renamed).await;
    let (machine, owner) = behind(&front, 64 * MB).await;
    let stage = Stage { demo, machine, owner: Some(owner) };
    let owner = || stage.owner.as_ref().unwrap();
    let _ = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"warm"}"#]).await.ok();
    let warm = memory(owner());

    let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let task = text(&asked, "id");
    // Of those that closed unanswered the last ones are kept.
    let closed = 1_000;
    let last = format!("time-{}-", TIMES - 1);
    let whole = soon("all is asked", async {
        loop {
            let whole = stage.machine.run(&["show", task]).await.ok();
            let asked = whole["inputRequests"].as_array().unwrap();
            let open: Vec<_> = asked.iter().filter(|asked| asked["state"] == "open").collect();
            // The last ones open after those before them have closed.
            let newest = open.iter().filter(|asked| text(asked, "key").starts_with(&last)).count();
            if open.len() == SHOWN && newest == SHOWN - 1 {
                return whole;
            }
        }
    })
    .await;
    assert_eq!(
        each(&whole["inputRequests"], "id").len(),
        SHOWN + closed,
        "all open ones, and the last closed"
    );
    assert_eq!((whole.get("inputRequestsMore"), whole.get("inputRequestsClosedMore")), (None, None));

    let before = memory(owner());
    let listed = stage.machine.run(&["tasks"]).await.ok();
    let listed = &listed["tasks"][0];
    assert_eq!(each(&listed["inputRequests"], "state"), ["open"; 100], "what is over is in no list");
    assert_eq!(listed["inputRequestsMore"], SHOWN - 100);
    let inbox = stage.machine.run(&["inbox"]).await.ok();
    assert_eq!(inbox["requests"].as_array().unwrap().len(), SHOWN, "nothing that waits hides");
    let all = stage.machine.run(&["inbox", "--all", "--limit", "10"]).await.ok();
    assert_eq!(all["requestsMore"], closed + SHOWN - 10);
    let last = &each(&all["requests"], "id")[9];
    let behind = stage.machine.run(&["inbox", "--all", "--limit", "10", "--after", last]).await.ok();
    assert_eq!(behind["requestsMore"], closed + SHOWN - 20);
    let kept = memory(owner()).saturating_sub(before);
    assert!(kept < 20 * MB, "looking costs the owner nothing that it keeps: {} MB", kept / MB);
    for args in [&["tasks"][..], &["show", task], &["inbox"]] {
        let took = quickest(&stage, args).await;
        assert!(took < QUICK * SLOWER, "`signalbox {}` takes {took:?} at best", args.join(" "));
    }

    let _ = stage.machine.run(&["forget", task]).await.ok();
    soon("what the task took is given back", async {
        // The commands meanwhile are the time that passes.
        while memory(owner()).saturating_sub(warm) > 20 * MB {
            let _ = stage.machine.run(&["tasks"]).await.ok();
        }
    })
    .await;
}

/// What a command takes at its best, and its owner for it, of the machine's time: how long anybody waits for that says what else
/// the machine does.
async fn quickest(stage: &Stage, args: &[&str]) -> Duration {
    let owner = stage.owner.as_ref().unwrap().pid().to_string();
    // Our own children count once they have ended.
    let used = || cpu(&owner, [11, 12]) + cpu("self", [13, 14]);
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        let before = used();
        let _ = stage.machine.run(args).await.ok();
        best = best.min(used().saturating_sub(before));
    }
    best
}

/// The sum of two times that the system counts for a process, by where they stand behind its name.
fn cpu(process: &str, times: [usize; 2]) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split_whitespace().collect();
    let ticks: u64 = times.iter().map(|at| fields[*at].parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 1_000 / clock_ticks_per_second())
}
