use jiff::tz::TimeZone;
use signalbox_model::{
    Call, CallBrief, CallId, Origin, Outcome, Server, ServerId, Tags, Timestamp, Transport,
};

use crate::{Change, Filter, FilterError, NarrowRequest, NarrowTask, Query, Rows, World, suggest};

fn world() -> World {
    let mut world = World::new(TimeZone::UTC);
    for (id, name) in [(1, "ci"), (2, "Dev, box"), (3, "say \"hi\"")] {
        let transport = Transport::Http { url: "http://127.0.0.1:1/".to_owned(), headers: vec![] };
        world.put_server(&Server::new(ServerId(id), name.to_owned(), transport), 1);
    }
    world
}

fn call(id: u32, server: u32, tool: &str, outcome: Option<Outcome>) -> Call {
    Call {
        tool: tool.to_owned(),
        outcome,
        ended_at: outcome.map(|_| Timestamp(0)),
        ..Call::new(CallId(id), ServerId(server), Origin::Started, Timestamp(0))
    }
}

fn rows(world: &mut World) -> Rows<NarrowTask> {
    let mut rows = Rows::default();
    let calls = [
        call(1, 1, "deploy", None),
        call(2, 1, "deploy", Some(Outcome::ToolError)),
        call(3, 2, "build it", Some(Outcome::Ok)),
        Call { origin: Origin::Adopted, ..call(4, 3, "build it", Some(Outcome::Lost)) },
    ];
    let changes: Vec<_> =
        calls.iter().map(|call| Change::Put(NarrowTask::new(&call.into(), 1, world))).collect();
    rows.apply(changes, world, Timestamp(0));
    rows
}

fn shown(text: &str) -> Vec<u32> {
    let mut world = world();
    let mut rows = rows(&mut world);
    let filter = Filter::read::<NarrowTask>(text, &world).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    let query = Query { filter, ..Query::default() };
    rows.sight(&query, &world, Timestamp(0)).window(0, usize::MAX).map(|id| id.0).collect()
}

#[test]
fn filters_are_read_as_people_write_them() {
    let cases: [(&str, &[u32]); 40] = [
        ("", &[1, 2, 3, 4]),
        ("  ", &[1, 2, 3, 4]),
        ("-", &[1, 2, 3, 4]),
        ("\"\"", &[1, 2, 3, 4]),
        ("deploy", &[1, 2]),
        ("DEPLOY", &[1, 2]),
        ("-deploy", &[3, 4]),
        ("t3", &[3]),
        ("failed", &[2]),
        ("tool error", &[2]),
        ("\"tool error\"", &[2]),
        ("\"error tool\"", &[]),
        ("server:ci", &[1, 2]),
        ("server:s1", &[1, 2]),
        ("server:\"dev, box\"", &[3]),
        ("server:c", &[]),
        ("server:c*", &[1, 2]),
        ("server:\"dev,\"*", &[3]),
        ("server:ci,\"Dev, box\"", &[1, 2, 3]),
        ("server:ci server:\"dev, box\"", &[1, 2, 3]),
        ("-server:ci -server:\"dev, box\"", &[4]),
        ("tool:\"build it", &[3, 4]),
        ("is:ended -outcome:ok", &[2, 4]),
        ("outcome:ok,lost", &[3, 4]),
        ("outcome:*", &[2, 3, 4]),
        ("outcome:failed", &[2]),
        ("outcome:failed,ok", &[2, 3]),
        ("outcome:failed outcome:lost", &[2, 4]),
        ("-outcome:failed", &[1, 3, 4]),
        ("Status:Working Server:CI", &[1, 2]),
        ("origin:adopted", &[4]),
        ("origin:started", &[1, 2, 3]),
        ("adopted", &[]),
        ("done", &[3]),
        ("live", &[]),
        ("started>0s", &[]),
        ("https://example.org/", &[]),
        ("error:42", &[]),
        ("a\"b", &[]),
        ("ended:1970-01-01", &[2, 3, 4]),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), expected, "{text:?}");
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let world = world();
    let error = |text: &str| Filter::read::<NarrowTask>(text, &world).expect_err(text);
    assert_eq!(
        error("deploy status:wrking").to_string(),
        "there is no status `wrking`. There is: working, input_required, completed, failed, cancelled, unknown"
    );
    let cases = [
        ("status:", FilterError::NoValue("status:".to_owned())),
        ("x server:\"\"", FilterError::NoValue("server:".to_owned())),
        ("age>", FilterError::NoValue("age>".to_owned())),
        ("age:1h", FilterError::NoSign("age")),
        ("age:", FilterError::NoSign("age")),
        ("-age>1y", FilterError::BadLength("1y".to_owned())),
        ("ended:monday", FilterError::BadDay("monday".to_owned())),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text:?}");
    }
    assert_eq!(
        error("mode:form").to_string(),
        "this list has no `mode`. It has: server, tool, is, status, outcome, tracking, wire, origin, tag, \
         age, silent, ended, left, started"
    );
    assert!(error("outcome:x").to_string().ends_with(", failed"), "also what means several");
    let silent =
        Filter::read::<NarrowRequest>("silent>1h", &world).expect_err("no question has such a moment");
    assert_eq!(
        silent.to_string(),
        "this list has no `silent`. It has: server, tool, is, state, mode, attention, age, ended, left, started"
    );
}

