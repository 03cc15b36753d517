//! The palette beside a store that changes: what is found, in which order, and how much of it.

use crate::{
    OwnEntry, PaletteEntry, PaletteItem, SAVED_VIEWS,
    command::{Palette, Ranked},
    local::host::preference,
};

use super::*;

fn tools(server: u32, tools: &serde_json::Value) -> Write {
    Write::PutTools { server: ServerId(server), tools: Json::of(tools) }
}

fn views(views: &serde_json::Value) -> Write {
    Write::PutSetting { key: preference(SAVED_VIEWS), value: Json::of(views) }
}

fn enabled(id: u32, name: &str) -> Write {
    match server(id, name) {
        Write::PutServer(server) => Write::PutServer(Server { enabled: true, ..server }),
        other => other,
    }
}

fn about(id: u32, server: u32, tool: &str, summary: &str, outcome: Option<Outcome>) -> Write {
    put(Call { summary: summary.to_owned(), ..call(id, server, tool, outcome) })
}

fn asked(id: u32, server: u32, call: u32, message: &str) -> Write {
    let identity = Identity::Task { call: CallId(call), key: format!("k{id}") };
    let asked = InputRequest::new(RequestId(id), ServerId(server), identity, Timestamp(id.into()));
    Write::PutRequest(Box::new(InputRequest { message: message.to_owned(), ..asked }))
}

/// A desk with two servers, four tasks and two questions, of which all is read.
async fn filled(dir: &Path) -> Local {
    let listed = serde_json::json!([
        {"name": "deploy", "title": "Deploy", "description": "Builds a service\nand rolls it out."},
        {"name": "lint"},
        {"description": "no name"},
    ]);
    let writes = vec![
        enabled(1, "ci"),
        server(2, "research"),
        tools(1, &listed),
        tools(2, &serde_json::json!([{"name": "deploy-nowhere"}])),
        put(Call { summary: "api-gateway 4.18.2".to_owned(), open_requests: 2, ..going_on(1) }),
        about(2, 1, "deploy", "billing 1.9.0", Some(Outcome::ProtocolError)),
        put(Call {
            server: ServerId(2),
            tool: "train".to_owned(),
            summary: "tagger on v14".to_owned(),
            open_requests: 1,
            ..going_on(3)
        }),
        about(4, 1, "deploy", "search 1.4", Some(Outcome::Ok)),
        views(
            &serde_json::json!([{"name": "failed", "server": "s1"}, {"name": "all of them", "server": "s9"}]),
        ),
        asked(1, 1, 1, "Approve deployment to production?"),
        asked(2, 2, 3, "Which dataset?"),
    ];
    let desk = desk(dir, crate::OwnerKind::Serve, writes).await;
    let _ = ask(&desk, "", &[]).await;
    whole(&desk.catalogue).await;
    desk
}

fn own() -> Vec<OwnEntry> {
    let own = [("go.inbox", "Inbox"), ("settings.keys", "Settings: Keyboard"), ("help", "Keyboard help")];
    own.map(|(id, words)| OwnEntry { id: id.to_owned(), words: words.to_owned() }).to_vec()
}

async fn ask(desk: &Local, text: &str, recent: &[PaletteItem]) -> Ranked {
    desk.act(Palette { text: text.to_owned(), own: own(), recent: recent.to_vec(), limit: 50 }).await.unwrap()
}

fn task(id: u32) -> PaletteItem {
    PaletteItem::Task { id: CallId(id) }
}

fn deploy() -> PaletteItem {
    PaletteItem::Tool { server: ServerId(1), tool: "deploy".to_owned() }
}

fn items(entries: &[PaletteEntry]) -> Vec<&PaletteItem> {
    entries.iter().map(|entry| &entry.item).collect()
}

/// The letters of an entry that were looked for.
fn letters(entry: &PaletteEntry) -> String {
    let all: Vec<char> = entry.words.chars().collect();
    entry.matched.iter().map(|at| all[*at as usize]).collect()
}

