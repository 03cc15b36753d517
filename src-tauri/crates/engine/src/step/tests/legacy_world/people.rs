//! What people want, and what they have said to which question.

use std::collections::{BTreeMap, BTreeSet};

use signalbox_model::{Action, RequestId};

use super::super::bench::*;
use super::{
    Op, World,
    peer::{said_in, words_in},
};
use crate::{Granted, Intent};

#[derive(Debug, Default)]
pub(super) struct People {
    /// To which question each answer was given: each says another number.
    said: BTreeMap<u32, (String, RequestId)>,
    /// The server must never see these.
    pub(super) taken_back: BTreeSet<u32>,
    last: u32,
}

impl People {
    /// The question to which this was said.
    pub(super) fn of(&self, said: u32) -> (String, RequestId) {
        self.said.get(&said).cloned().unwrap_or_else(|| panic!("nobody has said {said}"))
    }
}

impl World {
    pub(super) fn answer(&mut self, request: RequestId, hold_ms: u32) -> bool {
        self.people.last += 1;
        let number = self.people.last;
        let content = json(&format!(r#"{{"text":"said {number}"}}"#));
        let words = words_in(self.bench.question(request).raw.text());
        let token = self.bench.ask(self.bench.accepts(request, content, hold_ms));
        let decided = matches!(self.bench.replies.get(&token), Some(Ok(Granted::Decided(_))));
        if let Some(words) = words.filter(|_| decided) {
            self.people.said.insert(number, (words, request));
        }
        decided
    }

    fn undo(&mut self, request: RequestId) {
        let said = self.bench.question(request).answer.as_ref().and_then(|answer| answer.content.clone());
        let undo = self.bench.undoes(request);
        if self.bench.wish(undo).is_ok() {
            self.people.taken_back.extend(said.and_then(|said| said_in(said.text())));
        }
    }

    pub(super) fn wish(&mut self, op: &Op) {
        let intent = match *op {
            Op::Answer(n, hold_ms) => {
                if let Some(request) = self.request(n) {
                    self.answer(request, hold_ms);
                }
                return;
            }
            Op::Undo(n) => return self.request(n).into_iter().for_each(|request| self.undo(request)),
            Op::No(n, dismissed, hold_ms) => self.request(n).map(|request| {
                let action = if dismissed { Action::Cancel } else { Action::Decline };
                let seen = self.bench.seen(request);
                Intent::Answer { request, action, content: None, hold_ms, seen, remark: None, asks: None }
            }),
            Op::TakeBackHeld => Some(Intent::TakeBackHeld),
            Op::Draft(n) => {
                self.request(n).map(|request| Intent::SaveDraft { request, draft: Some(json("1")) })
            }
            Op::Snooze(n, until) => self.request(n).map(|request| Intent::Snooze { request, until }),
            Op::PutAway(n) => {
                self.request(n).map(|id| Intent::PutAway(Box::new(self.bench.question(id).clone())))
            }
            Op::Cancel(n) => self.call(n).map(|call| self.bench.cancels(call)),
            Op::Drop(n) => self.call(n).map(|call| Intent::Forget { call, server: self.home(call) }),
            Op::Refresh(n) => self.call(n).map(Intent::Refresh),
            Op::Await(n) => {
                if let Some(call) = self.call(n) {
                    self.bench.ask(Intent::AwaitCancel(call));
                }
                self.request(n).map(|request| {
                    let decided_at = self.bench.seen(request).unwrap_or(self.bench.now.wall);
                    Intent::AwaitAnswer { request, decided_at, once_out: false }
                })
            }
            Op::Check => Some(Intent::Check(self.at.server)),
            Op::Enable(enabled) => {
                let mut changed = server(self.at.server.0);
                changed.enabled = enabled;
                Some(Intent::PutServer(changed))
            }
            _ => None,
        };
        if let Some(intent) = intent {
            self.bench.ask(intent);
        }
    }
}