#[test]
fn tags_are_asked_for_and_offered() {
    let mut world = world();
    let mut rows = Rows::<NarrowTask>::default();
    let tagged = [(1, "eu release"), (2, "release urgent"), (3, "")];
    let changes: Vec<_> = tagged
        .into_iter()
        .map(|(id, tags)| {
            let call = call(id, 1, "deploy", None);
            let brief = CallBrief { tags: Tags::read(tags), ..(&call).into() };
            Change::Put(NarrowTask::new(&brief, 1, &mut world))
        })
        .collect();
    rows.apply(changes, &mut world, Timestamp(0));
    let offered = |text: &str| {
        let found = suggest(&rows, &Filter::default(), text, text.len(), &world, Timestamp(0));
        found.into_iter().map(|of| format!("{} {}", of.text, of.count)).collect::<Vec<_>>()
    };
    assert_eq!(offered("tag:"), ["tag:release 2", "tag:eu 1", "tag:urgent 1"]);
    assert_eq!(offered("tag:eu tag:rel"), ["tag:release 2"], "all that have it, also those that have both");
    assert_eq!(offered("urg"), ["tag:urgent 1"]);
    assert_eq!(offered("-tag:rel"), ["-tag:release 1"], "those that are left");
    let mut shown = |text: &str| {
        let filter = Filter::read::<NarrowTask>(text, &world).unwrap();
        let query = Query { filter, ..Query::default() };
        rows.sight(&query, &world, Timestamp(0)).window(0, usize::MAX).map(|id| id.0).collect::<Vec<_>>()
    };
    assert_eq!(shown("tag:Release -tag:eu"), [2]);
    assert_eq!(shown("tag:eu,urgent"), [1, 2]);
    assert_eq!((shown("-tag:*"), shown("tag:rel*")), (vec![3], vec![1, 2]));
    assert_eq!(
        (shown("urgent"), shown("\"eu release\"")),
        (vec![2], vec![]),
        "no phrase is found across two"
    );
}

#[test]
fn what_has_the_same_name_is_offered_once() {
    let mut world = world();
    let transport = Transport::Http { url: "http://127.0.0.1:1/".to_owned(), headers: vec![] };
    // The one of before was removed, and its tasks are still there.
    world.put_server(&Server::new(ServerId(9), "CI".to_owned(), transport), 1);
    let mut rows = rows(&mut world);
    let other = call(5, 9, "Deploy", None);
    rows.apply([Change::Put(NarrowTask::new(&(&other).into(), 1, &mut world))], &mut world, Timestamp(0));
    let offered = |text: &str| {
        let found = suggest(&rows, &Filter::default(), text, text.len(), &world, Timestamp(0));
        found.into_iter().map(|of| (of.text.to_lowercase(), of.count)).collect::<Vec<_>>()
    };
    assert_eq!(offered("server:ci"), [("server:ci".to_owned(), 3)]);
    assert_eq!(offered("tool:dep"), [("tool:deploy".to_owned(), 3)]);
}

#[test]
fn of_filters_beside_each_other_both_hold() {
    let world = world();
    let read = |text: &str| Filter::read::<NarrowTask>(text, &world).unwrap();
    let shown = |within: &str, filter: &str| {
        let (mut rows, filter) = (rows(&mut super::tests::world()), read(within).and(read(filter)));
        let query = Query { filter, ..Query::default() };
        rows.sight(&query, &world, Timestamp(0)).window(0, usize::MAX).map(|id| id.0).collect::<Vec<_>>()
    };
    assert_eq!(shown("server:ci", "server:\"Dev, box\""), [0; 0], "they are not both servers");
    assert_eq!(shown("server:ci,s2", "server:\"Dev, box\" is:ended"), [3]);
    assert_eq!(shown("", "is:ended"), [2, 3, 4]);
    assert_ne!(read("a").and(read("b c")), read("a b").and(read("c")), "they are not the same list");
}

