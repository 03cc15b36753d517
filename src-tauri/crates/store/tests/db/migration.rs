//! Databases of earlier formats open, keep everything, and were copied before. Longer than most: what each format was
//! stands here, as it was.

use std::{fs, path::Path};

use rusqlite::Connection;
use signalbox_model::{
    Action, Actor, Answer, Attention, CallId, Decision, DecisionKind, Earlier, Health, Json, Note, NoteCode,
    PayloadKind, Reason, RequestId, RequestState, ServerId, Status, Timestamp,
};
use signalbox_store::{
    Break, CallQuery, Digest, Entry, Finding, How, OldLog, OpenError, ReadError, Reads, RequestQuery, Stop,
    Store, Verification, WhichRequests, Write, restore, salvage,
};
use tempfile::TempDir;

use crate::samples::{Fixture, json};

const FORMAT_1: &str = include_str!("../fixtures/format-1.sql");

fn format_1() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    Connection::open(dir.path().join("signalbox.db")).unwrap().execute_batch(FORMAT_1).unwrap();
    dir
}

fn format(path: &Path) -> u32 {
    Connection::open(path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

/// All that format 1 could hold.
fn has_everything(reads: &Reads) -> Result<(), ReadError> {
    let live = reads.live()?;
    assert_eq!(live.servers.len(), 3);
    assert_eq!((live.ids.server.0, live.ids.call.0, live.ids.request.0), (4, 31, 18));
    assert_eq!(live.calls.iter().map(|call| call.id.0).collect::<Vec<_>>(), [12, 30]);
    assert_eq!(reads.calls_page(&CallQuery::default())?.total, 4);
    let result = reads.payload(CallId(13), PayloadKind::Result)?.expect("its result");
    let bytes = r#"{"content":[{"type":"text","text":"Grüße 🚂"}],"big":12345678901234567890123}"#;
    assert_eq!(result.text(), bytes);
    assert_eq!(reads.events(CallId(12), 100, usize::MAX)?.len(), 7);
    assert_eq!(reads.rounds(CallId(14))?[0].request_state.as_deref(), Some("opaque"));
    let answered = reads.request(RequestId(16))?.expect("the question").0.answer.expect("its answer");
    assert_eq!(answered.content, Some(json(r#"{ "region":"eu","n":1.0 }"#)));
    assert_eq!(reads.setting("theme")?, Some(json("\"dark\"")));
    assert_eq!(reads.tools(ServerId(1))?, Some(json(r#"[ {"name":"deploy"} ]"#)));
    let counts = reads.counts()?;
    assert_eq!((counts.needs_you, counts.settled), (1, 2));
    assert_eq!(reads.skipped(), 0, "every row can be read");
    Ok(())
}

#[test]
fn format_1_opens_with_all_it_has_and_was_copied_before() {
    let dir = format_1();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    has_everything(&reads).unwrap();
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!(store.epoch(), 10, "its numbering goes on");
    let copy = dir.path().join("signalbox.db.backup-v1");
    assert_eq!((format(&dir.path().join("signalbox.db")), format(&copy)), (16, 1));
    let payloads = [34, 27, 2, 81, 44].iter().sum::<u64>();
    let rounds = reads.rounds(CallId(14)).unwrap();
    let closed = (1..18).filter_map(|id| reads.request(RequestId(id)).unwrap()).map(|(request, _)| request);
    let closed = closed.filter(|request| request.state == RequestState::Closed && request.answer.is_none());
    let asked: usize = closed
        .map(|request| request.raw.text().len() + request.schema.map_or(0, |schema| schema.text().len()))
        .chain(rounds.iter().map(|round| round.raw.text().len()))
        .sum();
    assert_eq!(reads.payload_bytes(), Ok(payloads + asked as u64), "what was there before is counted");
}

#[test]
fn what_was_answered_before_there_was_a_log_is_not_forged_into_it() {
    let dir = format_1();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    assert_eq!(reads.decisions(0, 100).unwrap().rows, []);
    let verification = reads.verify_decisions().unwrap();
    assert_eq!(
        verification,
        Verification { answers: 1, ..Verification::default() },
        "and is not missed there"
    );

    // What is decided from now on is.
    let decision = Decision {
        at: Timestamp(1),
        by: Actor::Person,
        kind: DecisionKind::Answered,
        server: ServerId(1),
        call: Some(CallId(12)),
        request: Some(RequestId(16)),
        schema: None,
        json: Some(json(r#"{"action":"decline"}"#)),
        text: None,
        note: None,
        remark: None,
    };
    let at = Fixture { store, dir };
    at.put([Write::AddDecision(Box::new(decision))]);
    let Fixture { store, dir: _dir } = at.reopen();
    assert_eq!(store.reads().verify_decisions().unwrap().count, 1, "another answer than its row has");
}

#[test]
fn a_migration_that_was_interrupted_is_made_again() {
    let dir = format_1();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = WAL").unwrap();
    // As a kill leaves it: half of the next format written to the log, and no commit.
    let writing = Connection::open(&path).unwrap();
    writing
        .execute_batch(
            "PRAGMA cache_size = 1; BEGIN; ALTER TABLE meta ADD COLUMN decisions INTEGER NOT NULL DEFAULT 0;
             UPDATE calls SET tool = printf('%0500d', id); PRAGMA user_version = 2;",
        )
        .unwrap();
    let copy = tempfile::tempdir().unwrap();
    for file in ["signalbox.db", "signalbox.db-wal"] {
        fs::copy(dir.path().join(file), copy.path().join(file)).unwrap();
    }
    assert_eq!(format(&copy.path().join("signalbox.db")), 1, "nothing of it counts");
    let store = Store::open(copy.path()).unwrap();
    has_everything(&store.reads()).unwrap();
    assert_eq!(store.reads().check(), Ok(vec![]));
}

#[test]
fn without_a_copy_nothing_is_migrated() {
    let dir = format_1();
    let path = dir.path().join("signalbox.db");
    // The place of the copy is taken by what cannot be replaced.
    fs::create_dir(dir.path().join("signalbox.db.backup-v1.part")).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(error, OpenError::NoAccess { .. } | OpenError::Io { .. }), "{error:?}");
    assert_eq!(format(&path), 1, "without a copy nothing is changed");
    fs::remove_dir(dir.path().join("signalbox.db.backup-v1.part")).unwrap();
    has_everything(&Store::open(dir.path()).unwrap().reads()).unwrap();
}

#[test]
fn a_damaged_database_of_format_1_is_salvaged_as_such_and_then_migrated() {
    let dir = format_1();
    let path = dir.path().join("signalbox.db");
    let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
    assert!(report.tables.iter().all(|table| table.lost == Some(0)), "{report:?}");
    assert_eq!(format(&path), 16);
    let store = Store::open(dir.path()).unwrap();
    has_everything(&store.reads()).unwrap();
    assert_eq!(
        store.reads().verify_decisions().unwrap().count,
        0,
        "answers of before are still known as such"
    );
}

#[test]
fn a_database_of_an_earlier_format_that_lost_something_is_salvaged_too() {
    let formats = [include_str!("../fixtures/format-3.sql"), include_str!("../fixtures/format-9.sql")];
    for sql in formats {
        let dir = tempfile::tempdir().unwrap();
        let db = Connection::open(dir.path().join("signalbox.db")).unwrap();
        db.execute_batch(sql).unwrap();
        db.execute_batch("PRAGMA foreign_keys = OFF; DROP TABLE sessions; DELETE FROM servers WHERE id = 1;")
            .unwrap();
        db.close().unwrap();
        let report = salvage(dir.path(), Timestamp(1), &Stop::default()).unwrap();
        assert!(!report.whole() && !report.lost_servers.is_empty(), "{report:?}");
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(store.reads().check(), Ok(vec![]));
        let log = store.reads().decisions(0, 100).unwrap().rows;
        assert_eq!(log.last().unwrap().kind, DecisionKind::Salvaged);
        assert!(store.reads().verify_decisions().unwrap().holds());
    }
}

#[test]
fn the_copy_made_before_can_be_restored() {
    let dir = format_1();
    Store::open(dir.path()).unwrap().close();
    let other = tempfile::tempdir().unwrap();
    restore(other.path(), &dir.path().join("signalbox.db.backup-v1"), Timestamp(1), &Stop::default())
        .unwrap();
    let store = Store::open(other.path()).unwrap();
    has_everything(&store.reads()).unwrap();
}

#[test]
fn format_2_opens_with_all_it_has_and_was_copied_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-2.sql")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let live = reads.live().unwrap();
    assert_eq!((live.ids.server.0, live.ids.call.0, live.ids.request.0, live.ids.session), (3, 5, 3, 1));
    assert!(live.servers.iter().all(|server| server.trusted && server.roots.is_empty()), "as they were");
    let open: Vec<_> = live.rounds.iter().map(|open| (open.call, open.round.n)).collect();
    assert_eq!(open, [(CallId(4), 1)], "a round that could not be answered then can be now");
    assert_eq!(live.rounds[0].arguments, Some(json("{}")), "with what is to be repeated");
    let verification = reads.verify_decisions().unwrap();
    assert_eq!((verification.entries, verification.answers, verification.count), (8, 1, 0));
    assert_eq!(reads.check(), Ok(vec![]));
    let copy = dir.path().join("signalbox.db.backup-v2");
    assert_eq!((format(&path), format(&copy)), (16, 2));
}

#[test]
fn format_3_opens_with_its_sessions_rounds_and_hosted_tasks() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-3.sql")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let live = reads.live().unwrap();
    assert_eq!((live.ids.server.0, live.ids.call.0, live.ids.request.0), (3, 5, 5));
    let old = live.servers.iter().find(|server| server.name == "old").unwrap();
    assert_eq!((old.roots.as_slice(), old.trusted), (["file:///srv/data".to_owned()].as_slice(), true));
    assert!(live.sessions.iter().any(|session| session.saved.is_some()), "the session goes on");
    assert_eq!(live.rounds.len(), 1);
    assert_eq!((live.rounds[0].ttl_ms, &live.rounds[0].arguments), (None, &Some(json("{}"))));
    let open = live.requests.iter().filter(|request| request.needs_person());
    let hosted: Vec<bool> = open.map(|request| request.hosted.is_some()).collect();
    assert_eq!(hosted, [false, false, true], "the server may fetch the answer of the third");
    let verification = reads.verify_decisions().unwrap();
    assert_eq!((verification.answers, verification.count), (1, 0));
    assert_eq!(reads.check(), Ok(vec![]));
    let copy = dir.path().join("signalbox.db.backup-v3");
    assert_eq!((format(&path), format(&copy)), (16, 3));
}

#[test]
fn format_4_opens_with_the_time_that_a_round_wishes_for_its_task() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-4.sql")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let live = reads.live().unwrap();
    assert_eq!(live.rounds.iter().map(|open| open.ttl_ms).collect::<Vec<_>>(), [Some(90_000)]);
    assert!(
        live.requests.iter().all(|request| request.visited_at.is_none()),
        "nobody knows what was visited"
    );
    assert!(live.servers.iter().all(|server| server.heard_at.is_none()), "nor when a server last answered");
    assert_eq!(reads.check(), Ok(vec![]));
    let copy = dir.path().join("signalbox.db.backup-v4");
    assert_eq!((format(&path), format(&copy)), (16, 4));
}

#[test]
fn format_4_counts_and_lists_what_is_stranded_apart() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    let before = Connection::open(&path).unwrap();
    before.execute_batch(include_str!("../fixtures/format-4.sql")).unwrap();
    // The question of the legacy wire was orphaned, and another one sent on a connection that is gone.
    before
        .execute_batch(
            "UPDATE requests SET state = 'orphaned', stage = 2, settled = 1, closed_at = 5 WHERE id = 3;
             UPDATE requests SET state = 'unknown', closed_at = 6 WHERE id = 1;",
        )
        .unwrap();
    drop(before);
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let counts = reads.counts().unwrap();
    assert_eq!((counts.needs_you, counts.on_the_way, counts.stranded, counts.settled), (1, 0, 2, 1));
    let ids = |list| {
        let page = reads
            .requests_page(&RequestQuery { list, offset: 0, limit: 10, ..RequestQuery::default() })
            .unwrap();
        assert_eq!(page.total, page.ids.len() as u64);
        page.ids.iter().map(|id| id.0).collect::<Vec<_>>()
    };
    assert_eq!((ids(WhichRequests::Waiting), ids(WhichRequests::Answered)), (vec![2, 1, 3], vec![3, 1, 4]));
    let stranded = reads.live().unwrap().requests.into_iter().filter(|request| request.stranded());
    assert_eq!(stranded.count(), 2, "the server may ask them again");
    assert_eq!(reads.check(), Ok(vec![]));
}

#[test]
fn format_5_counts_as_needing_a_person_only_what_has_an_open_question() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-5.sql")).unwrap();
    let fixture = Fixture::at(dir);
    let reads = fixture.store.reads();
    let listed = || {
        let query = CallQuery { limit: 10, ..CallQuery::default() };
        reads.calls_page(&query).unwrap().ids.iter().map(|id| id.0).collect::<Vec<_>>()
    };
    assert_eq!(listed(), [2, 1, 3, 4], "3 is no longer asked, and stands with what works");
    let share = reads.counts().unwrap().servers[&ServerId(2)];
    assert_eq!((share.needs_you, share.working, share.ended), (0, 1, 1));

    // The row says as before what its server says, and its constraint is the new one.
    let (mut call, _) = reads.call(CallId(3)).unwrap().expect("the call");
    assert_eq!(call.status, Status::InputRequired);
    call.open_requests = 1;
    fixture.put([Write::PutCall(Box::new(call))]);
    assert_eq!(listed(), [3, 2, 1, 4], "asked again");
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v5"))), (16, 5));
}

#[test]
fn format_6_lists_the_questions_of_a_call() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-6.sql")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let ids = |list| {
        let page = reads.requests_page(&RequestQuery { list, limit: 10, ..RequestQuery::default() }).unwrap();
        page.ids.iter().map(|id| id.0).collect::<Vec<_>>()
    };
    let open = [1, 2, 3, 4].map(|call| ids(WhichRequests::Open(CallId(call))));
    assert_eq!(open, [vec![1], vec![2], vec![3], vec![]]);
    assert_eq!(ids(WhichRequests::Closed(CallId(4))), [4]);
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v6"))), (16, 6));
}

#[test]
fn format_7_does_not_know_which_tasks_live_without_limit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-7.sql")).unwrap();
    let fixture = Fixture::at(dir);
    let unlimited = || {
        let (call, _) = fixture.store.reads().call(CallId(1)).unwrap().expect("the call");
        call.task.unwrap().unlimited
    };
    assert_eq!(unlimited(), None, "what is kept of its states tells");
    let (mut call, _) = fixture.store.reads().call(CallId(1)).unwrap().unwrap();
    call.task.as_mut().unwrap().unlimited = Some(true);
    fixture.put([Write::PutCall(Box::new(call))]);
    assert_eq!(unlimited(), Some(true));
    assert_eq!(fixture.store.reads().check(), Ok(vec![]));
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v7"))), (16, 7));
}

#[test]
fn format_8_does_not_count_what_was_asked_to_what_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-8.sql")).unwrap();
    let sum = |sql: &str| -> u64 {
        Connection::open(&path)
            .unwrap()
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
            .cast_unsigned()
    };
    let before = sum("SELECT n FROM tally WHERE what = 'payload_bytes'");
    let rounds = sum("SELECT sum(octet_length(raw)) FROM rounds");
    let closed = sum("SELECT octet_length(raw) + octet_length(schema) FROM requests WHERE id = 2");
    let fixture = Fixture::at(dir);
    let reads = fixture.store.reads();
    assert_eq!(reads.payload_bytes(), Ok(before + rounds + closed), "the other question waits for a person");
    assert_eq!(reads.live().unwrap().rounds.len(), 1, "and its round can be answered");
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v8"))), (16, 8));
}

