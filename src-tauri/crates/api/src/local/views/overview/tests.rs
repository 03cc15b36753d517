//! What changed of an overview, applied to what was seen before, is the overview.

use proptest::{collection::vec, prelude::*, sample::select};
use signalbox_model::{Timestamp, Transport};

use super::*;
use crate::{Owner, OwnerKind, ShortcutState, TabCounts};

fn server(id: u32, name: &str, tasks: u32, heard: i64) -> ServerView {
    let transport = Transport::Http { url: "http://127.0.0.1:1/mcp".to_owned(), headers: vec![] };
    let server = Server::new(ServerId(id), name.to_owned(), transport);
    let counts = Counts { working: tasks, ..Counts::default() };
    rows::server(server, false, Some(Timestamp(heard)), None, None, None, counts)
}

fn overview(servers: Vec<ServerView>) -> Overview {
    Overview {
        inbox: 0,
        tabs: TabCounts::default(),
        held: 0,
        tasks: servers.iter().fold(Counts::default(), |sum, server| rows::sum(sum, server.tasks)),
        servers,
        settings: Settings::default(),
        notifications_paused_until: None,
        shortcut: ShortcutState::Off,
        troubles: Vec::new(),
        owner: Owner {
            kind: OwnerKind::Window,
            pid: 1,
            version: "0".into(),
            home: "/home".into(),
            logs: None,
        },
    }
}

fn any_overview() -> impl Strategy<Value = Overview> {
    let one = (1_u32..6, select(vec!["ci", "lab"]), 0_u32..3, 0_i64..3);
    (vec(one, 0..5), any::<bool>(), any::<bool>()).prop_map(|(all, troubled, other)| {
        let mut servers: Vec<ServerView> = Vec::new();
        for (id, name, tasks, heard) in all {
            if servers.iter().all(|other| other.id != ServerId(id)) {
                servers.push(ServerView {
                    left_out: (tasks == 2).then_some(1),
                    ..server(id, name, tasks, heard)
                });
            }
        }
        let trouble =
            Trouble { code: crate::Code::StorageFull, message: "The disk is full".into(), detail: None };
        let settings = Settings { undo_ms: if other { 1 } else { 5_000 }, ..Settings::default() };
        Overview {
            troubles: troubled.then_some(trouble).into_iter().collect(),
            settings,
            held: u32::from(other),
            notifications_paused_until: other.then_some(Timestamp(7)),
            shortcut: if other { ShortcutState::Taken } else { ShortcutState::Held },
            ..overview(servers)
        }
    })
}

fn seen(shown: &Shown, now: &Overview, after: Option<Cursor>) -> (Cursor, OverviewChange) {
    let Sight { shape, data, .. } = shown.sight(now.clone(), 1, after);
    let ViewData::Overview { change } = data else { panic!("an overview: {data:?}") };
    (Cursor { epoch: 1, seq: 1, shape }, *change)
}

proptest! {
    /// Several hosts look at different times, some of them so late that theirs is forgotten.
    #[test]
    fn changes_applied_are_the_overview(
        history in vec((any_overview(), 0_usize..4), 1..60),
    ) {
        let shown = Shown::default();
        let mut hosts = [const { None::<(Cursor, Overview)> }; 4];
        for (now, host) in history {
            let (after, held) = hosts[host].take().unzip();
            let (cursor, change) = seen(&shown, &now, after);
            let after = change.after(held);
            prop_assert_eq!(after.as_ref(), Some(&now));
            hosts[host] = Some((cursor, now));
        }
    }
}

#[test]
fn a_task_costs_a_host_the_numbers_of_its_server() {
    let shown = Shown::default();
    let first = overview(vec![server(1, "ci", 1, 1), server(2, "lab", 1, 1)]);
    let (cursor, _) = seen(&shown, &first, None);
    let next = overview(vec![server(1, "ci", 1, 1), server(2, "lab", 2, 1)]);
    let (cursor, change) = seen(&shown, &next, Some(cursor));
    assert_eq!(change.servers, [ServerChange { view: None, ..ServerChange::whole(server(2, "lab", 2, 1)) }]);
    assert!(change.order.is_none() && change.settings.is_none() && change.troubles.is_none());
    let (same, change) = seen(&shown, &next, Some(cursor));
    assert!(same.shape == cursor.shape && change.servers.is_empty(), "nothing is news");
}

#[test]
fn what_a_host_has_seen_is_remembered_while_it_looks() {
    let shown = Shown::default();
    let own = overview(vec![server(1, "ci", 0, 0)]);
    let (mut cursor, _) = seen(&shown, &own, None);
    for heard in 0..100 {
        seen(&shown, &overview(vec![server(9, "lab", 0, heard)]), None);
        let (next, change) = seen(&shown, &own, Some(cursor));
        assert!(change.order.is_none(), "it is known: {heard}");
        cursor = next;
    }
    assert!(shown.parts.lock().unwrap().len() <= MOST);
    let other = overview(vec![]);
    for heard in 0..100 {
        seen(&shown, &overview(vec![server(9, "lab", 0, heard)]), None);
    }
    let (_, change) = seen(&shown, &other, Some(cursor));
    assert!(change.order.is_some() && change.settings.is_some(), "all of it, since it was forgotten");
}
