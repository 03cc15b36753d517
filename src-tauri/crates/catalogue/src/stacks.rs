//! Open questions that are alike, by what they have in common. They are few beside all rows, and kept by what changes.

use std::collections::{BTreeSet, HashMap};

use signalbox_model::RequestId;

use crate::{Change, NarrowRequest, NarrowRow as _};

/// The stacks of open questions. One that is like no other now stands in a stack of its own.
#[derive(Debug, Default)]
pub struct Stacks {
    stacks: HashMap<u64, BTreeSet<RequestId>>,
    of: HashMap<RequestId, u64>,
    version: u64,
}

impl Stacks {
    /// Takes in what became of some rows.
    pub fn apply(&mut self, changes: &[Change<NarrowRequest>]) {
        for change in changes {
            let (id, now) = match change {
                Change::Put(row) => (row.id(), row.alike()),
                Change::Gone(id) => (*id, None),
            };
            let before = self.of.get(&id).copied();
            if before == now {
                continue;
            }
            if let Some(before) = before {
                self.leave(id, before);
            }
            if let Some(now) = now {
                self.join(id, now);
            }
        }
    }

    /// The questions that are like this one, itself included, by number: none where it is like no other.
    #[must_use]
    pub fn of(&self, id: RequestId) -> Option<&BTreeSet<RequestId>> {
        self.stacks.get(self.of.get(&id)?).filter(|stack| stack.len() > 1)
    }

    /// Counts the changes of stacks of several.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    fn join(&mut self, id: RequestId, stack: u64) {
        let members = self.stacks.entry(stack).or_default();
        members.insert(id);
        self.version += u64::from(members.len() > 1);
        self.of.insert(id, stack);
    }

    fn leave(&mut self, id: RequestId, stack: u64) {
        self.of.remove(&id);
        let Some(members) = self.stacks.get_mut(&stack) else { return };
        members.remove(&id);
        if members.is_empty() {
            self.stacks.remove(&stack);
        } else {
            self.version += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use signalbox_model::{Attention, Mode, RequestBrief, RequestState, ServerId, Timestamp};

    use super::*;
    use crate::World;

    fn asked(id: u32, schema: Option<u64>) -> RequestBrief {
        RequestBrief {
            id: RequestId(id),
            server: ServerId(1),
            call: None,
            tool: "deploy".to_owned(),
            summary: String::new(),
            mode: Mode::Form,
            message: String::new(),
            state: RequestState::Open,
            opened_at: Timestamp(0),
            closed_at: None,
            expires_at: None,
            attention: Attention::NeedsYou,
            schema,
        }
    }

    fn put(request: &RequestBrief) -> Change<NarrowRequest> {
        Change::Put(NarrowRequest::new(request, 1, &mut World::new(TimeZone::UTC)))
    }

    fn of(stacks: &Stacks, id: u32) -> Vec<u32> {
        stacks.of(RequestId(id)).into_iter().flatten().map(|id| id.0).collect()
    }

    #[test]
    fn what_is_alike_stands_together_as_long_as_it_is() {
        let mut stacks = Stacks::default();
        stacks.apply(&[put(&asked(1, Some(7)))]);
        assert_eq!((of(&stacks, 1), stacks.version()), (vec![], 0), "one alone is no stack, and no news");
        stacks.apply(&[put(&asked(3, Some(7))), put(&asked(2, Some(7))), put(&asked(4, Some(8)))]);
        assert_eq!((of(&stacks, 2), stacks.version()), (vec![1, 2, 3], 2));
        stacks.apply(&[put(&asked(2, Some(7))), put(&asked(9, None))]);
        assert_eq!(stacks.version(), 2, "nothing of it changed");
        stacks.apply(&[put(&asked(1, None)), Change::Gone(RequestId(3))]);
        let all = [1, 2, 3, 4].map(|id| of(&stacks, id).len());
        assert_eq!((all, stacks.version()), ([0; 4], 4), "answered, and forgotten");
        stacks.apply(&[put(&asked(2, Some(8)))]);
        assert_eq!((of(&stacks, 4), stacks.version()), (vec![2, 4], 5), "asked anew with another schema");
    }

    #[test]
    fn another_tool_or_server_is_another_stack() {
        let mut stacks = Stacks::default();
        let tool = RequestBrief { tool: "build".to_owned(), ..asked(2, Some(7)) };
        let server = RequestBrief { server: ServerId(2), ..asked(3, Some(7)) };
        let unknown = |id| RequestBrief { tool: String::new(), ..asked(id, Some(7)) };
        stacks.apply(&[&asked(1, Some(7)), &tool, &server, &unknown(4), &unknown(5)].map(put));
        assert_eq!([1, 2, 3, 4, 5].map(|id| of(&stacks, id).len()), [0; 5]);
    }
}
