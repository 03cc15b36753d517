//! The lines of each call, and which calls are watched.

use std::collections::{BTreeMap, VecDeque};

use signalbox_model::{Brought, CallId, Exchange, Json, RequestLog, Timestamp, ToldState};

use super::states::States;

/// Calls that are watched at the same time; the one that nobody looked at for the longest time gives way.
const MOST_WATCHED: usize = 64;
/// Lines of a watched call.
const OF_WATCHED: usize = 200;
/// Lines of any other call.
const OF_OTHERS: usize = 20;
/// Lines of all calls together; those of the oldest call give way.
const OF_ALL: usize = 400_000;
/// The states of all calls that are not watched: how many, and their bytes.
const STATES_OF_ALL: (usize, usize) = (4_096, 4 << 20);

/// What is remembered.
pub(super) struct Log {
    calls: BTreeMap<CallId, Lines>,
    /// The lines of all calls together.
    count: usize,
    /// The last states of calls that are not watched.
    states: States,
    /// The watched calls, the last looked at behind.
    watched: VecDeque<CallId>,
}

/// What is remembered of one call.
#[derive(Default)]
struct Lines {
    last: VecDeque<Exchange>,
    left_out: u32,
    /// The digest of the state that came last.
    digest: Option<u64>,
    /// Its last states, where it is watched.
    states: Option<Box<States>>,
}

impl Default for Log {
    fn default() -> Self {
        let (most, bytes) = STATES_OF_ALL;
        Self { calls: BTreeMap::new(), count: 0, states: States::new(most, bytes), watched: VecDeque::new() }
    }
}

impl Log {
    /// Adds a line; says whether the call is watched.
    pub(super) fn add(&mut self, call: CallId, line: Exchange) -> bool {
        self.add_to(call, |_, _| line)
    }

    /// Adds the line that `line` makes of what is known of the call, which is looked for once: polls come here.
    fn add_to(&mut self, call: CallId, line: impl FnOnce(&mut Lines, &mut States) -> Exchange) -> bool {
        let lines = self.calls.entry(call).or_default();
        let line = line(lines, &mut self.states);
        let before = lines.last.len();
        lines.add(line);
        self.count = self.count - before + lines.last.len();
        let watched = lines.states.is_some();
        self.make_room();
        watched
    }

    /// Adds a line that brought a state, with that where it differs from the one before; says whether the call is watched.
    pub(super) fn state(&mut self, call: CallId, line: Exchange, digest: u64, json: &Json) -> bool {
        self.add_to(call, |lines, of_others| {
            if lines.digest.replace(digest) == Some(digest) {
                return Exchange { brought: Brought::Same, ..line };
            }
            let states = lines.states.as_deref_mut().unwrap_or(of_others);
            states.add(call, ToldState { at: line.at, json: json.clone() });
            line
        })
    }

    /// What is remembered of a call, which is watched from now on.
    pub(super) fn of(&mut self, call: CallId, since: Timestamp) -> RequestLog {
        let lines = self.watched(call);
        RequestLog {
            since,
            left_out: lines.left_out,
            exchanges: lines.last.iter().copied().collect(),
            states: lines.states.as_ref().map_or_else(Vec::new, |states| states.of(call)),
        }
    }

    /// From now on more is kept of this call.
    pub(super) fn watch(&mut self, call: CallId) {
        self.watched(call);
    }

    fn watched(&mut self, call: CallId) -> &Lines {
        if self.watched.back() != Some(&call) {
            self.watched.retain(|watched| *watched != call);
            self.watched.push_back(call);
        }
        if self.watched.len() > MOST_WATCHED
            && let Some(unwatched) = self.watched.pop_front()
            && let Some(lines) = self.calls.get_mut(&unwatched)
        {
            let before = lines.last.len();
            lines.states = None;
            lines.cut();
            self.count = self.count - before + lines.last.len();
            // Anybody may look at any number.
            if lines.last.is_empty() {
                self.calls.remove(&unwatched);
            }
        }
        let lines = self.calls.entry(call).or_default();
        lines.states.get_or_insert_with(|| Box::new(self.states.take(call)));
        lines
    }

    /// Calls that something is remembered of.
    #[cfg(test)]
    pub(super) fn calls(&self) -> usize {
        self.calls.len()
    }

    /// The lines of all calls together.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.calls.values().map(|lines| lines.last.len()).sum()
    }

    fn make_room(&mut self) {
        while self.count > OF_ALL
            && let Some((_, lines)) = self.calls.pop_first()
        {
            self.count -= lines.last.len();
        }
    }
}

impl Lines {
    fn add(&mut self, line: Exchange) {
        if let Some(last) = self.last.back_mut()
            && line.brought != Brought::News
            && (last.method, last.brought) == (line.method, line.brought)
        {
            *last = Exchange { times: last.times.saturating_add(1), first_at: last.first_at, ..line };
            return;
        }
        // Most tasks have few lines, and there are many tasks.
        if self.last.len() == self.last.capacity() {
            self.last.reserve_exact(2);
        }
        self.last.push_back(line);
        self.cut();
    }

    fn cut(&mut self) {
        let most = if self.states.is_some() { OF_WATCHED } else { OF_OTHERS };
        let over = self.last.len().saturating_sub(most);
        self.last.drain(..over);
        self.left_out = self.left_out.saturating_add(u32::try_from(over).unwrap_or(u32::MAX));
    }
}