fn format_9() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-9.sql")).unwrap();
    dir
}

#[test]
fn format_9_shows_the_sentences_that_it_has() {
    let dir = format_9();
    let path = dir.path().join("signalbox.db");
    let fixture = Fixture::at(dir);
    let reads = fixture.store.reads();
    let ended = "Signalbox ended before the answer came: the server may have acted on the call";
    let (mut call, _) = reads.call(CallId(1)).unwrap().expect("the call");
    assert_eq!(call.note, Some(Note::said(NoteCode::Lost, ended.to_owned())));
    let last = reads.events(CallId(1), 1, usize::MAX).unwrap().remove(0);
    assert_eq!((last.text.as_deref(), last.note), (Some(ended), None), "an entry stays as it is");
    let refused = "The server answered with error -32602: Failed to retrieve task: Task not found";
    let (question, _) = reads.request(RequestId(3)).unwrap().expect("the question");
    let refusal = question.answer.unwrap().refusal;
    assert_eq!(refusal, Some(Note::said(NoteCode::ServerError, refused.to_owned())));
    let away = reads.servers().unwrap().into_iter().find(|(server, _)| server.name == "away").unwrap().0;
    let Health::Unknown { missed: Some(missed) } = away.health else { panic!("{:?}", away.health) };
    assert_eq!(missed.note.code, NoteCode::Unreachable);
    assert!(matches!(missed.note.reason, Reason::Said { .. }), "{missed:?}");

    // What is kept from now on is the reason, beside the sentences of before.
    call.note = Some(Reason::EndedBeforeAnswer.into());
    fixture.put([Write::PutCall(Box::new(call.clone()))]);
    assert_eq!(reads.call(CallId(1)).unwrap().unwrap().0.note, call.note);
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v9"))), (16, 9));
}

