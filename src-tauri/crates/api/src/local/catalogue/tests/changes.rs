//! What a host was given before, with what changed since, is what it would be given anew.

use std::collections::HashMap;

use proptest::{collection::vec, prelude::*, sample::select};

use super::*;

#[derive(Debug, Clone)]
enum Op {
    Put(Box<Call>),
    Forget(u32),
    Rename(u32, &'static str),
    /// Many at once.
    Flood,
}

fn op() -> impl Strategy<Value = Op> {
    let outcome = select(vec![None, Some(Outcome::Ok), Some(Outcome::ToolError)]);
    let put = (1_u32..20, 1_u32..3, select(vec!["build", "deploy"]), outcome, 0_u32..2);
    prop_oneof![
        8 => put.prop_map(|(id, server, tool, outcome, open)| {
            Op::Put(Box::new(Call { open_requests: open, ..call(id, server, tool, outcome) }))
        }),
        2 => (1_u32..20).prop_map(Op::Forget),
        1 => (1_u32..3, select(vec!["ci", "lab", "a"])).prop_map(|(id, name)| Op::Rename(id, name)),
        1 => Just(Op::Flood),
    ]
}

fn writes(op: Op) -> Vec<Write> {
    match op {
        Op::Put(call) => vec![put(*call)],
        Op::Forget(id) => vec![Write::ForgetCall(CallId(id))],
        Op::Rename(id, name) => vec![server(id, &format!("{name}{id}"))],
        Op::Flood => (100..400).map(|id| put(call(id, 1, "flood", None))).collect(),
    }
}

/// A row as it is shown.
type Row = (Call, String);

/// A host, and what it has.
#[derive(Default)]
struct Host {
    cursor: Option<Cursor>,
    rows: HashMap<CallId, Row>,
    ids: Vec<CallId>,
    heads: Vec<Head>,
    total: u32,
}

fn rows(reads: &Reads, ids: &[CallId]) -> HashMap<CallId, Row> {
    let servers: HashMap<ServerId, String> =
        reads.servers().unwrap().into_iter().map(|(server, _)| (server.id, server.name)).collect();
    let calls = reads.calls_of(ids).unwrap();
    calls.into_iter().map(|(call, _)| (call.id, (call.clone(), servers[&call.server].clone()))).collect()
}

impl Host {
    fn look(&mut self, catalogue: &Catalogue, reads: &Reads, query: &Query, window: (u32, u32)) {
        let Window { seq, ids, news, total, heads, shape, .. } =
            catalogue.window::<NarrowTask>(query, window.0, window.1, self.cursor).unwrap();
        self.rows.extend(rows(reads, &news));
        self.rows.retain(|id, _| ids.contains(id));
        self.cursor = Some(Cursor { epoch: 1, seq, shape });
        (self.ids, self.heads, self.total) = (ids, heads, total);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn changes_applied_are_the_list(
        query in (
            select(vec!["", "tool:build", "is:ended", "-server:ci1", "failed", "build"]),
            select(vec!["-started", "server,started", "tool,-ended", "is"]),
            select(vec!["is", "server", "tool", "status", "day", "none"]),
        ),
        history in vec((vec(op(), 0..4), 0_usize..3, (0_u32..8, 1_u32..12)), 1..16),
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let store = Store::open(home.dir()).unwrap();
        commit(&store, vec![server(1, "ci1"), server(2, "lab2")]);
        let catalogue = Catalogue::default();
        let reads = store.reads();
        runtime.block_on(async {
            catalogue.begin(store.reads(), store.news());
            whole(&catalogue).await;
        });
        let query = catalogue.tasks(&super::query(query.0, query.1, query.2)).unwrap();
        let mut hosts = [Host::default(), Host::default(), Host::default()];
        for (ops, host, window) in history {
            for op in ops {
                commit(&store, writes(op));
            }
            // Words are found in full texts after a while, and none of these has one.
            hosts[host].look(&catalogue, &reads, &query, window);
            let mut anew = Host::default();
            anew.look(&catalogue, &reads, &query, window);
            let held = &hosts[host];
            prop_assert_eq!((&held.ids, &held.heads, held.total), (&anew.ids, &anew.heads, anew.total));
            prop_assert_eq!(&held.rows, &anew.rows);
            let counted: u32 = held.heads.iter().map(|head| head.count).sum();
            prop_assert!(held.heads.is_empty() || counted == held.total, "{:?} of {}", held.heads, held.total);
        }
    }
}
