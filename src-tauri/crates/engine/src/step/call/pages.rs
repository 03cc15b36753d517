//! URLs that older servers want visited before a call (-32042).
//!
//! Such a call goes again by itself for some minutes, more and more seldom, and once for each page that the server says
//! is done. After that its person says when.

use std::collections::HashSet;

use signalbox_mcp::QuestionView;
use signalbox_model::{Delivery, Json, Note, Reason, Status};

use super::{
    super::{
        Next, Turn,
        question::{Fact, Question},
    },
    Live,
    round::Asked,
};

/// A call whose pages are not done goes again by itself so often, for some minutes; then its person says when.
const MOST_PAGED: u32 = 8;

impl Live {
    /// URLs have to be visited before the call can be made again. Some may have been wanted before: the
    /// person has opened those, and is only not done with them, so they are not asked again.
    pub(super) fn urls_wanted(&mut self, turn: &mut Turn<'_>, raw: Json, questions: Vec<Json>) {
        self.call.delivery = Delivery::Answered;
        let mut known = HashSet::new();
        let keyed = questions.into_iter().enumerate().map(|(at, question)| {
            let named = QuestionView::elicitation_id(&question).or_else(|| QuestionView::read(&question).url);
            (named.unwrap_or_else(|| at.to_string()), question)
        });
        let questions: Vec<(String, Json)> = keyed.filter(|(key, _)| known.insert(key.clone())).collect();
        if !self.wants_the_same_pages(&questions) {
            self.round_answered(turn);
            return self.next_round(turn, Asked { request_state: None, raw, questions, plain: true });
        }
        self.call.status = Status::InputRequired;
        if self.call.wants_cancel() {
            return self.give_up(turn);
        }
        if self.round().is_some_and(|round| round.tries.failures() >= MOST_PAGED) {
            let why = Note::from(Reason::PagesNotVisited);
            return self.retry_undone(turn, Fact::Refused, why.clone(), Some(&why));
        }
        self.wait(turn);
        let now = turn.now.steady_ms;
        if let Some(round) = self.round_mut()
            && std::mem::take(&mut round.hurried)
        {
            round.retry_at = Some(now);
        }
        self.plan_release(turn);
        turn.then(Next::Save(self.id()));
    }

    fn wants_the_same_pages(&self, questions: &[(String, Json)]) -> bool {
        self.round().is_some_and(|round| {
            let before: HashSet<_> =
                self.questions.iter().filter(|q| q.of_round(round.n)).map(page).collect();
            let mut now = questions.iter().map(|(key, raw)| (key.clone(), QuestionView::read(raw).url));
            round.plain && now.all(|page| before.contains(&page))
        })
    }

    /// The server says of a page that it is done: a call that waits for that goes at once, not when its wait is over. Each
    /// page brings its call forward once.
    pub(in crate::step) fn page_done(&mut self, turn: &mut Turn<'_>, elicitation_id: &str) {
        let Some(n) = self.round().map(|round| round.n) else { return };
        let is_asked =
            |question: &Question| question.of_round(n) && question.request.identity.key() == elicitation_id;
        let (asked, under_way) = (self.questions.iter().any(is_asked), self.call.delivery == Delivery::Sent);
        let Some(round) = self.round_mut() else { return };
        let waits = under_way || round.retry_at.is_some();
        if !waits || !asked || !round.done.insert(elicitation_id.to_owned()) {
            return;
        }
        // The answer to the retry that is under way may be from before this page was done.
        round.hurried = under_way;
        if let Some(at) = &mut round.retry_at {
            *at = turn.now.steady_ms;
        }
        self.plan_release(turn);
    }
}

/// What makes a page the same page.
fn page(question: &Question) -> (String, Option<String>) {
    (question.request.identity.key().to_owned(), question.request.url.clone())
}
