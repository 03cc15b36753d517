//! What the engine starts from, read from all tables at once.

use std::collections::{HashMap, HashSet};

use signalbox_model::{
    Call, CallId, InputRequest, Json, PayloadKind, RequestId, Server, ServerId, Timestamp,
};

use crate::{
    Ids, OpenRound, ReadError, Reads, StoredSession, Undecided,
    column::Columns,
    snapshot::Snapshot,
    table::{calls, meta, requests, rounds, servers, sessions, settings, tools},
};

/// What the engine starts from, consistent with one transaction. Rows that cannot be decoded are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The last transaction.
    pub seq: u64,
    /// The next free numbers.
    pub ids: Ids,
    /// All servers, also removed ones.
    pub servers: Vec<Server>,
    /// Calls that have not ended.
    pub calls: Vec<Call>,
    /// All input requests of those calls, and every other one that is not over. Closed ones come without what they ask
    /// ([`InputRequest::is_bare`]), and so do those of tasks and rounds that ask more than 8 KiB.
    pub requests: Vec<InputRequest>,
    /// Of the long ones that are not closed: the bytes that stay in the store.
    pub stored: HashMap<RequestId, u64>,
    /// Those of them that closed and that nobody answered, the oldest first.
    pub undecided: Vec<Undecided>,
    /// Calls that came to a result while one of those requests was not over.
    pub completed: HashSet<CallId>,
    /// All settings: name and value.
    pub settings: Vec<(String, Json)>,
    /// The tools of each server as last listed.
    pub tools: Vec<(ServerId, Json)>,
    /// The last round of each of those calls that has any (MRTR), with the arguments to repeat.
    pub rounds: Vec<OpenRound>,
    /// The last session with each server of the legacy wire.
    pub sessions: Vec<StoredSession>,
    /// When, by the clock of then, something was last told in the log of decisions or a timeline.
    pub newest: Option<Timestamp>,
}

impl Reads {
    /// What the engine starts from.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn live(&self) -> Result<Live, ReadError> {
        let mut live = self.read(|at| {
            let meta = meta::read(at.conn)?;
            let calls = calls::live(at)?;
            let (requests, stored): (Vec<_>, Vec<_>) = requests::live(at)?
                .into_iter()
                .map(|(request, stored)| {
                    let id = request.id;
                    (request, (id, stored))
                })
                .unzip();
            let live: HashSet<CallId> = calls.iter().map(|call| call.id).collect();
            let ended =
                requests.iter().filter_map(|request| request.call).filter(|call| !live.contains(call));
            Ok(Live {
                seq: meta.seq,
                ids: meta.ids,
                servers: servers::all(at)?.into_iter().map(|(server, _)| server).collect(),
                completed: calls::completed(at, ended)?,
                undecided: requests::undecided_of_live(at)?,
                calls,
                requests,
                stored: stored.into_iter().filter(|(_, bytes)| *bytes > 0).collect(),
                settings: settings::all(at)?.into_iter().map(|(key, value, _)| (key, value)).collect(),
                tools: tools::all(at)?,
                rounds: rounds::last_of_live(at)?,
                sessions: sessions::all(at)?,
                newest: newest(at)?,
            })
        })?;
        for round in &mut live.rounds {
            round.arguments = self.payload(round.call, PayloadKind::Arguments)?;
        }
        Ok(live)
    }
}

/// The later of the last entries of the log of decisions and of all timelines.
fn newest(at: &Snapshot<'_>) -> rusqlite::Result<Option<Timestamp>> {
    let last = [
        "SELECT at FROM decisions WHERE n > 0 ORDER BY n DESC LIMIT 1",
        "SELECT at FROM events WHERE id > 0 ORDER BY id DESC LIMIT 1",
    ];
    let mut newest = None;
    for sql in last {
        newest = newest.max(at.rows(sql, [], |row| Columns::of(row).time())?.pop());
    }
    Ok(newest)
}