#[test]
fn format_10_lists_as_before_without_the_index_that_nobody_used() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-10.sql")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let ended = reads.calls_page(&CallQuery { limit: 10, ..CallQuery::default() }).unwrap();
    assert_eq!(ended.ids, [5, 4, 3, 2, 1].map(CallId));
    let kept = reads.call(CallId(5)).unwrap().expect("the call").0;
    assert_eq!(kept.note.map(|note| note.code), Some(NoteCode::UnknownItem));
    assert_eq!(reads.check(), Ok(vec![]));
    assert!(reads.verify_decisions().unwrap().holds());
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v10"))), (16, 10));
    let index = "SELECT count(*) FROM sqlite_schema WHERE name = 'calls_by_status'";
    let left: u32 = Connection::open(&path).unwrap().query_row(index, [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0, "each change of a status paid for it");
}

#[test]
fn in_format_11_nobody_had_put_anything_off() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(include_str!("../fixtures/format-11.sql")).unwrap();
    let (waiting, deadline): (u32, i64) = old
        .query_row(
            "UPDATE requests SET state = 'open', stage = 0, settled = 0, shelf = 0, deadline = 5 WHERE id = 1
                RETURNING id, deadline",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    drop(old);
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let wants = |id| reads.request(RequestId(id)).unwrap().unwrap().0.attention();
    assert_eq!([1, 2, 3].map(wants), [Attention::NeedsYou, Attention::None, Attention::None]);
    let counts = reads.counts().unwrap();
    assert_eq!((waiting, counts.needs_you, counts.snoozed, counts.settled), (1, 1, 0, 2));
    let brief = reads.request_briefs_of([RequestId(1)]).unwrap().remove(0).0;
    assert_eq!(brief.expires_at, Some(Timestamp(deadline)), "its deadline is still that of its task");
    assert_eq!(reads.check(), Ok(vec![]));
    assert!(reads.verify_decisions().unwrap().holds(), "no sealed entry is another one");
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v11"))), (16, 11));
}

