//! What people had forgotten: nothing of it need be there any more.

use std::collections::BTreeSet;

use super::{Evidence, Said, What};
use crate::answer::Answer;

/// All that hangs on calls that somebody wanted forgotten, and was not refused.
#[derive(Debug, Default)]
pub(crate) struct Forgotten {
    pub(crate) calls: BTreeSet<u32>,
    pub(crate) nonces: BTreeSet<String>,
    pub(crate) tasks: BTreeSet<String>,
    pub(crate) requests: BTreeSet<u32>,
}

impl Evidence {
    pub(crate) fn forgotten(&self) -> Forgotten {
        let mut all = Forgotten::default();
        for wish in &self.wishes {
            if let (What::Forget { call }, true) =
                (&wish.what, wish.said.promised() || wish.said == Said::Unsure)
            {
                all.calls.insert(*call);
            }
        }
        if all.calls.is_empty() {
            return all;
        }
        for wish in &self.wishes {
            match (&wish.what, &wish.said) {
                (What::Start { nonce, .. }, Said::Done(Some(id))) if all.calls.contains(id) => {
                    all.nonces.insert(nonce.clone());
                }
                (What::Track { task }, Said::Done(Some(id))) if all.calls.contains(id) => {
                    all.tasks.insert(task.clone());
                }
                // It was gone again before anybody was told its number.
                (What::Track { task }, Said::Refused(_)) => {
                    all.tasks.insert(task.clone());
                }
                _ => {}
            }
        }
        for kept in &self.kept {
            for call in kept.calls.iter().filter(|call| all.calls.contains(&call.id)) {
                all.nonces.extend((!call.nonce.is_empty()).then(|| call.nonce.clone()));
                all.tasks.extend(call.task.clone());
            }
            let theirs = kept
                .requests
                .iter()
                .filter(|request| request.call.is_some_and(|call| all.calls.contains(&call)));
            all.requests.extend(theirs.map(|request| request.id));
        }
        all.requests
            .extend(self.asked.iter().filter(|(_, call)| all.calls.contains(call)).map(|(id, _)| *id));
        for sent in
            self.sent.iter().filter(|sent| sent.nonce().is_some_and(|nonce| all.nonces.contains(nonce)))
        {
            all.tasks.extend(sent.answer.as_deref().and_then(|answer| Answer::read(answer).task));
        }
        for (_, made) in self.made().filter(|(_, made)| all.nonces.contains(&made.nonce)) {
            all.tasks.insert(made.task.clone());
        }
        all
    }
}
