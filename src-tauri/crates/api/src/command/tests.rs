//! What crosses the owner's socket and to the window: byte for byte as hosts of the same version read it.

use std::collections::BTreeSet;

use super::*;

/// One of each command, with all that it can have.
const COMMANDS: &str = r#"
{"type":"add_server","name":"ci","transport":{"kind":"http","url":"http://x/mcp","headers":[["K",{"kind":"literal","value":"v"}]]},"untrusted":true}
{"type":"edit_server","server":"ci","transport":{"kind":"stdio","command":"a","args":["b"],"env":[],"cwd":"/c"}}
{"type":"pass_variables","server":"ci","names":["HOME"]}
{"type":"seen_withheld","server":"ci"}
{"type":"set_roots","server":"ci","roots":["file:///a"]}
{"type":"trust_server","server":"ci","shown":{"kind":"stdio","command":"a","args":[],"env":[]}}
{"type":"set_access","server":"ci","access":{"caCertificates":[],"proxy":"http://p","scopes":[],"machine":false}}
{"type":"rename_server","server":"ci","name":"cd"}
{"type":"set_server_enabled","server":"ci","enabled":false}
{"type":"remove_server","server":"ci"}
{"type":"check_server","server":"ci"}
{"type":"sign_in","server":"ci"}
{"type":"await_sign_in","server":"ci","attempt":"7-2"}
{"type":"sign_out","server":"ci"}
{"type":"start_demo"}
{"type":"remove_demo"}
{"type":"read_configurations","text":"{}"}
{"type":"import_servers","text":"{}","servers":[]}
{"type":"read_pasted","text":"npx a"}
{"type":"tools","server":"ci"}
{"type":"tool","server":"ci","tool":"deploy"}
{"type":"validate_arguments","schema":"{}","arguments":"{\"n\":1.0}"}
{"type":"start","server":"ci","tool":"deploy","arguments":"{\"n\":9007199254740993}","ttlMs":5}
{"type":"track","server":"ci","taskId":"abc"}
{"type":"list_tasks","server":"ci"}
{"type":"find","text":"t1"}
{"type":"read_filter","list":"tasks","filter":"is:w"}
{"type":"language","list":"inbox"}
{"type":"palette","text":"dep","own":[{"id":"go.inbox","words":"Inbox"}],"recent":[{"kind":"tool","server":"s1","tool":"deploy"},{"kind":"task","id":"t1"},{"kind":"view","name":"failed","server":"s1"},{"kind":"view","name":"all"}],"limit":50}
{"type":"refresh","call":"t1"}
{"type":"cancel","call":"t1","seen":"2026-11-24T08:00:00.000Z"}
{"type":"forget","call":"t1"}
{"type":"cancel_tasks","calls":["t1","t2"]}
{"type":"forget_tasks","calls":["t1"]}
{"type":"tag_tasks","calls":["t1"],"add":["eu"],"remove":["us"]}
{"type":"note_task","call":"t1","text":"n","seen":"o"}
{"type":"read_tasks","calls":["t1"]}
{"type":"diff","call":"t1"}
{"type":"payload","call":"t1","kind":"result"}
{"type":"payload_text","call":"t1","kind":"last","from":65536}
{"type":"result_text","call":"t1","part":2,"from":65536}
{"type":"result_blob","call":"t1","part":2}
{"type":"read_resource","server":"ci","uri":"file:///a"}
{"type":"answer","request":"r1","action":"accept","content":"{}","holdMs":5000,"seen":"2026-11-24T08:00:00.000Z","asks":"ab"}
{"type":"answer_together","requests":[{"request":"r1","asks":"ab"},{"request":"r2","asks":"cd"}],"schema":"{}","action":"accept","content":"{}","holdMs":5000}
{"type":"settle","item":{"kind":"request","id":"r1"},"said":{"action":"decline"}}
{"type":"undo","request":"r1","decidedAt":"2026-11-24T08:00:00.000Z"}
{"type":"undo_together","answers":[{"request":"r1","decidedAt":"2026-11-24T08:00:00.000Z"}]}
{"type":"put_away","request":"r1"}
{"type":"snooze","request":"r1","until":{"until":"at","at":"2026-11-24T08:00:00.000Z"}}
{"type":"take_back_held"}
{"type":"begin_visit","request":"r1","seen":"2026-11-24T08:00:00.000Z","asks":"ab"}
{"type":"end_visit","request":"r1","opened":true,"seen":"2026-11-24T08:00:00.000Z","asks":"ab"}
{"type":"validate","request":"r1","content":"{}"}
{"type":"earlier_answers","request":"r1"}
{"type":"save_draft","request":"r1","draft":"{}"}
{"type":"quit"}
{"type":"export","what":"tasks","after":7,"withHandles":true,"filter":"is:ended","calls":["t1"]}
{"type":"verify"}
{"type":"check_store"}
{"type":"backup","file":"/b"}
{"type":"diagnostics"}
{"type":"read_autostart"}
{"type":"set_autostart","on":true}
{"type":"set_shortcut","keys":"Ctrl+Alt+S"}
{"type":"secrets"}
{"type":"keep_secrets","place":"file","passphrase":"p","setAside":true}
{"type":"read_forgotten"}
{"type":"unlock_secrets","passphrase":"p"}
{"type":"set_settings","settings":{"pollFloorMs":1000,"pollsPerSecond":2500,"undoMs":5000,"notifications":{"level":"needs_me","rules":[{"server":"s1","level":"nothing"},{"server":"s1","tool":"deploy","level":"everything"}],"quiet":{"from":"22:00","to":"07:00"},"contents":true},"background":true,"theme":"system","logLevel":"info","messageLimit":67108864,"keepDays":90,"keepMib":1024}}
{"type":"set_preference","key":"tasks.list","value":"{\"sort\":\"-ended\"}"}
{"type":"set_front","item":{"kind":"call","id":"t1"}}
{"type":"bring_forward","item":{"kind":"call","id":"t1"},"link":"signalbox://open/t1","token":"e3b0c442"}
{"type":"pause_notifications","until":"2026-11-24T08:00:00.000Z"}
{"type":"test_notification"}
{"type":"resumed","command":{"type":"cancel","call":"t1"}}
"#;