#[tokio::test]
async fn what_begins_so_is_found_kind_by_kind_the_tool_first() {
    let dir = tempfile::tempdir().unwrap();
    let desk = filled(dir.path()).await;
    let Ranked { entries, complete } = ask(&desk, "dep", &[]).await;
    assert!(complete);
    let question = PaletteItem::Request { id: RequestId(1) };
    assert_eq!(entries[0].item, deploy(), "a tool of a server that is off cannot be started");
    assert_eq!(entries[0].about.as_deref(), Some("Deploy · Builds a service and rolls it out."));
    assert_eq!(entries[0].server.as_deref(), Some("ci"));
    assert_eq!(items(&entries[1..]), [&question, &task(4), &task(2), &task(1)], "of equals the newest first");
    assert!(entries.iter().all(|entry| letters(entry) == "dep"), "{entries:?}");
    assert_eq!((entries[2].outcome, entries[2].waits), (Some(Outcome::Ok), false));
    assert_eq!((entries[4].outcome, entries[4].waits), (None, true));
}

#[tokio::test]
async fn each_word_is_looked_for_wherever_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let desk = filled(dir.path()).await;
    let found = async |text: &str| ask(&desk, text, &[]).await.entries;
    assert_eq!(items(&found("bill dep").await), [&task(2)], "one in the tool, the other in the arguments");
    let question = PaletteItem::Request { id: RequestId(2) };
    assert_eq!(items(&found("TRAIN research").await), [&question, &task(3)], "in the name of its server");
    assert_eq!(items(&found("dply bil").await), [&task(2)], "of a name letters may be left out");
    assert_eq!(items(&found("t3").await)[0], &task(3), "a short id is the best there is");
    assert!(found("bllng").await.is_empty(), "in longer texts they stand in a row: else anything has them");
    assert!(found("!dep").await.is_empty(), "what is typed has no signs of its own");
    assert_eq!(letters(&found("keyb").await[0]), "Keyb");
    assert_eq!(items(&found("keyb").await).len(), 2, "the host's own are ranked with all else");
}

#[tokio::test]
async fn where_nothing_is_typed_what_was_chosen_of_late_comes_first() {
    let dir = tempfile::tempdir().unwrap();
    let desk = filled(dir.path()).await;
    let gone = [
        task(99),
        PaletteItem::Server { id: ServerId(9) },
        PaletteItem::Own { id: "no longer there".to_owned() },
        PaletteItem::Tool { server: ServerId(1), tool: "gone".to_owned() },
        PaletteItem::Tool { server: ServerId(2), tool: "deploy-nowhere".to_owned() },
    ];
    let recent = [gone.as_slice(), &[deploy(), task(2), PaletteItem::Own { id: "help".to_owned() }]].concat();
    let Ranked { entries, .. } = ask(&desk, "  ", &recent).await;
    assert_eq!(items(&entries[..3]), recent[5..].iter().collect::<Vec<_>>(), "what is gone is left out");
    let rest = items(&entries[3..]);
    let request = |id| PaletteItem::Request { id: RequestId(id) };
    let inbox = PaletteItem::Own { id: "go.inbox".to_owned() };
    assert!(rest.contains(&&request(1)) && rest.contains(&&request(2)), "{rest:?}");
    assert!(rest.contains(&&task(4)) && rest.contains(&&inbox), "{rest:?}");
    assert!(!rest.contains(&&task(2)), "nothing stands there twice: {rest:?}");
    assert!(entries.iter().all(|entry| entry.matched.is_empty()));
}

#[tokio::test]
async fn of_equals_those_come_first_that_were_chosen_of_late() {
    let dir = tempfile::tempdir().unwrap();
    let desk = filled(dir.path()).await;
    let recent = [task(1), PaletteItem::Server { id: ServerId(9) }, task(2)];
    let found = ask(&desk, "deploy", &recent).await.entries;
    assert_eq!(
        items(&found)[..4],
        [&task(1), &task(2), &task(4), &deploy()],
        "the latest first, and so their kind"
    );
    assert_eq!(items(&ask(&desk, "deploy search", &recent).await.entries), [&task(4)], "none that fits less");
}

#[tokio::test]
async fn a_saved_view_is_found_by_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let desk = filled(dir.path()).await;
    let view =
        |name: &str, server| PaletteItem::View { name: name.to_owned(), server: Some(ServerId(server)) };
    let found = ask(&desk, "fail", &[]).await.entries;
    assert_eq!(items(&found), [&view("failed", 1)]);
    assert_eq!(found[0].server.as_deref(), Some("ci"));
    let Ranked { entries, .. } = ask(&desk, "", &[view("all of them", 4), view("gone", 1)]).await;
    assert_eq!(
        entries[0].item,
        view("all of them", 9),
        "it is what its name says, wherever it was narrowed to then"
    );
    assert_eq!(entries[0].server, None, "a server that is gone narrows nothing");
    let views = entries.iter().filter(|entry| matches!(entry.item, PaletteItem::View { .. }));
    assert_eq!(views.count(), 2, "nothing stands there twice");
}

