//! A list is what the store has: all of its rows read in full, and slowly, after each part of any history.

use std::collections::HashMap;

use proptest::{collection::vec, option, prelude::*};

use super::{
    flood::flood,
    history::{CALLS, HOUR, QUESTIONS, around, commit_each, commits, servers},
    plain::{self, Asked, Clock, Question, Row, Tagged, any_list, date},
    *,
};

/// As of the zone that the catalogue takes.
fn ahead(at: i64) -> i64 {
    let at = jiff::Timestamp::from_millisecond(at).unwrap();
    i64::from(TimeZone::system().to_offset(at).seconds()) * 1_000
}

fn clock() -> Clock {
    Clock { now: wall().0, ahead }
}

/// All tasks and all questions.
fn all(reads: &Reads) -> (Vec<Row>, Vec<Row>) {
    let servers: HashMap<ServerId, Server> =
        reads.servers().unwrap().into_iter().map(|(server, _)| (server.id, server)).collect();
    let ids: Vec<CallId> = (1..CALLS).map(CallId).collect();
    let calls: Vec<Call> = reads.calls_of(&ids).unwrap().into_iter().map(|(call, _)| call).collect();
    let questions = (1..QUESTIONS).filter_map(|id| reads.request(RequestId(id)).unwrap());
    let question = |(request, _): (InputRequest, u64)| {
        let call = calls.iter().find(|call| Some(call.id) == request.call).cloned();
        let server = &servers[&request.server];
        Row::of_question(&Question { request, call }, server)
    };
    let questions = questions.map(question).collect();
    let mut tags = reads.tags_of(ids).unwrap();
    let mut row = |call: Call| {
        let tags = tags.remove(&call.id).unwrap_or_default();
        let server = &servers[&call.server];
        Row::of_call(&Tagged { call, tags }, server)
    };
    (calls.into_iter().map(&mut row).collect(), questions)
}

fn head(group: &str, row: &Row, count: usize) -> Head {
    let of = match group {
        "server" => HeadOf::Server { server: row.server.id, name: row.server.name.clone() },
        "tool" => HeadOf::Tool { tool: row.tool.clone() },
        "day" => HeadOf::Day { day: date(clock().day(row.moments["started"])) },
        key => {
            HeadOf::Word { key: key.to_owned(), word: row.words.get(key).map(|(_, word)| (*word).to_owned()) }
        }
    };
    Head { of, count: rows::count(count as u64) }
}

async fn check<L: Listed>(catalogue: &Catalogue, asked: &Asked, all: &[Row]) -> Result<(), TestCaseError> {
    let query =
        catalogue.query::<L>(&[&asked.within()], &asked.filter(), &asked.order(), asked.group).unwrap();
    let ids = |list: &[&Row]| list.iter().map(|row| L::id_of(row.number)).collect::<Vec<_>>();
    let before = clock();
    let window = whole_window::<L>(catalogue, &query).await;
    let list = asked.list(all, &before);
    if ids(&list) != ids(&asked.list(all, &clock())) {
        // Midnight passed meanwhile.
        return Ok(());
    }
    let (filter, within) = (asked.filter(), asked.within());
    let what = format!("{filter} within {within} sorted by {} under {}", asked.order(), asked.group);
    prop_assert_eq!(&window.ids, &ids(&list), "{}", what);
    prop_assert_eq!(window.total as usize, list.len(), "{}", what);
    let heads = asked.heads(&list, &before);
    let heads = heads.into_iter().filter(|_| asked.group != "none");
    let heads: Vec<Head> = heads.map(|(row, count)| head(asked.group, row, count)).collect();
    prop_assert_eq!(window.heads, heads, "{}", what);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_list_is_what_the_store_has_after_any_history(
        tasks in any_list(plain::TASKS, clock().day(around()), HOUR),
        questions in any_list(plain::QUESTIONS, clock().day(around()), HOUR),
        history in vec(commits(), 1..8),
        // Behind which part of it more is committed than is remembered, so that all rows are read anew.
        flooded in option::weighted(0.1, 0_usize..8),
    ) {
        let runtime = runtime();
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        commit(&store, servers());
        let catalogue = Catalogue::default();
        runtime.block_on(async {
            catalogue.begin(store.reads(), store.news());
            for (n, writes) in history.into_iter().enumerate() {
                commit_each(|batch| store.submit(batch), writes);
                if flooded == Some(n) {
                    commit(&store, flood());
                }
                let (calls, requests) = all(&store.reads());
                check::<NarrowTask>(&catalogue, &tasks, &calls).await?;
                check::<NarrowRequest>(&catalogue, &questions, &requests).await?;
            }
            Ok::<_, TestCaseError>(())
        })?;
    }
}
