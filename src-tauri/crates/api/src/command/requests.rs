//! Questions: answering them, in all the ways that there are.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{Action, ItemRef, Json, RequestId, Timestamp};

use super::{PageToOpen, Validated};
use crate::{ApiError, RequestRow};

commands! {
    /// Answers a question. The content is validated first. With `holdMs` it can be undone for that long and the reply comes at
    /// once; without, the reply comes when the server acknowledged (or with the reason why it has not; the answer then stays
    /// queued).
    Answer -> (), Resumed {
        /// The question to answer.
        request: RequestId,
        /// What was decided.
        action: Action,
        /// The content of an accepted form.
        content: Option<Json>,
        /// The undo window in ms; 0 for none.
        hold_ms: u32,
        /// When the last answer was decided that the person saw; none where they saw the question unanswered. An answer to
        /// what somebody else answered meanwhile would be another decision: it ends with [`Code::AnsweredMeanwhile`].
        ///
        /// [`Code::AnsweredMeanwhile`]: crate::Code::AnsweredMeanwhile
        seen: Option<Timestamp>,
        /// What the person notes beside it, in at most 2,000 characters: for the log of decisions, never for the server.
        remark: Option<String>,
        /// What it asked as the person saw it ([`RequestDetail::asks`](crate::RequestDetail::asks)). An answer to what it asks since
        /// then in other words would be another decision, too: it ends with [`Code::ChangedMeanwhile`](crate::Code::ChangedMeanwhile).
        /// None answers whatever it asks by now.
        asks: Option<String>,
    }

    /// Waits for the acknowledgement of what was committed already, an answer or a wish to cancel, also where that takes as long
    /// as its tool works. Ends as [`Answer`] and [`Cancel`](super::Cancel) do.
    Settle -> (), Again {
        /// The question, or the call.
        item: ItemRef,
        /// What was said to the question: that somebody else said something else is an error.
        said: Option<Said>,
    }

    /// Takes back an answer of which certainly nothing has left: within its undo window, or while it waits for the rest of its
    /// round or for its server. What was said becomes the draft.
    Undo -> (), Once {
        /// The question whose answer is taken back.
        request: RequestId,
        /// When the answer was decided that is meant: where another one stands, that ends with
        /// [`Code::AnsweredMeanwhile`](crate::Code::AnsweredMeanwhile).
        decided_at: Timestamp,
    }

    /// Gives questions that are alike one and the same answer ([`Stack`](crate::Stack)): to those that the person saw, and to no other. Each
    /// is answered as by [`Answer`], and what became of each comes back; one that is over, put off or asks something else by now is left
    /// out, and the others go. One whose words changed is left out as well: it ends with
    /// [`Code::ChangedMeanwhile`](crate::Code::ChangedMeanwhile). At most 200.
    AnswerTogether -> Vec<TogetherOutcome>, Resumed {
        /// The questions to answer, as they were seen.
        requests: Vec<SeenQuestion>,
        /// The schema that all of them were seen to have.
        schema: Option<Json>,
        /// What was decided.
        action: Action,
        /// The content of accepted forms.
        content: Option<Json>,
        /// The undo window in ms; 0 for none.
        hold_ms: u32,
        /// What the person notes beside each of them, as of [`Answer`].
        remark: Option<String>,
    }

    /// Takes back several answers, each as by [`Undo`]. At most 200.
    UndoTogether -> Vec<TogetherOutcome>, Once {
        /// The answers that are taken back.
        answers: Vec<GivenAnswer>,
    }

    /// Puts away a question whose connection is gone. Should the server ask again, it is a new one.
    PutAway -> (), Once {
        /// The question to put away.
        request: RequestId,
    }

    /// Puts a question off until then, or brings it back. Whatever was wished, it comes back before its deadline.
    Snooze -> (), Once {
        /// The question that is put off.
        request: RequestId,
        /// Until when; none brings it back.
        until: Option<signalbox_model::Snooze>,
    }

    /// Takes back all answers that are within their undo windows, since whoever would send them ends: they are drafts again.
    TakeBackHeld -> (), Once

    /// The person opens the page of a question (URL mode). That is committed, and nothing is sent: whoever asks starts the
    /// browser next, and then tells what became of it ([`EndVisit`]). As long as its task lives a page that was agreed to can be
    /// opened again.
    BeginVisit -> PageToOpen, Again {
        /// The question whose page is opened.
        request: RequestId,
        /// As of [`Answer`]. Opening a page again that was agreed to is no other decision.
        seen: Option<Timestamp>,
        /// As of [`Answer`]: by now it may ask for another page.
        asks: Option<String>,
    }

    /// What became of the browser. Opened, the question is accepted, and the reply comes as that of [`Answer`]; but a call that
    /// waits until pages were visited is made again only when the person says that they are done, by an answer.
    EndVisit -> (), Resumed if opened {
        /// The question whose page was to be opened.
        request: RequestId,
        /// Whether a browser was started with the page.
        opened: bool,
        /// As it was of [`BeginVisit`].
        seen: Option<Timestamp>,
        /// As of [`Answer`]; kept where opening accepts the question.
        remark: Option<String>,
        /// As it was of [`BeginVisit`]: the words around the page may have changed since.
        asks: Option<String>,
    }

    /// Checks content against a question's schema without sending anything.
    Validate -> Validated, Once {
        /// The question with the schema.
        request: RequestId,
        /// The content to check.
        content: Json,
    }

    /// What was said before to the same question of the same tool, the last one first: the way to decide it once more.
    EarlierAnswers -> Vec<RequestRow>, Again {
        /// The question that asks again.
        request: RequestId,
    }

    /// Keeps what the person has typed so far.
    SaveDraft -> (), Once {
        /// The question that it is a draft for.
        request: RequestId,
        /// The values; none deletes the draft.
        draft: Option<Json>,
    }
}

/// What a person said to a question.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct Said {
    /// What was decided.
    pub action: Action,
    /// The content of an accepted form, as it was given.
    pub content: Option<Json>,
}

/// A question as a person saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct SeenQuestion {
    /// The question.
    pub request: RequestId,
    /// What it asked then, as [`Stacked::asks`](crate::Stacked::asks) has it.
    pub asks: String,
}

/// An answer that was given: which, by its question and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GivenAnswer {
    /// The question that was answered.
    pub request: RequestId,
    /// When that was decided.
    pub decided_at: Timestamp,
}

/// What became of one question of several.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TogetherOutcome {
    /// The question that was meant.
    pub request: RequestId,
    /// When its answer was decided; none where it got none.
    pub decided_at: Option<Timestamp>,
    /// Why it was left out; or, of an answer that was given, why it has not arrived.
    pub failure: Option<ApiError>,
}
