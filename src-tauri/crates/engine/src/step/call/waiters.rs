//! Who waits for the next poll of a task.

use super::{super::Turn, Live};
use crate::{Granted, Refusal, Token};

impl Live {
    pub(super) fn wait_for_poll(&mut self, token: Token) {
        self.polling.waiters.push(token);
    }

    /// Nobody waits any longer: what is known now is what they wanted to know. Says who they were.
    pub(super) fn release_waiters(&mut self, turn: &mut Turn<'_>) -> Vec<Token> {
        let waiters = std::mem::take(&mut self.polling.waiters);
        waiters.iter().for_each(|token| turn.reply(*token, Ok(Granted::Done)));
        waiters
    }

    /// There is nothing to wait for any more.
    pub(in crate::step) fn refuse_waiters(&mut self, turn: &mut Turn<'_>) {
        for token in std::mem::take(&mut self.polling.waiters) {
            turn.reply(token, Err(Refusal::UnknownCall));
        }
    }

    /// What let them go never was: they wait as before.
    pub(in crate::step) fn wait_again(&mut self, waiters: Vec<Token>) {
        self.polling.waiters = waiters;
    }
}
