//! `tasks`, `show` and `watch`.

use serde_json::{Value, json};
use signalbox_tests::{Stage, each, text};

#[tokio::test]
async fn tasks_are_filtered_by_server_and_status() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        machine.add("other", &stage.demo.url()).await;
        let forever = stage.start("forever", "{}").await;
        let built = machine.run(&["call", "other", "build"]).await.ok();
        let asked = stage.asks("deploy", r#"{"service":"web"}"#).await;
        let ids = async |filter: &[&str]| {
            let listed = machine.run(&[&["tasks"], filter].concat()).await.ok();
            let mut ids: Vec<String> = each(&listed["tasks"], "id").into_iter().map(str::to_owned).collect();
            ids.sort();
            ids
        };
        let [forever, built, asked] = [&forever, &built, &asked].map(|task| text(task, "id"));
        assert_eq!(ids(&[]).await, [forever, built, asked]);
        assert_eq!(ids(&["--server", "other"]).await, [built]);
        assert_eq!(ids(&["--status", "working"]).await, [forever]);
        assert_eq!(ids(&["--status", "input_required"]).await, [asked]);
        assert_eq!(ids(&["--server", "demo", "--status", "completed"]).await, [""; 0]);
        let _ = machine.run(&["tasks", "--server", "nowhere"]).await.failure(2, "unknown_server");
        let _ = machine.run(&["tasks", "--status", "sleeping"]).await.failure(2, "usage");
    }
}

#[tokio::test]
async fn what_only_a_result_says_is_found_and_exported() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let _ = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"plain"}"#]).await.ok();
        let long = format!(r#"{{"text":"{} kestrel"}}"#, "x ".repeat(500));
        let echoed = machine.run(&["call", "demo", "echo", "--args", &long]).await.ok();
        let listed = machine.run(&["tasks", "--filter", "kestrel"]).await.ok();
        assert_eq!(each(&listed["tasks"], "id"), [text(&echoed, "id")], "{listed}");
        let others = machine.run(&["tasks", "--filter", "-kestrel"]).await.ok();
        assert_eq!(
            each(&others["tasks"], "id").len(),
            1,
            "one that begins with a dash is a filter: {others}"
        );
        assert_eq!(machine.run(&["inbox", "--filter", "-kestrel"]).await.ok()["requests"], json!([]));
        let export = ["export", "--what", "tasks", "--filter", "KESTREL tool:echo"];
        let exported = machine.run(&export).await.exits(0).documents();
        assert_eq!(exported.len(), 1, "{exported:?}");
        assert_eq!(exported[0]["id"], echoed["id"]);
        let _ = machine.run(&["export", "--filter", "kestrel"]).await.failure(2, "usage");
        let log = ["export", "--what", "decisions", "--filter", "kestrel"];
        let _ = machine.run(&log).await.failure(2, "usage");
        let unread = machine.run(&["export", "--what", "tasks", "--filter", "status:lost"]).await;
        let _ = unread.failure(2, "usage");
    }
}

#[tokio::test]
async fn a_list_as_people_read_it_is_whole_and_sorted_as_one() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let first = stage.start("forever", "{}").await;
        let echoed = machine.run(&["call", "demo", "echo", "--args", r#"{"text":"kestrel"}"#]).await.ok();
        let last = stage.start("forever", "{}").await;
        let listed = async |asked: &[&str]| {
            let shown = machine.run_plain(&[&["tasks"], asked].concat()).await.exits(0).stdout;
            let rows = shown.lines().skip(1).filter_map(|row| row.split_whitespace().next());
            rows.map(str::to_owned).collect::<Vec<_>>()
        };
        let [first, echoed, last] = [&first, &echoed, &last].map(|task| text(task, "id"));
        let found = listed(&["--filter", "kestrel"]).await;
        assert_eq!(found, [echoed], "nobody looked before: it waits until all was looked through");
        assert_eq!(listed(&["--sort", "started"]).await, [first, echoed, last], "not group by group");
        let none = machine.run_plain(&["inbox", "--filter", "kestrel"]).await.exits(0).stdout;
        assert_eq!(none, "No question matches this filter.\n");
    }
}

