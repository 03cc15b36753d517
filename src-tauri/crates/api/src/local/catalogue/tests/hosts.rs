//! A host that keeps what views hand out has what it would be given anew: of the task list and the inbox, in changing windows,
//! before the catalogue is read and afterwards.

use std::collections::BTreeMap;

use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    flood::flood,
    history::{commit_each, commits, servers},
    *,
};
use crate::OwnerKind;

#[derive(Debug, Clone, PartialEq)]
enum Row {
    Task(Box<TaskRow>),
    Question(Box<RequestRow>),
}

impl Row {
    /// Whether it belongs under this head.
    fn is_under(&self, head: &HeadOf) -> bool {
        match (self, head) {
            (Self::Task(row), HeadOf::Server { server, name }) => {
                row.server == *server && row.server_name == *name
            }
            (Self::Task(row), HeadOf::Tool { tool }) => row.tool == *tool,
            (Self::Task(row), HeadOf::Word { key, word: Some(word) }) if key == "is" => {
                let group = serde_json::to_value(row.group).unwrap();
                group.as_str() == Some(word)
            }
            (Self::Question(row), HeadOf::Word { key, word: Some(word) }) if key == "is" => {
                word == if row.stranded { "stranded" } else { "over" }
            }
            _ => false,
        }
    }
}

/// What a host has of a list.
#[derive(Debug, Default)]
struct Host {
    cursor: Option<Cursor>,
    ids: Vec<u32>,
    rows: BTreeMap<u32, Row>,
    heads: Vec<Head>,
    total: u32,
    complete: bool,
}

impl Host {
    fn take_in<I, R>(&mut self, page: Page<I, R>, number: impl Fn(&I) -> u32, row: impl Fn(R) -> (u32, Row)) {
        self.ids = page.ids.iter().map(number).collect();
        self.rows.extend(page.rows.into_iter().map(row));
        self.rows.retain(|number, _| self.ids.contains(number));
        (self.heads, self.total, self.complete) = (page.heads, page.total, page.complete);
    }

    /// Looks until the list is whole.
    async fn look(&mut self, desk: &Local, view: &View) {
        let mut wait = Duration::ZERO;
        loop {
            let Changes { cursor, data } = desk.look(view.clone(), self.cursor, wait).await.unwrap();
            self.cursor = Some(cursor);
            match data {
                Some(ViewData::Tasks { page }) => {
                    self.take_in(page, |id| id.0, |row| (row.id.0, Row::Task(Box::new(row))));
                }
                Some(ViewData::Inbox { page }) => {
                    self.take_in(page, |id| id.0, |row| (row.id.0, Row::Question(Box::new(row))));
                }
                Some(other) => panic!("{other:?}"),
                None => {}
            }
            if self.complete {
                return;
            }
            wait = Duration::from_secs(30);
        }
    }
}

#[derive(Debug, Clone)]
enum List {
    Tasks(ListQuery),
    Inbox(InboxTab, &'static str, &'static str),
}

impl List {
    fn view(&self, (offset, limit): (u32, u32)) -> View {
        match self {
            Self::Tasks(query) => View::Tasks { query: query.clone(), offset, limit },
            Self::Inbox(tab, filter, within) => {
                let (filter, within) = ((*filter).to_owned(), (*within).to_owned());
                View::Inbox { tab: *tab, filter, within, offset, limit }
            }
        }
    }
}

fn list() -> impl Strategy<Value = List> {
    let tasks = (
        select(vec!["", "", "tool:build,deploy", "is:ended", "-server:ci", "outcome:*"]),
        select(vec!["", "", "age>2h", "-is:working"]),
        select(vec!["", "server,started", "tool,-ended", "is"]),
        select(vec!["", "server", "tool", "is", "none"]),
    );
    let tasks = tasks.prop_map(|(filter, within, sort, group)| {
        List::Tasks(ListQuery { within: vec![within.to_owned()], ..query(filter, sort, group) })
    });
    let inbox = (
        select(vec![InboxTab::NeedsYou, InboxTab::Answered, InboxTab::All]),
        select(vec!["", "", "tool:build,deploy", "mode:form", "-server:ci", "is:stranded"]),
        select(vec!["", "", "age>2h", "-state:open"]),
    );
    let inbox = inbox.prop_map(|(tab, filter, within)| List::Inbox(tab, filter, within));
    // The lists as they always are come out of the store's index, until all rows are read.
    let usual = select(vec![InboxTab::NeedsYou, InboxTab::Answered, InboxTab::All]);
    let usual = usual.prop_map(|tab| List::Inbox(tab, "", ""));
    prop_oneof![Just(List::Tasks(ListQuery::default())), usual, tasks, inbox]
}

#[derive(Debug, Clone)]
enum Step {
    Commit(Vec<Write>),
    /// One of the hosts looks at a window.
    Look(usize, (u32, u32)),
    /// All rows are read, if nobody did so before.
    Read,
    /// All rows are read anew.
    Flood,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        40 => commits().prop_map(Step::Commit),
        100 => (0_usize..2, (0_u32..4, 1_u32..8)).prop_map(|(host, window)| Step::Look(host, window)),
        5 => Just(Step::Read),
        1 => Just(Step::Flood),
    ]
}

/// The heads of a whole list have the rows that stand under them, and no others.
fn check_heads(host: &Host) -> Result<(), TestCaseError> {
    let mut rest = host.ids.iter();
    for head in &host.heads {
        for id in rest.by_ref().take(head.count as usize) {
            prop_assert!(host.rows[id].is_under(&head.of), "{:?} under {:?}", host.rows[id], head);
        }
    }
    prop_assert!(host.heads.is_empty() || rest.next().is_none(), "each row has a head: {:?}", host.heads);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn changes_applied_are_the_view_read_anew(
        list in list(),
        kind in select(vec![OwnerKind::Serve, OwnerKind::Command]),
        first in vec(commits(), 2..8),
        steps in vec(step(), 1..24),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let runtime = runtime();
        let (desk, submit) = runtime.block_on(desk_and_submit(dir.path(), kind, servers()));
        commit_each(&submit, first.concat());
        runtime.block_on(async {
            let mut hosts = [Host::default(), Host::default()];
            for step in steps {
                match step {
                    Step::Commit(writes) => commit_each(&submit, writes),
                    Step::Read => whole(&desk.begun()).await,
                    Step::Flood => drop(hand_in(&submit, flood()).recv().unwrap()),
                    Step::Look(host, window) => {
                        let held = &mut hosts[host];
                        held.look(&desk, &list.view(window)).await;
                        let mut anew = Host::default();
                        anew.look(&desk, &list.view(window)).await;
                        prop_assert_eq!(&held.ids, &anew.ids);
                        prop_assert_eq!(&held.rows, &anew.rows);
                        prop_assert_eq!((&held.heads, held.total), (&anew.heads, anew.total));
                    }
                }
            }
            let mut all = Host::default();
            all.look(&desk, &list.view((0, 500))).await;
            prop_assert_eq!(all.total as usize, all.rows.len());
            check_heads(&all)
        })?;
        runtime.block_on(desk.engine().stop());
    }
}
