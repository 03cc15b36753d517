//! What a refusal of the engine says to people.

use signalbox_engine::{Refusal, not_trusted};
use signalbox_model::CallId;

use crate::{
    ApiError, Code, Detail,
    error::{commit_code, server_failed},
    words,
};

/// Of the tasks that stand in the way so many are named in the sentence; all are in the detail.
const NAMED: usize = 5;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::UnknownServer => Self::new(Code::UnknownServer, "There is no such server"),
            Refusal::NameTaken(name) => {
                Self::new(Code::NameTaken, format!("Another server has the name {name:?}"))
            }
            Refusal::Disabled => Self::new(Code::ServerDisabled, "The server is disabled"),
            Refusal::NotTrusted(server) => Self::new(Code::NotTrusted, words::note(&not_trusted(&server))),
            Refusal::LiveTasks(calls) => {
                Self::new(Code::LiveTasks, live_tasks(&calls)).with(Detail::Tasks(calls))
            }
            Refusal::UnknownCall => Self::new(Code::UnknownItem, "There is no such task"),
            Refusal::UnknownRequest => Self::new(Code::UnknownItem, "There is no such question"),
            Refusal::Closed => Self::new(Code::AlreadyClosed, "It is over already"),
            Refusal::Settled(settled) => Self::new(Code::AlreadyClosed, settled.text()),
            Refusal::NothingToTakeBack => Self::new(
                Code::AlreadyClosed,
                "There is no answer to take back: none was given, or it has been sent",
            ),
            Refusal::AnsweredMeanwhile => {
                Self::new(Code::AnsweredMeanwhile, "Somebody has answered since you looked at the question")
            }
            Refusal::ChangedMeanwhile => Self::new(
                Code::ChangedMeanwhile,
                "The question has changed since you saw it: it asks something else, or in other words. Nothing of this answer \
                 was sent",
            ),
            Refusal::CancelledMeanwhile => Self::new(
                Code::CancelledMeanwhile,
                "Whether the task is to be cancelled has changed since you looked at it",
            ),
            Refusal::CannotCancel => {
                Self::new(Code::NotSupported, "The server says that its tasks cannot be cancelled")
            }
            Refusal::NoAccept => Self::new(
                Code::NotPossible,
                "Signalbox does not know how to accept this question: it can only be declined",
            ),
            Refusal::NoDismiss => Self::new(
                Code::NotPossible,
                "This question cannot be dismissed, only declined: its server knows only one way to say no",
            ),
            Refusal::NotStranded => {
                Self::new(Code::NotPossible, "Only a question whose connection is gone can be put away")
            }
            Refusal::ExpiresSoon => Self::new(
                Code::NotPossible,
                "The question expires in less than five minutes: it cannot be put off any more",
            ),
            Refusal::NoDeadline => Self::new(
                Code::NotPossible,
                "The question has no deadline that it could be put off to: it does not expire",
            ),
            Refusal::NoTask => Self::new(
                Code::NotPossible,
                "The question has no task that could change: it can only be put off until a time",
            ),
            Refusal::PastTime => {
                Self::new(Code::Usage, "A question can only be put off until a time in the future")
            }
            Refusal::NoModelAnswer => Self::new(
                Code::InvalidContent,
                "The answer of a model is a text, or a message with role, content and model",
            ),
            Refusal::NoPage => Self::new(
                Code::NoPage,
                "No browser was started: this question has no page to open, and nothing was sent. Answer what it asks for, \
                 or decline it",
            ),
            Refusal::NotOfTheWeb => Self::new(
                Code::NoPage,
                "Only http and https pages are opened in a browser. Copy the address, and accept once you have been there",
            ),
            Refusal::Followed(call) => {
                Self::new(Code::AlreadyFollowed, format!("This task is followed already, as {call}"))
                    .with(Detail::Tasks(vec![call]))
            }
            Refusal::TaskIdTooLong { most } => {
                let message =
                    format!("A task id has at most {most} bytes: no server can be asked about a longer one");
                Self::new(Code::InvalidContent, message)
            }
            Refusal::Server(error) => server_failed(&error),
            Refusal::Storage(error) => Self::new(commit_code(&error), error.to_string()),
            Refusal::Stopping => Self::new(Code::OwnerGone, "The owner of the data directory is ending"),
        }
    }
}

fn live_tasks(calls: &[CallId]) -> String {
    let names: Vec<String> = calls.iter().take(NAMED).map(ToString::to_string).collect();
    let more = if calls.len() > names.len() { ", …" } else { "" };
    format!("The server has live tasks: cancel or forget them first ({}{more})", names.join(", "))
}
