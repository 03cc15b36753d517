//! Every oddity, on every wire that it happens on: one message is odd, and the next is not.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test helper that fails fails its test")]

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::common::{Stdio, clock, headers, patiently, request};
use serde_json::{Value, json};
use signalbox_demo::{AsksOn, Carrier, Demo, DemoWire, Legacy, ManualClock, Notices, Oddity, Wires};

#[test]
fn names_are_unique_and_there_are_many() {
    let names: HashSet<_> = Oddity::all().map(|oddity| oddity.name).collect();
    assert_eq!(names.len(), Oddity::all().count());
    assert!(names.iter().all(|name| Oddity::named(name).is_some_and(|oddity| oddity.name == *name)));
    for wire in [DemoWire::Modern, DemoWire::Legacy] {
        for carrier in [Carrier::Http, Carrier::Stdio] {
            let count = Oddity::all().filter(|oddity| oddity.happens(wire, carrier)).count();
            assert!(count >= 60, "{wire:?} over {carrier:?}: {count}");
        }
    }
}

#[test]
fn manners_and_oddities_have_words() {
    let legacy: Legacy = "ask-on-stream,unrelated,retry=50".parse().unwrap();
    assert_eq!((legacy.asks_on, legacy.related, legacy.retry_ms), (AsksOn::Stream, false, 50));
    assert_eq!("".parse::<Legacy>(), Ok(Legacy::default()));
    let refused = "polite".parse::<Legacy>().unwrap_err().to_string();
    assert!(refused.contains("polite") && refused.contains("ask-on-stream"), "{refused}");
    assert_eq!("cut".parse::<Oddity>().unwrap().name, "cut");
    assert!("ordinary".parse::<Oddity>().is_err() && "both".parse::<Wires>() == Ok(Wires::Both));
}

#[tokio::test]
async fn each_makes_one_message_odd_on_stdio() {
    let odd = |oddity: &&Oddity| oddity.carrier != Some(Carrier::Http);
    for wire in [DemoWire::Modern, DemoWire::Legacy] {
        let mut clean_lines = HashMap::new();
        for oddity in Oddity::all().filter(odd).filter(|oddity| oddity.happens(wire, Carrier::Stdio)) {
            if oddity.name == "progress_in_words" && wire == DemoWire::Modern {
                continue; // Told in the stream of a request, whose own method it has there.
            }
            let story = (oddity.method, oddity.name.starts_with("round"), oddity.name == "round_lost");
            let clean = match clean_lines.entry(story) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(Stage::new(wire).lines(oddity, false).await),
            };
            let stage = Stage::new(wire);
            let seen = stage.lines(oddity, true).await;
            assert!(seen != *clean, "{} on {wire:?} changes nothing: {clean:?}", oddity.name);
            let after = stage.lines(oddity, false).await;
            assert!(timeless(&after) == timeless(clean), "{} on {wire:?} goes on: {after:?}", oddity.name);
        }
    }
}

#[tokio::test]
async fn each_makes_one_response_odd_over_http() {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for oddity in Oddity::all().filter(|oddity| oddity.carrier == Some(Carrier::Http)) {
        let wire = oddity.wire.unwrap_or_default();
        let clean = Stage::new(wire).response(&client, oddity, false).await;
        let stage = Stage::new(wire);
        let seen = stage.response(&client, oddity, true).await;
        assert!(seen != clean, "{} on {wire:?} changes nothing: {clean}", oddity.name);
        let after = stage.response(&client, oddity, false).await;
        let (after, clean) = (timeless(&[after]), timeless(&[clean]));
        assert!(after == clean, "{} on {wire:?} goes on: {after:?}", oddity.name);
    }
}

/// A server at the beginning of a story.
struct Stage {
    demo: Demo,
    clock: ManualClock,
    wire: DemoWire,
}

