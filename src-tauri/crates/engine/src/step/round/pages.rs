//! URLs that older servers want visited before a call (-32042).

use std::collections::HashSet;

use signalbox_mcp::QuestionView;
use signalbox_model::{CallId, Delivery, Json, Note, NoteCode, RequestState, ServerId, Status};

use super::{super::Turn, Asked, wait};
use crate::{State, question::Question};

/// A call whose pages are not done goes again by itself so often, for some minutes; then its person says when.
const MOST_PAGED: u32 = 8;

impl State {
    /// URLs have to be visited before the call can be made again. Those of before were opened by the person already, who
    /// is just not done with all of them: nothing is asked again.
    pub(super) fn urls_wanted(&mut self, turn: &mut Turn, id: CallId, raw: Json, questions: Vec<Json>) {
        let Some(live) = self.calls.get_mut(&id) else { return };
        live.call.delivery = Delivery::Answered;
        let mut known = HashSet::new();
        let keyed = questions.into_iter().enumerate().map(|(at, question)| {
            let named = QuestionView::elicitation_id(&question).or_else(|| QuestionView::read(&question).url);
            (named.unwrap_or_else(|| at.to_string()), question)
        });
        let questions: Vec<(String, Json)> = keyed.filter(|(key, _)| known.insert(key.clone())).collect();
        let same = live.round.as_ref().is_some_and(|round| {
            let before: HashSet<_> =
                live.questions.iter().filter(|q| q.of_round(round.n)).map(page).collect();
            let mut now = questions.iter().map(|(key, raw)| (key.clone(), QuestionView::read(raw).url));
            round.plain && now.all(|page| before.contains(&page))
        });
        if !same {
            self.round_answered(turn, id);
            self.next_round(turn, id, Asked { request_state: None, raw, questions, plain: true });
            return;
        }
        live.call.status = Status::InputRequired;
        if live.call.wants_cancel() {
            self.give_up(turn, id);
            return;
        }
        let asked_often = live.round.as_ref().is_some_and(|round| round.tries.failures() >= MOST_PAGED);
        if asked_often {
            let message =
                "The server still wants its pages visited: answer again once that is done".to_owned();
            let why = Note { code: NoteCode::InputNeeded, message: message.clone() };
            self.retry_undone(turn, id, RequestState::Refused, why, &message);
            return;
        }
        wait(live, turn);
        if let Some(round) = &mut live.round
            && std::mem::take(&mut round.hurried)
        {
            round.retry_at = Some(turn.now.steady_ms);
        }
        self.plan_release(id);
        self.save(turn, id);
    }

    /// The server says of a page that it is done: a call that waits for that goes at once, not when its wait is over. Each
    /// page brings its call forward once.
    pub(in crate::step) fn page_done(&mut self, turn: &Turn, server: ServerId, elicitation_id: &str) {
        let Some(station) = self.servers.get_mut(&server) else { return };
        let calls = &self.calls;
        station.paged.retain(|id| {
            let live = calls.get(id).filter(|live| !live.call.ended());
            live.and_then(|live| live.round.as_ref()).is_some_and(|round| round.plain)
        });
        // A server may say so as often as it likes: only these are looked through.
        for id in station.paged.iter().copied().collect::<Vec<_>>() {
            let Some(live) = self.calls.get_mut(&id) else { continue };
            let Some(round) = &mut live.round else { continue };
            let is_asked = |question: &Question| {
                question.of_round(round.n) && question.request.identity.key() == elicitation_id
            };
            let under_way = live.call.delivery == Delivery::Sent;
            let waits = under_way || round.retry_at.is_some();
            let asked = live.questions.iter().any(is_asked);
            if !waits || !asked || !round.done.insert(elicitation_id.to_owned()) {
                continue;
            }
            // The answer to what is under way may be of before.
            round.hurried = under_way;
            if let Some(at) = &mut round.retry_at {
                *at = turn.now.steady_ms;
            }
            self.plan_release(id);
        }
    }
}

/// What makes a page the same page.
fn page(question: &Question) -> (String, Option<String>) {
    (question.request.identity.key().to_owned(), question.request.url.clone())
}