#[tokio::test]
async fn a_task_is_named_by_our_id_or_the_servers() {
    for stage in Stage::both().await {
        let task = stage.start("forever", "{}").await;
        let by_ours = stage.machine.run(&["show", text(&task, "id")]).await.ok();
        let by_theirs = stage.machine.run(&["show", text(&task, "taskId")]).await.ok();
        assert_eq!(by_ours["id"], by_theirs["id"]);

        stage.machine.add("mirror", &stage.demo.url()).await;
        let twin = stage.machine.run(&["track", "mirror", text(&task, "taskId")]).await.ok();
        let ambiguous = stage.machine.run(&["show", text(&task, "taskId")]).await.failure(2, "ambiguous");
        assert_eq!(ambiguous["detail"]["tasks"], json!([task["id"], twin["id"]]), "it names the candidates");
        let _ = stage.machine.run(&["show", "t99"]).await.failure(6, "unknown_item");
    }
}

#[tokio::test]
async fn watching_everything_tells_each_change_once() {
    for stage in Stage::both().await {
        let mut watch = stage.machine.start(&["watch"]);
        let task = stage.start("deploy", r#"{"service":"web"}"#).await;
        let mut lines: Vec<Value> = Vec::new();
        while !lines.iter().any(|line| line["request"]["state"] == "open") {
            lines.push(watch.line().await.expect("it goes on until it is stopped"));
        }
        let request = lines.iter().find_map(|line| line["request"]["id"].as_str()).unwrap().to_owned();
        let _ = stage.machine.run(&["answer", &request, "--decline"]).await.ok();
        while !lines.iter().any(|line| line["task"]["outcome"] == "ok") {
            lines.push(watch.line().await.expect("it goes on until it is stopped"));
        }
        for line in &lines {
            let members: Vec<&String> = line.as_object().unwrap().keys().collect();
            let item = members.last().unwrap().as_str();
            assert!(matches!(item, "task" | "request"), "{line}");
            assert_eq!(members, ["epoch", "seq", item], "the shape of a line: {line}");
        }
        let numbers: Vec<(u64, u64)> = lines
            .iter()
            .map(|line| (line["epoch"].as_u64().unwrap(), line["seq"].as_u64().unwrap()))
            .collect();
        // Without an owner whoever comes first is it, and the next one takes over: an epoch each.
        assert!(numbers.is_sorted(), "numbers never go back: {numbers:?}");
        let of = |item: &str| lines.iter().filter(|line| line[item].is_object()).collect::<Vec<_>>();
        for kind in ["task", "request"] {
            let told: Vec<String> = of(kind).iter().map(|line| line[kind].to_string()).collect();
            let mut distinct = told.clone();
            distinct.dedup();
            assert_eq!(told, distinct, "no line twice in a row");
        }
        assert_eq!(text(&of("task")[0]["task"], "id"), text(&task, "id"));
        assert_eq!(watch.interrupt().await.code, Some(130));
    }
}

#[tokio::test]
async fn watching_several_ends_when_all_have_and_tells_the_worst() {
    for stage in Stage::both().await {
        let [build, crash] = [stage.start("build", "{}").await, stage.start("crash", "{}").await];
        let watched = stage.machine.run(&["watch", text(&build, "id"), text(&crash, "id")]).await.exits(1);
        let mut ended: Vec<_> = watched
            .documents()
            .iter()
            .filter_map(|line| {
                Some((text(&line["task"], "id").to_owned(), line["task"]["outcome"].as_str()?.to_owned()))
            })
            .collect();
        ended.sort();
        assert_eq!(ended, [("t1".into(), "ok".into()), ("t2".into(), "protocol_error".into())]);
        let _ = stage.machine.run(&["watch", text(&build, "id")]).await.exits(0);
    }
}

#[tokio::test]
async fn what_people_read_is_text_and_what_programs_read_is_not_mixed_in() {
    let stage = Stage::served().await;
    let task = stage.asks("deploy", r#"{"service":"web"}"#).await;
    for args in [
        vec!["tasks"],
        vec!["inbox"],
        vec!["server", "list"],
        vec!["tools", "demo"],
        vec!["show", text(&task, "id")],
    ] {
        let plain = stage.machine.run_plain(&args).await.exits(0);
        assert!(!plain.stdout.trim_start().starts_with('{'), "for people: {plain}");
        assert!(!plain.stdout.contains('\u{1b}'), "no colours into a pipe: {plain}");
        let _ = stage.machine.run(&args).await.ok();
    }
    let show = stage.machine.run_plain(&["show", text(&task, "id")]).await;
    assert!(show.stdout.contains("waiting for approval") && show.stdout.contains("deploy"), "{show}");
}

#[tokio::test]
async fn what_went_between_us_and_the_server_is_shown_by_the_owner_that_asked() {
    let stage = Stage::served().await;
    let machine = &stage.machine;
    let built = machine.run(&["call", "demo", "build"]).await.ok();
    let id = text(&built, "id");
    let shown = machine.run(&["show", id, "--requests"]).await.ok();
    let exchanges = &shown["requestLog"]["exchanges"];
    let methods = each(exchanges, "method");
    assert_eq!(methods[0], "tools/call", "{shown}");
    assert!(methods.iter().any(|method| *method != "tools/call"), "nothing asked how it goes: {shown}");
    assert_eq!(exchanges[0]["brought"], json!({ "as": "news" }));
    let told = machine.run_plain(&["show", id, "--requests"]).await.exits(0);
    assert!(told.stdout.contains("requests since") && told.stdout.contains("tools/call"), "{}", told.stdout);
    let plain = machine.run(&["show", id]).await.ok();
    assert!(plain.get("requestLog").is_none(), "only who wants it gets it: {plain}");
    let question = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let request = text(&question["inputRequests"][0], "id").to_owned();
    let _ = machine.run(&["show", &request, "--requests"]).await.failure(2, "usage");
}

#[tokio::test]
async fn what_was_asked_before_the_owner_began_is_not_remembered_and_that_is_said() {
    let stage = Stage::alone().await;
    let machine = &stage.machine;
    let built = machine.run(&["call", "demo", "build"]).await.ok();
    let id = text(&built, "id");
    let shown = machine.run(&["show", id, "--requests"]).await.ok();
    assert_eq!(shown["requestLog"]["exchanges"], json!([]), "another program asked: {shown}");
    let told = machine.run_plain(&["show", id, "--requests"]).await.exits(0);
    assert!(told.stdout.contains("What was before is not remembered"), "{}", told.stdout);
}

#[tokio::test]
async fn what_came_of_a_task_is_compared_with_the_run_before() {
    for stage in Stage::both().await {
        let machine = &stage.machine;
        let echo = async |text: &str| {
            let arguments = format!(r#"{{"text":"{text}"}}"#);
            let done = machine.run(&["call", "demo", "echo", "--args", &arguments]).await.ok();
            text_of(&done)
        };
        let first = echo("a").await;
        let alone = machine.run(&["diff", &first]).await.ok();
        assert_eq!(alone, json!({ "task": first }), "nothing to compare it with");
        let told = machine.run_plain(&["diff", &first]).await.exits(0).stdout;
        assert!(told.starts_with("Signalbox found no earlier run"), "{told}");
        let other = echo("b").await;
        let second = echo("a").await;
        let compared = machine.run(&["diff", &second]).await.ok();
        assert_eq!(compared["earlier"], json!(first), "{other} had other arguments: {compared}");
        assert_eq!(compared["lines"], json!([]), "the demo echoes the same");
        let running = stage.start("forever", "{}").await;
        let _ = machine.run(&["diff", text(&running, "id")]).await.failure(2, "usage");
        let _ = machine.run(&["diff", "t99"]).await.failure(6, "unknown_item");
    }
}

fn text_of(task: &Value) -> String {
    text(task, "id").to_owned()
}