impl Stage {
    fn new(wire: DemoWire) -> Self {
        let clock = clock();
        let wires = if wire == DemoWire::Modern { Wires::Modern } else { Wires::Legacy };
        let legacy = Legacy { notices: Notices::On, ..Legacy::default() };
        let demo = Demo::builder().wires(wires).legacy(legacy).clock(clock.clone()).build().unwrap();
        Self { demo, clock, wire }
    }

    fn request(&self, id: u64, method: &str, mut params: Value) -> Value {
        let can = json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} });
        match self.wire {
            DemoWire::Modern => request(id, method, params),
            DemoWire::Legacy => {
                if method == "initialize" {
                    params = json!({ "protocolVersion": "2025-11-25", "capabilities": can });
                }
                if method == "tools/call" && params["name"] != "echo" {
                    params["task"] = json!({});
                }
                json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
            }
        }
    }

    /// The tool whose task is what the oddity needs.
    fn tool(oddity: &Oddity) -> &'static str {
        match oddity.method {
            "subscriptions/listen" => "forever",
            "tasks/result" => "lint",
            "sampling/createMessage" => "summarize",
            "notifications/progress" => "build",
            _ => "survey",
        }
    }

    /// The request that makes the odd message come.
    fn last_request(&self, oddity: &Oddity, task: &Value, round: &Value) -> Value {
        let of_task = json!({ "taskId": task });
        let (method, params) = match oddity.method {
            "tools/call" if oddity.name == "round_lost" => {
                let answer = json!({ "environment": { "action": "decline" } });
                let retry =
                    json!({ "name": "mrtr_question", "requestState": round, "inputResponses": answer });
                ("tools/call", retry)
            }
            "tools/call" if oddity.name.starts_with("round") => {
                ("tools/call", json!({ "name": "mrtr_question" }))
            }
            "tools/call" => ("tools/call", json!({ "name": "forever" })),
            "tasks/update" => {
                let answer = json!({ "survey": { "action": "decline" } });
                ("tasks/update", json!({ "taskId": task, "inputResponses": answer }))
            }
            "subscriptions/listen" => {
                ("subscriptions/listen", json!({ "notifications": { "taskIds": [task] } }))
            }
            "elicitation/create" | "sampling/createMessage" | "tasks/result" => ("tasks/result", of_task),
            "tools/list" => ("tools/list", json!({ "cursor": "" })),
            "notifications/tasks/status" | "notifications/progress" => ("tasks/get", of_task),
            other => (other, of_task),
        };
        self.request(7, method, params)
    }

    /// What is said on a new connection after all is set up, with ids made the same.
    async fn lines(&self, oddity: &Oddity, odd: bool) -> Vec<String> {
        let mut stdio = Stdio::serve(self.demo.clone());
        let begins = oddity.method == "initialize";
        if self.wire == DemoWire::Legacy && !begins {
            self.ask(&mut stdio, 1, "initialize", json!({})).await;
        }
        let mut call = json!({ "name": Self::tool(oddity) });
        if self.wire == DemoWire::Legacy {
            call["_meta"] = json!({ "progressToken": 1 });
        }
        let (mut task, mut round) = (Value::Null, Value::Null);
        if !begins {
            let created = self.ask(&mut stdio, 2, "tools/call", call).await;
            let nested = &created["result"]["task"]["taskId"];
            task = if nested.is_null() { created["result"]["taskId"].clone() } else { nested.clone() };
        }
        if oddity.name == "round_lost" {
            let first = self.ask(&mut stdio, 3, "tools/call", json!({ "name": "mrtr_question" })).await;
            round = first["result"]["requestState"].clone();
        }
        settle().await;
        if odd {
            self.demo.faults().odd(1, oddity);
        }
        self.clock.advance(Duration::from_millis(if oddity.method == "tasks/result" { 3000 } else { 500 }));
        settle().await;
        let taken = self.demo.journal().taken().len();
        stdio.write(&self.last_request(oddity, &task, &round).to_string()).await;
        settle().await;
        let mark = if self.wire == DemoWire::Modern { "server/discover" } else { "ping" };
        let mut said = Vec::new();
        // A server that broke off is gone by now.
        let _ = stdio.try_write(&self.request(99, mark, json!({})).to_string()).await;
        while let Some(line) = stdio.line().await {
            if line.contains(r#""id":99,"#) {
                break;
            }
            said.push(same_ids(&line));
        }
        said.push(format!("{} taken", self.demo.journal().taken().len() - taken));
        said
    }

    async fn ask(&self, stdio: &mut Stdio, id: u64, method: &str, params: Value) -> Value {
        stdio.write(&self.request(id, method, params).to_string()).await;
        loop {
            let message = stdio.message().await;
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// Status, kind and body of the response over HTTP, with ids made the same.
    async fn response(&self, client: &reqwest::Client, oddity: &Oddity, odd: bool) -> String {
        let server = self.demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let mut session = String::new();
        let post = |body: Value, session: &str| {
            let request = client.post(server.url()).body(body.to_string());
            let mut headers = headers(&body);
            if self.wire == DemoWire::Legacy {
                headers.insert("mcp-protocol-version", "2025-11-25".into());
                headers.insert("mcp-session-id", session.to_owned());
            }
            headers.into_iter().fold(request, |request, (name, value)| request.header(name, value))
        };
        let mut task = Value::Null;
        if self.wire == DemoWire::Legacy {
            let begun = patiently(post(self.request(1, "initialize", json!({})), "").send()).await.unwrap();
            session = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        }
        let call = self.request(2, "tools/call", json!({ "name": Self::tool(oddity) }));
        let created = patiently(post(call, &session).send()).await.unwrap();
        let created: Value = serde_json::from_str(&patiently(created.text()).await.unwrap()).unwrap();
        for found in [&created["result"]["task"]["taskId"], &created["result"]["taskId"]] {
            if !found.is_null() {
                task = found.clone();
            }
        }
        self.clock.advance(Duration::from_secs(3));
        if odd {
            self.demo.faults().odd(1, oddity);
        }
        let request = match oddity.method {
            "GET" => client.get(server.url()).header("accept", "text/event-stream"),
            "DELETE" => client.delete(server.url()),
            _ => post(self.last_request(oddity, &task, &Value::Null), &session),
        };
        let request = if session.is_empty() || !matches!(oddity.method, "GET" | "DELETE") {
            request
        } else {
            request.header("mcp-session-id", &session)
        };
        let mut response = patiently(request.send()).await.unwrap();
        let status = response.status();
        let kind = response.headers().get("content-type").cloned();
        let retry = response.headers().get("retry-after").cloned();
        let mut body = Vec::new();
        // What is still listened to hears of this, and need not be waited for any longer.
        self.demo.change_tools();
        let end = loop {
            match patiently(response.chunk()).await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break "the end",
                Err(_) => break "cut",
            }
            if body.windows(12).any(|part| part == b"list_changed") {
                break "held open";
            }
        };
        let body = same_ids(&String::from_utf8_lossy(&body));
        server.shutdown().await;
        format!("{status} {kind:?} {retry:?} {body} {end}")
    }
}

/// Lets everything on this thread's runtime come to rest: nothing here waits for anything but messages.
async fn settle() {
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
}

/// Ids are 32 hexadecimal digits, and never the same.
fn same_ids(text: &str) -> String {
    if text.len() > 1_000_000 {
        // As long as that, its length says enough.
        return format!("{} bytes", text.len());
    }
    let mut same = String::new();
    let mut run = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_hexdigit() {
            run.push(c);
            continue;
        }
        same += if run.len() == 32 { "ID" } else { &run };
        run.clear();
        same.push(c);
    }
    same
}

/// Without the moments, which differ from one run to the next.
fn timeless(lines: &[String]) -> Vec<String> {
    let moment = "2026-01-01T00:";
    let without = |line: &String| {
        let mut parts = line.split(moment);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once('Z').map_or(part, |(_, rest)| rest))
    };
    lines.iter().map(without).collect()
}
