//! The last states that servers told.

use std::collections::VecDeque;

use signalbox_model::{CallId, ToldState};

/// States of a watched call: how many, and their bytes.
const OF_WATCHED: (usize, usize) = (20, 256 * 1024);

/// States, the oldest first, within a bound.
pub(super) struct States {
    most: usize,
    most_bytes: usize,
    bytes: usize,
    last: VecDeque<(CallId, ToldState)>,
}

impl States {
    pub(super) fn new(most: usize, most_bytes: usize) -> Self {
        Self { most, most_bytes, bytes: 0, last: VecDeque::new() }
    }

    /// Adds the last one. One that is larger than the bound is not kept, and all before it go: they were not the last.
    pub(super) fn add(&mut self, call: CallId, state: ToldState) {
        self.bytes += state.json.text().len();
        self.last.push_back((call, state));
        while (self.last.len() > self.most || self.bytes > self.most_bytes)
            && let Some((_, state)) = self.last.pop_front()
        {
            self.bytes -= state.json.text().len();
        }
    }

    /// Those of a call.
    pub(super) fn of(&self, call: CallId) -> Vec<ToldState> {
        self.last.iter().filter(|(of, _)| *of == call).map(|(_, state)| state.clone()).collect()
    }

    /// Takes those of a call out, into the room that a watched call has.
    pub(super) fn take(&mut self, call: CallId) -> Self {
        let (most, most_bytes) = OF_WATCHED;
        let mut taken = Self::new(most, most_bytes);
        let (of_call, others) = std::mem::take(&mut self.last).into_iter().partition(|(of, _)| *of == call);
        self.last = others;
        let of_call: VecDeque<_> = of_call;
        for (call, state) in of_call {
            self.bytes -= state.json.text().len();
            taken.add(call, state);
        }
        taken
    }
}