/// Commands with less than they can have, and what else an older host may say.
const SHORTER: [(&str, &str); 6] = [
    (
        r#"{"type":"add_server","name":"ci","transport":{"kind":"http","url":"u","headers":[]}}"#,
        r#"{"type":"add_server","name":"ci","transport":{"kind":"http","url":"u","headers":[]},"untrusted":false}"#,
    ),
    (
        r#"{"type":"keep_secrets","place":"file"}"#,
        r#"{"type":"keep_secrets","place":"file","setAside":false}"#,
    ),
    (r#"{"type":"bring_forward"}"#, r#"{"type":"bring_forward"}"#),
    (r#"{"type":"set_front"}"#, r#"{"type":"set_front"}"#),
    (r#"{"type":"pause_notifications"}"#, r#"{"type":"pause_notifications"}"#),
    (r#"{"type":"verify","once":"more"}"#, r#"{"type":"verify"}"#),
];

const REPLIES: &str = r#"
{"type":"done"}
{"type":"importable","servers":[],"skipped":[]}
{"type":"imported","outcomes":[]}
{"type":"demo_removed","tasks":3}
{"type":"sign_in","url":"http://a","attempt":"7-1"}
{"type":"sign_in","attempt":"7-1"}
{"type":"signed_out","validStill":"why"}
{"type":"signed_out"}
{"type":"tools","tools":[]}
{"type":"listed"}
{"type":"listed","listing":{"tasks":[],"followed":1,"complete":true}}
{"type":"started","call":"t1"}
{"type":"found","calls":["t1"]}
{"type":"several","outcomes":[{"call":"t1"}]}
{"type":"task_rows","rows":[]}
{"type":"compared"}
{"type":"compared","difference":{"earlier":"t1","endedAt":"2026-11-24T08:00:00.000Z","lines":[{"of":"later","text":"a"}],"leftOut":0,"cut":false}}
{"type":"together","outcomes":[{"request":"r1","decidedAt":"2026-11-24T08:00:00.000Z"},{"request":"r2"}]}
{"type":"validated","errors":[],"sends":"{}"}
{"type":"validated","errors":[]}
{"type":"earlier_answers","answers":[]}
{"type":"filtered","fault":"why"}
{"type":"language","keys":[{"name":"is","words":["over"]}],"lengths":["age"],"days":["ended"],"sorts":["id"],"groups":["none"]}
{"type":"palette","entries":[{"item":{"kind":"request","id":"r1"},"words":"Deploy?","matched":[0,1,2],"about":"deploy","server":"ci","waits":true,"expiresAt":"2026-11-24T08:00:00.000Z"},{"item":{"kind":"task","id":"t1"},"words":"deploy","matched":[],"outcome":"ok","endedAt":"2026-11-24T08:00:00.000Z","waits":false},{"item":{"kind":"own","id":"help"},"words":"Help","matched":[],"waits":false}],"complete":true}
{"type":"page","url":"http://a"}
{"type":"payload","json":"{}"}
{"type":"payload"}
{"type":"text_piece","text":"t","from":0,"next":7,"bytes":9}
{"type":"text_piece","text":"t","from":7,"bytes":9}
{"type":"shown_blob","mediaType":"image/png","base64":"aaaa"}
{"type":"resource_read","contents":[{"kind":"resource","uri":"a:b","mimeType":"text/plain","text":"t","bytes":1}],"more":0}
{"type":"portion","lines":["{}"],"next":7,"leftOut":1}
{"type":"problems","problems":["p"]}
{"type":"backed_up","bytes":1,"leftOut":2}
{"type":"secrets_moved","secrets":{"place":"file","state":"open"},"moved":1,"left":["ci"],"aside":"/a"}
{"type":"forgotten","servers":["ci"]}
{"type":"secrets","secrets":{"place":"file","state":"open"}}
{"type":"autostart","autostart":{"on":false,"file":"/a","other":"b --hidden"}}
{"type":"notification_tested","service":"gnome-shell","version":"47","actions":true,"inhibited":false}
{"type":"notification_tested","service":"a","actions":false,"inhibited":true}
{"type":"text","text":"t"}
"#;

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty())
}

#[test]
fn a_command_is_the_same_json_as_ever() {
    let same = lines(COMMANDS).map(|line| (line, line));
    for (read, written) in same.chain(SHORTER) {
        let command: Command = serde_json::from_str(read).unwrap_or_else(|error| panic!("{read}: {error}"));
        assert_eq!(serde_json::to_string(&command).unwrap(), written);
    }
}

#[test]
fn a_reply_is_the_same_json_as_ever() {
    for line in lines(REPLIES) {
        let reply: Reply = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(serde_json::to_string(&reply).unwrap(), line);
    }
}

/// The `type` of each line.
fn types(text: &str) -> BTreeSet<String> {
    let parsed = lines(text).map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    parsed.map(|value| value["type"].as_str().unwrap().to_owned()).collect()
}

#[cfg(feature = "bindings")]
#[test]
fn every_command_has_one_reply_for_typescript_too() {
    use crate::bindings::{Replies, word};
    use ts_rs::{Config, TS};

    /// What TypeScript may say the `type` is.
    fn tags(union: &str) -> BTreeSet<&str> {
        union.split(r#""type": ""#).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }
    let config = Config::default();
    let (commands, replies) = (Command::inline(&config), Reply::inline(&config));
    let (commands, replies) = (tags(&commands), tags(&replies));
    let map = Replies::inline(&config);
    let pairs: Vec<(&str, &str)> = map
        .lines()
        .skip(1)
        .map(|line| line.trim_end_matches([',', ' ', '}']).split_once(": ").unwrap())
        .map(|(command, reply)| (command.trim_matches('"'), reply.trim_matches('"')))
        .collect();
    assert_eq!(pairs.len(), commands.len(), "each once");
    assert_eq!(pairs.iter().map(|pair| pair.0).collect::<BTreeSet<_>>(), commands, "all that a page can say");
    assert_eq!(
        pairs.iter().map(|pair| pair.1).collect::<BTreeSet<_>>(),
        replies,
        "no reply without a command"
    );
    for line in lines(COMMANDS) {
        let command: Command = serde_json::from_str(line).unwrap();
        if let Command::Resumed { command } = &command {
            assert_eq!(command.reply(), ReplyKind::Done, "that of the command itself");
            continue;
        }
        let said = types(line).pop_first().unwrap();
        let reply = word(command.reply());
        assert!(pairs.contains(&(said.as_str(), reply.as_str())), "{said} has the reply {reply}");
    }
    let listed = CommandKind::REPLIES.iter().map(|(kind, _)| word(kind)).chain(["resumed".to_owned()]);
    assert_eq!(types(COMMANDS), listed.collect(), "none is left out above");
}

#[test]
fn only_what_is_committed_or_does_no_harm_is_asked_again() {
    let repeat = |line: &str| serde_json::from_str::<Command>(line).unwrap().repeat();
    assert_eq!(repeat(r#"{"type":"end_visit","request":"r1","opened":true}"#), Repeat::Resumed);
    assert_eq!(repeat(r#"{"type":"end_visit","request":"r1","opened":false}"#), Repeat::Once);
    let again = lines(COMMANDS).filter(|line| repeat(line) != Repeat::Once);
    assert_eq!(
        again.flat_map(types).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>(),
        [
            "answer",
            "answer_together",
            "begin_visit",
            "cancel",
            "diff",
            "earlier_answers",
            "end_visit",
            "find",
            "language",
            "note_task",
            "palette",
            "payload_text",
            "read_autostart",
            "read_filter",
            "read_tasks",
            "refresh",
            "result_blob",
            "result_text",
            "resumed",
            "set_autostart",
            "set_shortcut",
            "settle",
            "tag_tasks"
        ]
    );
}
