//! Which calls may have asked a question that does not say whose it is (legacy wire).

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use signalbox_model::{Call, CallId, Delivery, Status};

use crate::by_number::ByNumber;

/// A sign that a call may have asked a question. Texts are known by their hash alone, so whoever finds a call
/// by its text has to compare the text itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sign {
    /// `tools/call` has not been answered.
    UnderWay,
    /// The task says that it needs input.
    NeedsInput,
    /// The call has not come to an end.
    Alive,
    /// Its last status message.
    Says(u64),
}

/// The calls at one server by what speaks for them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Candidates {
    signs: ByNumber<CallId, [Option<Sign>; 4]>,
    calls: BTreeSet<(Sign, CallId)>,
}

impl Sign {
    /// That a status message has this text.
    pub(crate) fn says(text: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self::Says(hasher.finish())
    }

    fn all_of(call: &Call) -> [Option<Self>; 4] {
        let message = call.task.as_ref().and_then(|task| task.status_message.as_deref());
        [
            (call.delivery == Delivery::Sent).then_some(Self::UnderWay),
            (call.status == Status::InputRequired).then_some(Self::NeedsInput),
            (!call.status.is_terminal()).then_some(Self::Alive),
            message.filter(|text| !text.is_empty()).map(Self::says),
        ]
    }
}

impl Candidates {
    /// Takes a call as it stands now.
    pub(crate) fn put(&mut self, call: &Call) {
        let signs = Sign::all_of(call);
        let before = self.signs.insert(call.id, signs);
        if before == Some(signs) {
            return;
        }
        for sign in before.into_iter().flatten().flatten() {
            self.calls.remove(&(sign, call.id));
        }
        self.calls.extend(signs.into_iter().flatten().map(|sign| (sign, call.id)));
    }

    pub(crate) fn remove(&mut self, id: CallId) {
        for sign in self.signs.remove(&id).into_iter().flatten().flatten() {
            self.calls.remove(&(sign, id));
        }
    }

    /// The calls that have a sign, in the order of their ids.
    pub(crate) fn with(&self, sign: Sign) -> impl Iterator<Item = CallId> + '_ {
        self.calls.range((sign, CallId(0))..=(sign, CallId(u32::MAX))).map(|(_, id)| *id)
    }
}

/// The only call that there is; none where there are more, or no call at all.
pub(crate) fn only(mut calls: impl Iterator<Item = CallId>) -> Option<CallId> {
    let first = calls.next()?;
    calls.next().is_none().then_some(first)
}
