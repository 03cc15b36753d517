//! After the trouble: people bring everything to its end, and nothing may be left over.

use signalbox_tests::Dice;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use signalbox_api::TaskRow;
use signalbox_model::{Health, RequestId, RequestState};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::person::{Persons, answerable};
use crate::plan::How;
use crate::stumble::Stumble;

/// How long everything may take to come to its end once nothing is in the way (s). Far more than it takes.
const LIMIT: u64 = 25;
/// After so long (s) it is told what keeps everybody waiting.
const SLOW: u64 = 3;
/// A question that is still there after so long (s) is answered again: on the legacy wire one comes back when its
/// connection was gone before the answer left.
const AGAIN: u64 = 1;
/// Between two looks, at most.
const PAUSE: Duration = Duration::from_millis(100);

/// Resolves when every call has ended, no answer is on its way, and everybody in `at_work` has done what they wanted.
/// What it had to wait for longer than is good for a round comes back.
pub(crate) async fn settle(
    persons: &Arc<Persons>,
    mut at_work: JoinSet<()>,
    dice: &mut Dice,
) -> Result<Option<String>, Stumble> {
    let began = Instant::now();
    let deadline = began + Duration::from_secs(LIMIT);
    let mut slow = None;
    let mut asked: HashMap<(RequestId, RequestState), Instant> = HashMap::new();
    while Instant::now() < deadline {
        while at_work.try_join_next().is_some() {}
        let (calls, questions) = (persons.live().await?, persons.inbox().await?);
        if at_work.is_empty() && calls.is_empty() && questions.is_empty() {
            return Ok(slow);
        }
        if slow.is_none() && began.elapsed() > Duration::from_secs(SLOW) {
            slow = Some(left(persons).await);
        }
        for server in persons.overview().await?.servers {
            // Trouble is over: nobody waits for the next try of its own.
            if !matches!(server.health, Health::Ok { .. } | Health::Unknown { .. }) {
                persons.check(server.name).await;
            }
        }
        for question in questions.iter().filter(|row| answerable(row)) {
            let (persons, id) = (Arc::clone(persons), question.id);
            let how = *dice.pick(&[How::Accept, How::Decline, How::Dismiss]);
            let recently = |at: &Instant| at.elapsed() < Duration::from_secs(AGAIN);
            if !asked.get(&(id, question.state)).is_some_and(recently) {
                asked.insert((id, question.state), Instant::now());
                at_work.spawn(async move { drop(persons.answer(id, how, 0).await) });
            }
        }
        // What works for ever ends when it is told to; who was promised that need not ask again.
        let endless = calls.iter().filter(|call| call.tool == "forever" && call.has_task);
        for call in endless.filter(|call| !persons.promised_cancel(call.id)) {
            let (id, seen) = (call.id, call.cancel.as_ref().map(|wish| wish.requested_at));
            let persons = Arc::clone(persons);
            at_work.spawn(async move { persons.cancel(id, seen).await });
        }
        let _ = timeout(PAUSE * 10, persons.news(PAUSE)).await;
    }
    Err(Stumble::Unsettled { seconds: LIMIT, left: left(persons).await })
}

async fn left(persons: &Persons) -> String {
    let calls = persons.live().await.unwrap_or_default();
    let calls =
        calls.iter().map(|TaskRow { id, tool, status, tracking, note, next_poll_at, cancel, .. }| {
            format!("{id} {tool} {status:?} {tracking:?} {note:?} next poll {next_poll_at:?} {cancel:?}")
        });
    let questions = persons.inbox().await.unwrap_or_default();
    let questions = questions.iter().map(|row| format!("{} {:?} {:?}", row.id, row.state, row.answer));
    calls.chain(questions).collect::<Vec<_>>().join("; ")
}
