use super::*;

fn entry(n: u64, before: Digest) -> Entry {
    let mut entry = Entry {
        n,
        format: None,
        at: Timestamp(1_785_232_800_123),
        by: Actor::Person,
        kind: DecisionKind::Answered,
        server: ServerId(1),
        server_name: "prod \"eu\"".to_owned(),
        call: Some(CallId(12)),
        request: Some(RequestId(3)),
        schema_sha256: Some(Digest::of("{}")),
        json: Some(Json::parse(r#"{ "action":"accept",  "n":1.0}"#).unwrap()),
        text: None,
        note: None,
        remark: None,
        masked: None,
        hash: Digest::ZERO,
    };
    entry.hash = entry.hash_behind(before);
    entry
}

fn log() -> Vec<Entry> {
    let mut before = Digest::ZERO;
    let next = |n| {
        let entry = entry(n, before);
        before = entry.hash;
        entry
    };
    (1..=4).map(next).collect()
}

fn breaks(log: &[Entry]) -> Vec<Break> {
    let mut chain = Chain::default();
    log.iter().filter_map(|entry| chain.follow(entry).err()).collect()
}

#[test]
fn the_line_is_part_of_the_format() {
    let entry = entry(1, Digest::ZERO);
    assert_eq!(
        entry.line(),
        r#"{"n":1,"at":"2026-07-28T10:00:00.123Z","by":"person","kind":"answered","server":"s1","serverName":"prod \"eu\"","call":"t12","request":"r3","schemaSha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","json":"{ \"action\":\"accept\",  \"n\":1.0}"}"#,
        "logs that were exported must verify for ever"
    );
    let exported = serde_json::to_string(&entry).unwrap();
    assert!(exported.starts_with(entry.line().trim_end_matches('}')), "the line with its hash behind");
    assert_eq!(serde_json::from_str::<Entry>(&exported).unwrap(), entry);
    let more = exported.replacen('{', r#"{"approved":true,"#, 1);
    assert!(serde_json::from_str::<Entry>(&more).is_err(), "nothing can be slipped into a line");
}

#[test]
fn a_format_of_a_later_version_is_said() {
    let mut later = Entry { format: Some(Entry::FORMAT + 1), ..entry(1, Digest::ZERO) };
    assert_eq!(breaks(&[later.clone()]), [Break { n: 1, how: How::Changed }], "it is sealed");
    later.hash = later.hash_behind(Digest::ZERO);
    assert_eq!(breaks(&[later]), [Break { n: 1, how: How::Later { format: 4 } }]);
    let mut now = Entry { format: Some(Entry::FORMAT), ..entry(1, Digest::ZERO) };
    now.hash = now.hash_behind(Digest::ZERO);
    assert_eq!(breaks(&[now]), []);
}

#[test]
fn what_format_3_brought_is_sealed_and_no_entry_of_before_has_it() {
    let masked = Masked {
        path: "/content/password".to_owned(),
        length: 12,
        salt: Some("r3 2026-07-28T10:00:00.123Z".to_owned()),
        sha256: Some("ab".to_owned()),
    };
    let kept = Entry {
        format: Some(3),
        remark: Some("asked Ada".to_owned()),
        masked: Some(vec![masked]),
        ..entry(1, Digest::ZERO)
    };
    let kept = Entry { hash: kept.hash_behind(Digest::ZERO), ..kept };
    assert!(
        kept.line().ends_with(
            r#","remark":"asked Ada","masked":[{"path":"/content/password","length":12,"salt":"r3 2026-07-28T10:00:00.123Z","sha256":"ab"}]}"#
        ),
        "logs that were exported must verify for ever: {}",
        kept.line()
    );
    assert_eq!(breaks(std::slice::from_ref(&kept)), []);
    let exported = serde_json::to_string(&kept).unwrap();
    assert_eq!(serde_json::from_str::<Entry>(&exported).unwrap(), kept);
    let more = exported.replacen(r#""length":12"#, r#""length":12,"value":"s""#, 1);
    assert!(serde_json::from_str::<Entry>(&more).is_err(), "nothing can be slipped into it");
    let changes: [fn(&mut Entry); 3] = [
        |entry| entry.remark = None,
        |entry| entry.masked = None,
        |entry| entry.masked.as_mut().unwrap()[0].length = 4,
    ];
    for change in changes {
        let mut changed = kept.clone();
        change(&mut changed);
        assert_eq!(breaks(&[changed]), [Break { n: 1, how: How::Changed }]);
    }
    for format in [None, Some(2)] {
        let older = Entry { format, ..kept.clone() };
        let older = Entry { hash: older.hash_behind(Digest::ZERO), ..older };
        assert_eq!(breaks(&[older]), [Break { n: 1, how: How::Changed }], "no version wrote that");
    }
}

#[test]
fn whatever_is_done_to_an_entry_shows() {
    assert_eq!(breaks(&log()), []);
    let changes: [fn(&mut Entry); 11] = [
        |entry| entry.format = Some(Entry::FORMAT),
        |entry| entry.note = Some(Json::parse("{}").unwrap()),
        |entry| entry.at = Timestamp(1),
        |entry| entry.by = Actor::Server,
        |entry| entry.kind = DecisionKind::Taken,
        |entry| entry.server = ServerId(2),
        |entry| entry.server_name.push('!'),
        |entry| entry.call = None,
        |entry| entry.request = None,
        |entry| entry.schema_sha256 = None,
        |entry| entry.json = Some(Json::parse(r#"{ "action":"accept",  "n":1}"#).unwrap()),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let mut log = log();
        change(&mut log[1]);
        assert_eq!(breaks(&log), [Break { n: 2, how: How::Changed }], "change {i}");
        log[1].hash = log[1].hash_behind(log[0].hash);
        assert_eq!(breaks(&log), [Break { n: 3, how: How::Changed }], "hashed anew: change {i}");
    }
}

#[test]
fn what_is_missing_or_moved_shows() {
    let taken_out = [&log()[..1], &log()[2..]].concat();
    assert_eq!(breaks(&taken_out), [Break { n: 3, how: How::Gap { expected: 2 } }]);
    let mut swapped = log();
    swapped.swap(1, 2);
    assert_eq!(breaks(&swapped)[0], Break { n: 3, how: How::Gap { expected: 2 } });
    assert_eq!(breaks(&log()[1..]), [Break { n: 2, how: How::Gap { expected: 1 } }]);

    let mut chain = Chain::default();
    let log = log();
    log[..3].iter().for_each(|entry| chain.follow(entry).unwrap());
    assert_eq!(chain.ends_at(3, log[2].hash), Ok(()));
    assert_eq!(chain.ends_at(4, log[3].hash), Err(Break { n: 3, how: How::CutShort { head: 4 } }));
    assert_eq!(chain.ends_at(3, log[1].hash), Err(Break { n: 3, how: How::OtherHead }));
    assert_eq!(chain.ends_at(2, log[1].hash), Err(Break { n: 3, how: How::OtherHead }));
    let unreadable = Break { n: 4, how: How::Unreadable };
    assert_eq!(chain.follow_unreadable(4), Err(unreadable));
    assert_eq!(chain.follow(&entry(5, Digest::of("unknown"))), Ok(()), "one change is one break");
}
