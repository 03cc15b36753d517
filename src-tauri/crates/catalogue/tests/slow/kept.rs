//! A list that is kept by changes, beside the same one read slowly.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

use proptest::{prelude::*, sample::select};
use signalbox_catalogue::{Change, Filter, NarrowRow, Order, Query, Rows, World};
use signalbox_model::{Health, Server, ServerId, Timestamp, Transport};

use crate::{
    plain::{Asked, Clock, Row, SERVERS, Unit},
    zones::Zone,
};

/// A list that nobody looks at for a while is let go, and made anew: what time does to one that is kept shows within seconds.
pub(crate) const SECOND: Unit = Unit { ms: 1_000, letter: 's' };

/// A row as its store has it.
pub(crate) trait Full: Debug {
    type Narrow: NarrowRow;
    fn number(&self) -> u32;
    fn server(&self) -> ServerId;
    fn narrow(&self, world: &mut World) -> Self::Narrow;
    fn plain(&self, server: &Server) -> Row;
}

/// What becomes of rows, and of what they have in common.
#[derive(Debug, Clone)]
pub(crate) enum Op<F> {
    Put(Box<F>),
    Forget(u32),
    Server { id: ServerId, name: &'static str, away: bool },
    Found { words: &'static str, number: u32, found: bool },
    Forgotten(&'static str),
    Wait(i64),
}

pub(crate) fn server(id: ServerId, name: &str, away: bool) -> Server {
    let transport = Transport::Http { url: "http://127.0.0.1:1/".to_owned(), headers: vec![] };
    let mut server = Server::new(id, name.to_owned(), transport);
    if away {
        server.health = Health::SignInNeeded { since: Timestamp(0) };
    }
    server
}

/// Anything, of rows of numbers below this one.
pub(crate) fn op<F: Debug>(
    full: impl Strategy<Value = F>,
    texts: &[&'static str],
    below: u32,
) -> impl Strategy<Value = Op<F>> {
    // Words that are long enough to be looked for in full texts.
    let words: Vec<_> = texts.iter().copied().filter(|text| text.chars().count() > 2).collect();
    prop_oneof![
        6 => full.prop_map(|full| Op::Put(Box::new(full))),
        1 => (1..below).prop_map(Op::Forget),
        1 => (1_u32..4, select(vec!["ci", "Dev box", "ci-2", "s2"]), any::<bool>())
            .prop_map(|(id, name, away)| Op::Server { id: ServerId(id), name, away }),
        2 => (select(words.clone()), 1..below, any::<bool>())
            .prop_map(|(words, number, found)| Op::Found { words, number, found }),
        1 => select(words).prop_map(Op::Forgotten),
        3 => select(vec![1_i64, 999, 1_000, 1_001, 13_000, 13_000, 61_000]).prop_map(Op::Wait),
    ]
}

/// All that there is, as plain as can be.
struct Plain<F> {
    rows: BTreeMap<u32, F>,
    servers: BTreeMap<ServerId, Server>,
    found: BTreeSet<(&'static str, u32)>,
    clock: Clock,
}

/// What is kept of it.
struct Kept<L: NarrowRow> {
    rows: Rows<L>,
    world: World,
}

impl<F: Full> Plain<F> {
    fn take_in(&mut self, batch: Vec<Op<F>>, Kept { rows, world }: &mut Kept<F::Narrow>) {
        let (mut changes, mut searched) = (Vec::new(), Vec::new());
        for op in batch {
            match op {
                Op::Put(full) => {
                    changes.push(Change::Put(full.narrow(world)));
                    self.rows.insert(full.number(), *full);
                }
                Op::Forget(number) => {
                    changes.push(Change::Gone(F::Narrow::id_of(number)));
                    self.rows.remove(&number);
                }
                Op::Server { id, name, away } => {
                    let server = server(id, name, away);
                    world.put_server(&server, 1);
                    self.servers.insert(id, server);
                }
                Op::Found { words, number, found } => {
                    searched.push((words, Some((number, found))));
                    if found {
                        self.found.insert((words, number));
                    } else {
                        self.found.remove(&(words, number));
                    }
                }
                Op::Forgotten(words) => {
                    searched.push((words, None));
                    self.found.retain(|(known, _)| *known != words);
                }
                Op::Wait(ms) => self.clock.now += ms,
            }
        }
        let now = Timestamp(self.clock.now);
        rows.apply(changes, world, now);
        for (words, found) in searched {
            match found {
                Some(found) => drop(rows.put_found(words, [found], world, now)),
                None => rows.forget_found(words),
            }
        }
    }

    fn rows(&self) -> Vec<Row> {
        let row = |full: &F| {
            let mut row = full.plain(&self.servers[&full.server()]);
            let found = self.found.iter().filter(|(_, number)| *number == full.number());
            row.found = found.map(|(words, _)| *words).collect();
            row
        };
        self.rows.values().map(row).collect()
    }
}

/// That a list is what is asked for, after each part of a history.
pub(crate) fn check<F: Full>(
    zone: Zone,
    asked: &Asked,
    history: Vec<Vec<Op<F>>>,
) -> Result<(), TestCaseError> {
    let clock = Clock { now: zone.begin, ahead: zone.ahead };
    let mut plain = Plain { rows: BTreeMap::new(), servers: BTreeMap::new(), found: BTreeSet::new(), clock };
    let mut kept = Kept::<F::Narrow> { rows: Rows::default(), world: World::new(zone.zone()) };
    let servers = SERVERS.map(|id| Op::Server { id: ServerId(id), name: "ci", away: false });
    plain.take_in(servers.collect(), &mut kept);
    let read = |text: &str| Filter::read::<F::Narrow>(text, &kept.world).expect("a filter");
    let query = Query {
        filter: read(&asked.filter()).and(read(&asked.within())),
        order: Order::read::<F::Narrow>(&asked.order(), asked.group).expect("an order"),
    };
    kept.rows.sight(&query, &kept.world, Timestamp(zone.begin));
    for batch in history {
        plain.take_in(batch, &mut kept);
        let rows = plain.rows();
        let list = asked.list(&rows, &plain.clock);
        let ids: Vec<_> = list.iter().map(|row| F::Narrow::id_of(row.number)).collect();
        let sight = kept.rows.sight(&query, &kept.world, Timestamp(plain.clock.now));
        let shown: Vec<_> = sight.window(0, usize::MAX).collect();
        let (filter, within) = (asked.filter(), asked.within());
        let what = format!("{filter} within {within} sorted by {} under {}", asked.order(), asked.group);
        prop_assert_eq!(&shown, &ids, "{}", what);
        prop_assert_eq!(sight.total(), ids.len(), "{}", what);
        let heads = asked.heads(&list, &plain.clock);
        let heads: Vec<_> = heads.iter().map(|(row, count)| (F::Narrow::id_of(row.number), *count)).collect();
        let groups: Vec<_> = sight.groups().into_iter().map(|group| (group.first, group.count)).collect();
        prop_assert_eq!(groups, heads, "each head has its rows, and no other: {}", what);
    }
    Ok(())
}