#[test]
fn a_short_id_means_that_server_alone() {
    let mut world = world();
    let transport = Transport::Http { url: "http://127.0.0.1:1/".to_owned(), headers: vec![] };
    world.put_server(&Server::new(ServerId(4), "s1".to_owned(), transport), 1);
    let mut rows = rows(&mut world);
    rows.apply(
        [Change::Put(NarrowTask::new(&(&call(5, 4, "x", None)).into(), 1, &mut world))],
        &mut world,
        Timestamp(0),
    );
    let offered = suggest(&rows, &Filter::default(), "server:s1", 9, &world, Timestamp(0));
    assert_eq!(offered.first().map(|of| of.text.as_str()), Some("server:\"s1\""));
    let mut shown = |text: &str| {
        let filter = Filter::read::<NarrowTask>(text, &world).unwrap();
        let query = Query { filter, ..Query::default() };
        rows.sight(&query, &world, Timestamp(0)).window(0, usize::MAX).map(|id| id.0).collect::<Vec<_>>()
    };
    assert_eq!(shown("server:s1"), [1, 2], "and not one that is named so");
    assert_eq!(shown("server:\"s1\""), [5], "in quotation marks it is a name");
    assert_eq!(shown("server:s4"), [5]);
    assert_eq!(shown("server:s9"), [0; 0], "there is none");
}

#[test]
fn a_filter_has_a_bound() {
    let world = world();
    let read = |text: &str| Filter::read::<NarrowTask>(text, &world);
    assert!(read(&"a ".repeat(32)).is_ok());
    assert_eq!(read(&"a ".repeat(33)).unwrap_err(), FilterError::TooLong { most: 32, what: "tokens" });
    assert!(read(&"a".repeat(1_024)).is_ok());
    assert_eq!(read(&"a".repeat(1_025)).unwrap_err(), FilterError::TooLong { most: 1_024, what: "bytes" });
}

#[test]
fn no_text_panics_whatever_it_is() {
    let mut world = world();
    let rows = rows(&mut world);
    for text in [
        "-\"",
        "server:\"",
        ":",
        ">",
        "-:",
        "age>-1h",
        "server:*",
        "ü\"ß",
        "server:ci,,",
        "*",
        "ended:9999-12-31",
    ] {
        let read = Filter::read::<NarrowTask>(text, &world);
        for caret in 0..=text.len() + 1 {
            let found = suggest(&rows, &Filter::default(), text, caret, &world, Timestamp(i64::MAX));
            assert!(found.len() <= 8, "{text:?} at {caret}: {read:?}");
        }
    }
}

#[test]
fn what_is_offered_says_how_many_rows_it_shows() {
    let mut world = world();
    let rows = rows(&mut world);
    let offered = |text: &str| {
        let found = suggest(&rows, &Filter::default(), text, text.len(), &world, Timestamp(0));
        found.into_iter().map(|of| (of.text, of.count)).collect::<Vec<_>>()
    };
    let own = |all: &[(&str, usize)]| {
        all.iter().map(|(text, count)| ((*text).to_owned(), *count)).collect::<Vec<_>>()
    };
    assert_eq!(offered("status:"), own(&[("status:working", 4)]), "what shows nothing is not offered");
    assert_eq!(offered("zz tool:b"), own(&[]), "the rest of the filter shows nothing");
    assert_eq!(
        offered("server:"),
        own(&[("server:ci", 2), ("server:\"Dev, box\"", 1), ("server:\"say \"*", 1)])
    );
    assert_eq!(offered("is:ended server:").len(), 3, "of the rows that the rest shows");
    assert_eq!(offered("server:ci,d"), own(&[("server:ci,\"Dev, box\"", 1)]));
    let beside: Vec<String> = offered("server:ci ").into_iter().map(|(text, _)| text).collect();
    assert!(
        beside.contains(&"is:ended".to_owned()) && !beside.contains(&"server:ci".to_owned()),
        "{beside:?}"
    );
    assert_eq!(offered("-server:ci"), own(&[("-server:ci", 2)]));
    assert_eq!(offered("-server:dev"), own(&[("-server:\"Dev, box\"", 3)]), "those that are left");
    assert_eq!(offered("tool:deploy tool:b"), own(&[("tool:\"build it\"", 2)]), "those that it adds");
    assert_eq!(
        offered("fai"),
        own(&[("outcome:failed ended:today", 1), ("outcome:failed", 1)]),
        "what many look for is one press away"
    );
    assert_eq!(offered("").first(), Some(&("outcome:failed ended:today".to_owned(), 1)));
    for (text, count) in [offered(""), offered("o")].concat() {
        assert_eq!(shown(&text).len(), count, "{text} shows as many as it says");
    }
}
