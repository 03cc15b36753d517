//! Children on stdio: shell scripts that answer, chatter, die, or do not want to.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use signalbox_mcp::{CallOptions, Client, Endpoint, Error, Hint, Options, Sent, Stage};
use signalbox_model::Json;

/// Reads requests; for each sets `$line`, `$id` and `$method`, and runs the body.
fn each_request(body: &str) -> String {
    format!(
        r#"answer() {{ printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$id" "$1"; }}
        while read -r line; do
            rest=${{line#*\"id\":}}; id=${{rest%%,*}}
            rest=${{line#*\"method\":\"}}; method=${{rest%%\"*}}
            {body}
        done"#
    )
}

fn endpoint(script: &str, env: &[(&str, &Path)]) -> Endpoint {
    Endpoint::Stdio {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: env
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.to_string_lossy().into_owned()))
            .collect(),
        cwd: None,
    }
}

fn client(script: &str) -> Client {
    client_with(script, Options::default())
}

/// A child that ends must not be started again while a test looks at its end.
fn client_with(script: &str, options: Options) -> Client {
    let an_hour = Duration::from_secs(3600);
    let options = Options { restart_delay: an_hour, restart_delay_max: an_hour, ..options };
    Client::new(endpoint(script, &[]), options)
}

fn pretty() -> Json {
    Json::parse("{\n  \"n\":\r\n 1\n}").expect("the test's own JSON")
}

#[tokio::test]
async fn requests_go_out_on_one_line_and_answers_come_back_by_id() {
    let client = client(&each_request(r#"answer "$line""#));
    let called = client.call_tool("t", &pretty(), CallOptions::default()).await.unwrap();
    let sent: serde_json::Value = called.raw.read().unwrap();
    assert_eq!(sent["params"]["arguments"]["n"], 1, "line ends within the arguments are no ends of messages");
    assert_eq!(sent["id"], 1);
    assert_eq!(sent["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    let again: serde_json::Value = client.get_task("x").await.unwrap().read().unwrap();
    assert_eq!(again["id"], 2, "every request has a fresh id");
    client.close().await;
}

/// Answers with the names of the child's variables.
const NAMES: &str = r#"answer "\"$(env | cut -d= -f1 | tr '\n' ' ')\"";"#;

#[tokio::test]
async fn a_child_gets_what_is_its_own_and_what_every_program_needs() {
    let own = Path::new("/x");
    let env = [("OF_ITS_OWN", own), ("PYTHONPATH", own)];
    let client = Client::new(endpoint(&each_request(NAMES), &env), Options::default());
    let text: String = client.get_task("x").await.unwrap().read().unwrap();
    let names: Vec<&str> = text.split_whitespace().collect();
    assert!(std::env::var_os("CARGO_PKG_NAME").is_some(), "cargo sets it for this test");
    assert!(!names.iter().any(|name| name.starts_with("CARGO")), "what is ours is not its: {names:?}");
    for name in ["HOME", "PATH"].into_iter().filter(|name| std::env::var_os(name).is_some()) {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    for (name, _) in env {
        assert!(names.contains(&name), "{name} was configured: {names:?}");
    }
    client.close().await;
}

#[tokio::test]
async fn what_is_meant_for_others_is_asked_for_before_each_start() {
    let options =
        Options { restart_delay: Duration::ZERO, restart_delay_max: Duration::ZERO, ..Options::default() };
    let client = Client::new(endpoint(&each_request("answer 1; exit"), &[]), options);
    let (asked, unknown) = (AtomicU32::new(0), Error::TooLarge { limit: 12_345 });
    let error = unknown.clone();
    client.keep_back(Arc::new(move || match asked.fetch_add(1, Ordering::Relaxed) {
        0 => Ok(BTreeSet::new()),
        _ => Err(error.clone()),
    }));
    client.get_task("x").await.unwrap();
    // Until its end is seen.
    let error = loop {
        match client.get_task("x").await {
            Err(error) if error != unknown => tokio::task::yield_now().await,
            other => break other,
        }
    };
    assert_eq!(error, Err(unknown), "while nobody knows what is meant for others no child is started");
}

#[tokio::test]
async fn answers_may_come_in_any_order() {
    // Answers the first request only after the second.
    let script = each_request(
        r#"if [ -z "$first" ]; then first=$id; else answer '"second"'; id=$first; answer '"first"'; fi"#,
    );
    let client = client(&script);
    let (first, second) = tokio::join!(client.get_task("a"), client.get_task("b"));
    assert_eq!((first.unwrap().text(), second.unwrap().text()), ("\"first\"", "\"second\""));
}

#[tokio::test]
async fn junk_is_tolerated_and_kept_for_diagnostics() {
    let script = format!(
        r#"echo 'Welcome to the server!'; echo; echo 'trouble ahead' >&2; {}"#,
        each_request(
            r#"printf '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}\r\n'
            echo '{"error":{"code":1}}'; echo '{"half":'; echo '{"method":"notifications/message","params":{}}'
            echo '{"id":99,"result":{}}'; printf '\377\376\n'
            printf '{"id":"%s","error":null,"result":{"ok":true}}\r\n' "$id""#
        )
    );
    let client = client(&script);
    let result = client.get_task("x").await.unwrap();
    assert_eq!(result.text(), r#"{"ok":true}"#, "an id as text and a null error are no obstacle");
    client.close().await;
    let tail = client.stderr_tail();
    for line in ["Welcome to the server!", "trouble ahead", "{\"half\":"] {
        assert!(tail.iter().any(|kept| kept == line), "{line:?} in {tail:?}");
    }
}

#[tokio::test]
async fn a_message_that_is_too_large_fails_alone() {
    let body = r#"case $method in
        tasks/get) answer "\"$(head -c 100000 /dev/zero | tr '\0' x)\"" ;;
        *) answer '"fine"' ;;
    esac"#;
    let client = client_with(&each_request(body), Options { message_limit: 4096, ..Options::default() });
    let (large, fine) = tokio::join!(client.get_task("x"), client.cancel_task("x"));
    assert_eq!(large, Err(Error::TooLarge { limit: 4096 }));
    assert_eq!(fine.unwrap().text(), "\"fine\"", "the child lives on");
}

#[tokio::test]
async fn the_end_of_a_child_fails_what_waits_and_is_not_repeated_at_once() {
    let client = client(&each_request("echo 'last words' >&2; exit 3"));
    let error = client.get_task("x").await.expect_err("the child ends");
    let Error::Exited { code, stderr, sent, retry_after } = error else {
        panic!("{error:?}");
    };
    assert_eq!((code, sent), (Some(3), Sent::Maybe), "it may have acted on what it read");
    assert_eq!(stderr, "last words");
    assert_eq!(retry_after, Some(Duration::from_secs(3600)));

    let error = client.get_task("x").await.expect_err("too soon");
    assert_eq!(error.sent(), Sent::No, "{error:?}");
    assert!(
        matches!(&error, Error::Exited { code: Some(3), stderr, .. } if stderr == "last words"),
        "{error:?}"
    );
    assert!(error.retry_after().is_some_and(|wait| wait <= Duration::from_secs(3600)), "{error:?}");
}

#[tokio::test]
async fn a_child_is_started_again_with_the_next_request() {
    let options = Options { restart_delay: Duration::ZERO, ..Options::default() };
    let script = each_request(r#"case $method in tasks/cancel) exit 1 ;; *) answer "$$" ;; esac"#);
    let client = Client::new(endpoint(&script, &[]), options);
    let first = client.get_task("x").await.unwrap();
    assert!(matches!(client.cancel_task("x").await, Err(Error::Exited { .. })));
    let second = client.get_task("x").await.unwrap();
    assert_ne!(first.text(), second.text(), "another process answers");
}

#[tokio::test]
async fn a_child_that_closes_its_output_is_ended() {
    let options = Options { close_grace: Duration::from_millis(20), ..Options::default() };
    let client = client_with("read -r line; exec >&-; while :; do sleep 60; done", options);
    let error = client.get_task("x").await.expect_err("no answer can come");
    assert!(matches!(error, Error::Exited { code: None, sent: Sent::Maybe, .. }), "{error:?}");
}

#[tokio::test]
async fn a_child_that_closes_its_input_is_ended() {
    let options = || Options { close_grace: Duration::from_millis(20), ..Options::default() };
    for script in
        ["exec <&-; while :; do sleep 60; done", "read -r line; exec <&-; while :; do sleep 60; done"]
    {
        let error = client_with(script, options()).get_task("x").await.expect_err("no request can be read");
        assert!(matches!(error, Error::Exited { code: None, sent: Sent::Maybe, .. }), "{script}: {error:?}");
    }
    // It may still say what it had to say.
    let patient = Options { close_grace: Duration::from_secs(3600), ..Options::default() };
    let script = "read -r line; exec <&-; echo '{\"id\":1,\"result\":{\"last\":true}}'";
    let answer = client_with(script, patient).get_task("x").await.unwrap();
    assert_eq!(answer.text(), r#"{"last":true}"#);
}

#[tokio::test]
async fn what_does_not_start_is_certainly_not_sent() {
    let stdio = |program: &str, cwd: Option<&str>| Endpoint::Stdio {
        program: program.into(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: cwd.map(Into::into),
    };
    let cases = [
        (stdio("signalbox-no-such-program", None), "No such file"),
        (stdio("/nonexistent/program", None), "No such file"),
        (stdio("/bin/sh", Some("/nonexistent/folder")), "there is no directory /nonexistent/folder"),
    ];
    for (endpoint, expected) in cases {
        let client =
            Client::new(endpoint, Options { restart_delay: Duration::from_secs(3600), ..Options::default() });
        for attempt in ["first", "too soon"] {
            let error = client.discover().await.expect_err(expected);
            assert_eq!(error.sent(), Sent::No);
            assert!(error.retry_after().is_some(), "{attempt}: {error:?}");
            let Error::Unreachable { stage: Stage::Spawn { .. }, why, .. } = &error else {
                panic!("{attempt}: {error:?}");
            };
            assert!(why.to_string().starts_with(expected), "{attempt}: {why}");
        }
    }
}

#[tokio::test]
async fn giving_up_on_a_request_tells_the_server() {
    // Calls are never answered; `tasks/get` is answered with all that came so far.
    let body = r#"seen="$seen $method"
        case $line in *requestId*) rest=${line#*requestId\":}; seen="$seen:${rest%%\}*}" ;; esac
        case $method in tasks/get) answer "\"$seen\"" ;; esac"#;
    let client = client(&each_request(body));
    client.get_task("x").await.expect("the start does not count towards the brief timeout below");
    let arguments = pretty();
    let brief = CallOptions { timeout: Some(Duration::from_millis(50)), ..CallOptions::default() };
    let timed_out = client.call_tool("t", &pretty(), brief).await;
    assert_eq!(timed_out, Err(Error::Timeout { ms: 50 }));
    tokio::select! {
        biased;
        called = client.call_tool("t", &arguments, CallOptions::default()) => panic!("{called:?}"),
        seen = client.get_task("x") => {
            let expected = "\" tasks/get tools/call notifications/cancelled:2 tools/call tasks/get\"";
            assert_eq!(seen.unwrap().text(), expected, "a timeout is told");
        }
    }
    let seen = client.get_task("x").await.unwrap();
    let expected = "\" tasks/get tools/call notifications/cancelled:2 tools/call tasks/get notifications/cancelled:3 tasks/get\"";
    assert_eq!(seen.text(), expected, "a dropped future is told; an answered request is not");
}

#[tokio::test]
async fn closing_is_graceful_first() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let script = format!("{}; echo eof >> \"$LOG\"", each_request("answer 1"));
    // A grace that would fail the test by its length, were it ever waited out.
    let options = Options { close_grace: Duration::from_secs(3600), ..Options::default() };
    let client = Client::new(endpoint(&script, &[("LOG", &log)]), options);
    client.get_task("x").await.unwrap();
    client.close().await;
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "eof\n", "the child left by itself");
    assert_eq!(client.get_task("x").await, Err(Error::Closed));
}

#[tokio::test]
async fn a_client_that_is_dropped_ends_its_child() {
    let folder = tempfile::tempdir().unwrap();
    let alive = folder.path().join("alive");
    // The child holds the pipe open for as long as it lives.
    let script = format!(r#"mkfifo "$ALIVE"; {}"#, each_request(r#"answer 1; exec 3> "$ALIVE""#));
    let client = Client::new(endpoint(&script, &[("ALIVE", &alive)]), Options::default());
    client.get_task("x").await.unwrap();
    let child = tokio::spawn(tokio::fs::read(alive));
    drop(client);
    child.await.unwrap().expect("the pipe ends with the child");
}

#[tokio::test]
async fn closing_goes_on_to_terminate_and_to_kill() {
    let folder = tempfile::tempdir().unwrap();
    for (trap, logged) in [("echo term >> \"$LOG\"; exit 0", "term\n"), ("", "")] {
        let (log, alive) = (
            folder.path().join(format!("log{}", logged.len())),
            folder.path().join(format!("alive{}", logged.len())),
        );
        std::fs::write(&log, "").unwrap();
        // The grandchild holds the pipe open for as long as it lives.
        let script = format!(
            r#"trap '{trap}' TERM; mkfifo "$ALIVE"; sleep 1000 > "$ALIVE" & {}
            while :; do sleep 0.01; done"#,
            each_request("answer 1")
        );
        let options = Options { close_grace: Duration::from_millis(300), ..Options::default() };
        let client = Client::new(endpoint(&script, &[("LOG", &log), ("ALIVE", &alive)]), options);
        client.get_task("x").await.unwrap();
        let grandchild = tokio::spawn(tokio::fs::read(alive));
        client.close().await;
        grandchild.await.unwrap().expect("the pipe ends when the grandchild has ended, too");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), logged);
    }
}

#[tokio::test]
async fn in_a_hurry_a_child_is_killed_at_once() {
    for before in [true, false] {
        // It heeds neither the end of its input nor a wish.
        let script = format!("trap '' TERM; {}; while :; do sleep 1000; done", each_request("answer 1"));
        // A grace that would fail the test by its length, were it ever waited out.
        let options = Options { close_grace: Duration::from_secs(3600), ..Options::default() };
        let client = Client::new(endpoint(&script, &[]), options);
        client.get_task("x").await.unwrap();
        if before {
            client.hurry();
            client.close().await;
        } else {
            let hurrying = async {
                tokio::task::yield_now().await;
                client.hurry();
            };
            tokio::join!(client.close(), hurrying);
        }
        assert_eq!(client.get_task("x").await, Err(Error::Closed), "it has ended");
    }
}

#[tokio::test]
async fn a_modern_child_is_discovered() {
    let client = client(&each_request(
        r#"answer '{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}'"#,
    ));
    let found = client.discover().await.unwrap();
    assert!(!found.tasks, "the extension is not declared");
    assert_eq!(found.name, "", "serverInfo is optional");
}

#[tokio::test]
async fn a_modern_child_may_start_slowly() {
    let body = r#"case $method in
        server/discover) first=$id ;;
        initialize) id=$first; answer '{"resultType":"complete","supportedVersions":["2026-07-28"]}' ;;
    esac"#;
    let options = Options { probe_timeout: Duration::from_millis(50), ..Options::default() };
    let found = client_with(&each_request(body), options).discover().await;
    assert!(found.is_ok(), "the late answer counts, although the legacy question is out: {found:?}");
}

#[tokio::test]
async fn legacy_children_are_told() {
    let legacy = r#"initialize) answer '{"protocolVersion":"2025-11-25","capabilities":{}}' ;;"#;
    let others = [
        ("an error", r#"*) printf '{"id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id" ;;"#),
        ("silence", "*) ;;"),
        ("its end", "*) exit 1 ;;"),
    ];
    for (name, other) in others {
        let options = Options { probe_timeout: Duration::from_millis(50), ..Options::default() };
        let client = client_with(&each_request(&format!("case $method in {legacy} {other} esac")), options);
        let error = client.discover().await.expect_err(name);
        assert_eq!(error, Error::LegacyOnly { version: Some("2025-11-25".into()) }, "{name}");
    }
}

#[tokio::test]
async fn a_child_that_never_answers_is_no_server() {
    let options = Options {
        probe_timeout: Duration::from_millis(20),
        request_timeout: Duration::from_millis(100),
        ..Options::default()
    };
    let error = client_with("cat > /dev/null", options).discover().await.expect_err("silence");
    assert_eq!(error, Error::NotMcp { status: None, content_type: None, hint: Hint::Silent });

    let error = client("echo 'usage: prog FILE' >&2; exit 2").discover().await.expect_err("no server");
    assert!(
        matches!(&error, Error::Exited { code: Some(2), stderr, .. } if stderr.contains("usage: prog FILE")),
        "{error:?}"
    );
}