#[tokio::test]
async fn of_very_many_a_few_are_given_and_of_long_texts_the_beginning() {
    let dir = tempfile::tempdir().unwrap();
    let mut writes = vec![enabled(1, &"n".repeat(3_000))];
    writes.push(tools(
        1,
        &serde_json::json!(
            (0..300).map(|n| serde_json::json!({"name": format!("deploy-{n}")})).collect::<Vec<_>>()
        ),
    ));
    writes.extend((1..=2_000).map(|id| about(id, 1, "deploy", &"ab ".repeat(400), None)));
    writes.extend((1..=60).map(|id| asked(id, 1, 1, &"deploy ".repeat(400))));
    let desk = desk(dir.path(), crate::OwnerKind::Serve, writes).await;
    let _ = ask(&desk, "", &[]).await;
    whole(&desk.catalogue).await;
    let many: Vec<OwnEntry> =
        (0..1_000).map(|n| OwnEntry { id: format!("a{n}"), words: "deploy ".repeat(1_000) }).collect();
    for text in ["deploy", ""] {
        let recent = (1..=100).map(task).collect();
        let act = Palette { text: text.to_owned(), own: many.clone(), recent, limit: 4_000_000_000 };
        let Ranked { entries, .. } = desk.act(act).await.unwrap();
        assert!(entries.len() <= 50, "{}", entries.len());
        let tasks = entries.iter().filter(|entry| matches!(entry.item, PaletteItem::Task { .. })).count();
        assert!((8..=13).contains(&tasks), "of each kind there is room: {tasks}");
        let longest = entries.iter().map(|entry| entry.words.chars().count()).max();
        assert!(longest <= Some(200), "{longest:?}");
        let mut beside = entries.iter().flat_map(|entry| [&entry.about, &entry.server]).flatten();
        assert!(beside.all(|text| text.chars().count() <= 200));
    }
    let act = Palette { text: "dep".to_owned(), own: Vec::new(), recent: Vec::new(), limit: 3 };
    assert_eq!(desk.act(act).await.unwrap().entries.len(), 3);
}

#[tokio::test]
async fn hostile_texts_are_found_as_what_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let name = "d\u{202e}e\u{301}ploy\r\n<b>\u{1f469}\u{200d}\u{1f692}";
    let writes = vec![
        enabled(1, "ci"),
        tools(1, &serde_json::json!([{"name": name, "description": 7}, 5, {"name": {}}])),
        about(1, 1, name, "zzz", None),
    ];
    let desk = desk(dir.path(), crate::OwnerKind::Serve, writes).await;
    let _ = ask(&desk, "", &[]).await;
    whole(&desk.catalogue).await;
    let found = ask(&desk, "ploy <b>", &[]).await.entries;
    let tool = PaletteItem::Tool { server: ServerId(1), tool: name.to_owned() };
    assert_eq!(
        items(&found),
        [&tool, &task(1)],
        "the name itself is untouched: a start must not mean another"
    );
    assert!(found.iter().all(|entry| !entry.words.contains('\n')), "each stands on one line");
    assert_eq!(letters(&found[0]), "ploy<b>", "places count code points, whatever the letters");
    let long = ["a".repeat(100_000), "a ".repeat(100_000)];
    for text in ["\u{0}", "\u{202e}", "\\ ", "^d$ '", "\u{1f469}\u{200d}", &long[0], &long[1]] {
        let _ = ask(&desk, text, &[]).await;
    }
}

#[tokio::test]
async fn a_desk_that_knows_nothing_still_leads_to_places() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(dir.path(), crate::OwnerKind::Serve, vec![]).await;
    assert_eq!(ask(&desk, "", &[]).await.entries.len(), 3);
    assert_eq!(ask(&desk, "inb", &[]).await.entries.len(), 1);
    assert!(ask(&desk, "qqq", &[]).await.entries.is_empty());
}