/// Puts an answer into the log of a database of format 12, as it was sealed then.
fn logged(old: &Connection, n: u64, request: u32, content: &str) -> Entry {
    let last: String =
        old.query_row("SELECT hash FROM decisions ORDER BY n DESC LIMIT 1", [], |row| row.get(0)).unwrap();
    let entry = Entry {
        n,
        format: Some(2),
        at: Timestamp(7),
        by: Actor::Person,
        kind: DecisionKind::Answered,
        server: ServerId(4),
        server_name: "forgetful".to_owned(),
        call: Some(CallId(5)),
        request: Some(RequestId(request)),
        schema_sha256: None,
        json: Some(json(&format!(r#"{{"action":"accept","content":{content}}}"#))),
        text: Some("accept".to_owned()),
        note: None,
        remark: None,
        masked: None,
        hash: Digest::ZERO,
    };
    let entry = Entry { hash: entry.hash_behind(last.parse().unwrap()), ..entry };
    let said = entry.json.as_ref().map(|json| json.text());
    old.execute(
        "INSERT INTO decisions VALUES (?1, 7, 'person', 'answered', 4, 'forgetful', 5, ?2, NULL, ?3, 'accept', ?4, 2, NULL)",
        (n.cast_signed(), request, said, entry.hash.to_string()),
    )
    .unwrap();
    old.execute(
        "UPDATE meta SET decisions = ?1, decisions_hash = ?2",
        (n.cast_signed(), entry.hash.to_string()),
    )
    .unwrap();
    entry
}

#[test]
fn an_answer_that_format_12_kept_whole_is_masked_in_its_row_and_stays_in_its_entry() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(include_str!("../fixtures/format-12.sql")).unwrap();
    let content = r#"{"user":"ada","password":"correct horse"}"#;
    let logged = logged(&old, 20, 3, content);
    let schema = r#"{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}}}"#;
    old.execute(
        "UPDATE requests SET state = 'sending', stage = 1, settled = 0, shelf = 0, schema = ?1, answer = 'accept',
             answer_content = ?2, decided_at = 7, sent_at = 8, refusal = NULL, closed_at = NULL WHERE id = 3",
        (schema, content),
    )
    .unwrap();
    drop(old);

    let fixture = Fixture::at(dir);
    let reads = fixture.store.reads();
    let mut waiting = reads.live().unwrap().requests.into_iter().find(|one| one.id == RequestId(3)).unwrap();
    assert_eq!(waiting.answer.as_ref().unwrap().content, Some(json(content)), "it is still to be delivered");
    waiting.state = RequestState::Answered;
    waiting.closed_at = Some(Timestamp(9));
    fixture.put([Write::PutRequest(Box::new(waiting))]);
    let kept = reads.request(RequestId(3)).unwrap().unwrap().0.answer.unwrap();
    assert_eq!(kept.content, Some(json(r#"{"user":"ada","password":null}"#)));
    assert_eq!(
        kept.masked.iter().map(|one| (one.path.as_str(), one.length)).collect::<Vec<_>>(),
        [("/password", 13)]
    );
    assert_eq!(reads.decisions(19, 9).unwrap().rows, [logged], "what is sealed stays byte for byte");
    let verification = reads.verify_decisions().unwrap();
    assert!(verification.holds(), "and is still compared with the row: {verification:?}");
    fixture
        .tamper("UPDATE requests SET answer_content = '{\"user\":\"eve\",\"password\":null}' WHERE id = 3");
    let found = reads.verify_decisions().unwrap().findings;
    assert_eq!(found, [Finding::Differs { request: RequestId(3), n: 20 }]);
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v12"))), (16, 12));
}

/// Whether a file has these bytes.
fn has(path: &Path, bytes: &str) -> bool {
    fs::read(path).unwrap().windows(bytes.len()).any(|window| window == bytes.as_bytes())
}

#[test]
fn what_format_12_had_delivered_is_masked_in_its_rows_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(include_str!("../fixtures/format-12.sql")).unwrap();
    let schema = r#"{"type":"object","properties":{"user":{"type":"string"},"x":{"type":"string","format":"password"}}}"#;
    let content = |secret: &str| format!(r#"{{ "user":"ada", "x":"{secret}","n":1.0}}"#);
    let answer = "UPDATE requests SET schema = ?1, answer_content = ?2, decided_at = 7 WHERE id = ?3";
    old.execute(answer, (schema, content("delivered-secret"), 1)).unwrap();
    old.execute(answer, (schema, content("sending-secret"), 2)).unwrap();
    old.execute("UPDATE requests SET state = 'sending', stage = 1, settled = 0, shelf = 0, closed_at = NULL WHERE id = 2", [])
        .unwrap();
    let before = Earlier {
        state: RequestState::Unknown,
        answer: Answer {
            content: Some(json(&content("earlier-secret"))),
            ..Answer::new(Action::Accept, Timestamp(6))
        },
    };
    old.execute(
        "UPDATE requests SET schema = ?1, earlier = ?2, draft = ?3 WHERE id = 3",
        (schema, Json::of(&before).text(), content("typed-secret")),
    )
    .unwrap();
    // What is no JSON has no form that could be masked, and must keep nobody out.
    old.execute_batch(
        "INSERT INTO requests SELECT 9, changed, server, call, identity, scope, n, 'damaged', method, mode, message, schema, url,
            raw, state, reason, opened_at, closed_at, answer, '{', decided_at, send_at, sent_at, acknowledged_at, taken_at,
            refusal, draft, deadline, stage, settled, logged, hosted, visited_at, visiting_at, shelf, earlier, expires_at,
            snoozed, attention, reminded_of FROM requests WHERE id = 1",
    )
    .unwrap();
    let entries = [(20, 1, "delivered-secret"), (21, 2, "sending-secret")];
    let entries = entries.map(|(n, request, secret)| logged(&old, n, request, &content(secret)));
    drop(old);

    let fixture = Fixture::at(dir);
    let reads = fixture.store.reads();
    let kept = |id| reads.request(RequestId(id)).unwrap().unwrap().0;
    let shown = Some(json(r#"{ "user":"ada", "x":null,"n":1.0}"#));
    for (id, length) in [(1, 16), (2, 14)] {
        let answer = kept(id).answer.unwrap();
        assert_eq!(answer.content, shown, "all else byte for byte: r{id}");
        let [masked] = &answer.masked[..] else { panic!("r{id}: {answer:?}") };
        assert_eq!((masked.path.as_str(), masked.length), ("/x", length));
        assert!(masked.sha256.is_some(), "whoever knows it can still prove it: r{id}");
    }
    assert_eq!(kept(3).earlier.unwrap().answer.content, shown, "the answer before the one that stands");
    assert_eq!(kept(3).draft, Some(json(r#"{"user":"ada","n":1.0}"#)), "a draft is without it");
    let waiting = reads.live().unwrap().requests.into_iter().find(|one| one.id == RequestId(2)).unwrap();
    let to_deliver = waiting.answer.unwrap().content;
    assert_eq!(to_deliver, Some(json(&content("sending-secret"))), "what may still go out is kept for that");
    assert!(reads.keeps_secrets(RequestId(2)).unwrap(), "and whoever looks at it is told so");
    assert!(!reads.keeps_secrets(RequestId(1)).unwrap());

    assert_eq!(reads.decisions(19, 9).unwrap().rows, entries, "what is sealed stays byte for byte");
    let verification = reads.verify_decisions().unwrap();
    assert!(verification.holds(), "and is still compared with the rows: {verification:?}");
    for secret in ["earlier-secret", "typed-secret"] {
        assert!(!has(&path, secret), "{secret} went at once, and not when the store is closed in order");
    }
    let Fixture { store, dir } = fixture.reopen();
    store.close();
    for secret in ["earlier-secret", "typed-secret"] {
        assert!(!has(&path, secret), "{secret} is not on the disk any more, but for the copy");
        assert!(has(&path.with_extension("db.backup-v12"), secret), "{secret} was there");
    }
    drop(dir);
}

#[test]
fn format_13_opens_with_all_it_has_and_was_copied_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-13.sql")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let answer = reads.request(RequestId(1)).unwrap().unwrap().0.answer.unwrap();
    assert_eq!(
        (answer.content, answer.masked),
        (Some(json(r#"{"environment":"staging"}"#)), vec![]),
        "it has no secret"
    );
    assert!(reads.verify_decisions().unwrap().holds());
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v13"))), (16, 13));
}

#[test]
fn format_14_opens_with_all_it_has_and_nobodys_tags() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("../fixtures/format-14.sql")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let ids: Vec<CallId> = (1..6).map(CallId).collect();
    let calls = reads.calls_of(&ids).unwrap();
    assert!(!calls.is_empty() && reads.tags_of(ids.clone()).unwrap().is_empty());
    assert!(ids.iter().all(|id| reads.remark(*id).unwrap().is_none()));
    assert!(reads.verify_decisions().unwrap().holds());
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v14"))), (16, 14));
}

#[test]
fn format_15_did_not_say_since_when_a_task_waits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    let before = Connection::open(&path).unwrap();
    before.execute_batch(include_str!("../fixtures/format-15.sql")).unwrap();
    // A question of a task waits; another one, older, is put off.
    before
        .execute_batch(
            "UPDATE calls SET outcome = NULL, ended_at = NULL, open_requests = 1, bucket = 0 WHERE id = 5;
             UPDATE requests SET state = 'open', stage = 0, settled = 0, shelf = 0, closed_at = NULL, reason = NULL,
                 answer = NULL, call = 5, opened_at = 20, attention = 'needs_you' WHERE id IN (1, 3);
             UPDATE requests SET opened_at = 10, attention = 'snoozed' WHERE id = 1;",
        )
        .unwrap();
    drop(before);
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let since = |id| reads.call(CallId(id)).unwrap().expect("the call").0.waiting_since;
    assert_eq!((since(5), since(4)), (Some(Timestamp(20)), None));
    assert_eq!(reads.check(), Ok(vec![]));
}

#[test]
fn format_15_did_not_count_apart_what_is_held() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("signalbox.db");
    let before = Connection::open(&path).unwrap();
    before.execute_batch(include_str!("../fixtures/format-15.sql")).unwrap();
    // One answer is within its undo time, another one is on its way.
    before
        .execute_batch(
            "UPDATE requests SET state = 'held', stage = 1, settled = 0, shelf = 0, closed_at = NULL WHERE id = 1;
             UPDATE requests SET state = 'sending', stage = 1, settled = 0, shelf = 0, closed_at = NULL WHERE id = 2;",
        )
        .unwrap();
    drop(before);
    let store = Store::open(dir.path()).unwrap();
    let reads = store.reads();
    let counts = reads.counts().unwrap();
    assert_eq!((counts.held, counts.on_the_way, counts.settled), (1, 2, 1));
    assert_eq!(reads.check(), Ok(vec![]));
    assert_eq!((format(&path), format(&path.with_extension("db.backup-v15"))), (16, 15));
}

/// What is decided after the sentences of before.
fn refused_by_a_reason() -> Decision {
    Decision {
        at: Timestamp(1_795_600_000_000),
        by: Actor::Server,
        kind: DecisionKind::Refused,
        server: ServerId(4),
        call: Some(CallId(5)),
        request: Some(RequestId(3)),
        schema: None,
        json: None,
        text: None,
        note: Some(Reason::ErrorAnswer { error: -32_000, said: "no".to_owned() }.into()),
        remark: None,
    }
}

#[test]
fn a_log_with_entries_of_format_9_and_of_now_is_one_chain() {
    let before: Vec<String> = {
        let old = Connection::open_in_memory().unwrap();
        old.execute_batch(include_str!("../fixtures/format-9.sql")).unwrap();
        let mut hashes = old.prepare("SELECT hash FROM decisions ORDER BY n").unwrap();
        hashes.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let fixture = Fixture::at(format_9());
    let entries = |fixture: &Fixture| fixture.store.reads().decisions(0, 100).unwrap().rows;
    let hashes: Vec<String> = entries(&fixture).iter().map(|entry| entry.hash.to_string()).collect();
    assert_eq!(hashes, before, "no entry of before is written anew");
    fixture.put([Write::AddDecision(Box::new(refused_by_a_reason()))]);
    let log = entries(&fixture);
    let (old, new) = log.split_at(before.len());
    assert!(old.iter().all(|entry| entry.format.is_none() && entry.note.is_none()));
    assert!(old.iter().any(|entry| entry.text.as_deref().is_some_and(|text| text.contains("error -32602"))));
    assert_eq!(new[0].format, Some(3));
    assert_eq!(
        new[0].line(),
        r#"{"n":20,"format":3,"at":"2026-11-25T09:46:40.000Z","by":"server","kind":"refused","server":"s4","serverName":"forgetful","call":"t5","request":"r3","note":"{\"code\":\"server_error\",\"reason\":{\"kind\":\"error_answer\",\"error\":-32000,\"said\":\"no\"}}"}"#,
        "the format is part of what is sealed, and so is why"
    );
    let verification = fixture.store.reads().verify_decisions().unwrap();
    assert!(verification.holds(), "{verification:?}");
    assert_eq!((verification.entries, verification.answers), (20, 3));

    let broken = |fixture: &Fixture, sql: &str| {
        fixture.tamper(&format!("DROP TRIGGER IF EXISTS decisions_never_change; {sql}"));
        fixture.store.reads().verify_decisions().unwrap().findings
    };
    let changed = |n| Finding::Chain(Break { n, how: How::Changed });
    assert_eq!(broken(&fixture, "UPDATE decisions SET format = NULL WHERE n = 20"), [changed(20)]);
    let back = "UPDATE decisions SET format = 3 WHERE n = 20; UPDATE decisions SET format = 2 WHERE n = 3";
    assert_eq!(broken(&fixture, back), [changed(3)], "nor does an entry of before pass for one of now");
    let back =
        "UPDATE decisions SET format = NULL WHERE n = 3; UPDATE decisions SET note = NULL WHERE n = 20";
    assert_eq!(broken(&fixture, back), [changed(20)]);
}

#[test]
fn the_log_of_a_replaced_database_of_format_9_is_carried_on() {
    let (dir, other) = (format_9(), tempfile::tempdir().unwrap());
    // A backup from before its last entries, of the present format.
    let path = other.path().join("signalbox.db");
    let backup = Connection::open(&path).unwrap();
    backup.execute_batch(include_str!("../fixtures/format-9.sql")).unwrap();
    backup
        .execute_batch(
            "DROP TRIGGER decisions_never_go; DELETE FROM decisions WHERE n > 10;
             CREATE TRIGGER decisions_never_go BEFORE DELETE ON decisions BEGIN
                 SELECT raise(ABORT, 'decisions are never deleted');
             END;
             UPDATE meta SET decisions = 10, decisions_hash = (SELECT hash FROM decisions WHERE n = 10);",
        )
        .unwrap();
    drop(backup);
    Store::open(other.path()).unwrap().close();
    let restored = restore(dir.path(), &path, Timestamp(1), &Stop::default()).unwrap();
    assert_eq!(restored.log, OldLog::CarriedOn(9), "although it has no formats");
    let verification = Store::open(dir.path()).unwrap().reads().verify_decisions().unwrap();
    assert_eq!((verification.entries, verification.count), (19, 0), "{verification:?}");
}
