//! What a server sends of its own accord within a session.

use signalbox_model::Json;

use crate::{
    error::Error,
    tool::TaskWish,
    view::{QuestionView, TaskView},
};

/// One thing that came, or happened to the connection. Plain data: a request is answered by its id
/// ([`crate::Session::reply`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEvent {
    /// The server asks, and waits for [`crate::Session::reply`].
    Request(Box<ServerRequest>),
    /// The server tells.
    Notification(Box<ServerNotification>),
    /// So many messages were dropped here, because more came than [`crate::Options::event_limit`] allows. Requests
    /// among them got an error for an answer. Look at what matters: a status may have changed unnoticed.
    Missed(u64),
    /// The stream over which the server can reach us at any time changed. Streamable HTTP only.
    Push(PushStream),
    /// The session is over, and this is why; nothing follows. What was asked in it cannot be answered any more.
    Ended(Error),
}

/// The GET stream of Streamable HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushStream {
    /// The stream is open.
    Up,
    /// It ended; it is being opened again.
    Down,
    /// The server has none. Questions can still come on the streams of our requests.
    NotOffered,
}

/// Which channel a message came on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Channel {
    /// The only one there is: standard output, or the event stream of the deprecated HTTP+SSE transport.
    Shared,
    /// The GET stream of Streamable HTTP.
    Push,
    /// The response stream of one of our requests.
    Response {
        /// The method of our request.
        method: &'static str,
        /// The task it was about (sensitive).
        task_id: Option<String>,
    },
}

/// A request of the server: a question for people, or one about a task that it wanted us to host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRequest {
    /// Its JSON-RPC id as it stands there (`7`, `"a"`). Asked again under the same id, it takes the former's place.
    pub id: String,
    /// What it asks.
    pub ask: ServerAsk,
    /// The task of the server that it belongs to, if it says so (sensitive). Some servers do not.
    pub related_task: Option<String>,
    /// The server wants a task for an answer (`{"task": {…}}`), which we host. Never set unless
    /// [`crate::Declared::host_tasks`].
    pub as_task: Option<TaskWish>,
    /// The channel on which the request came.
    pub channel: Channel,
    /// The whole message as received.
    pub raw: Json,
}

/// What a server asks. Everything else it asks is answered at once (`ping`) or refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerAsk {
    /// `elicitation/create`, in form or URL mode. Answer: `{"action": …, "content": …}`.
    Elicitation(QuestionView),
    /// `sampling/createMessage`. Answer: a `CreateMessageResult`.
    Sampling,
    /// `roots/list`. Answer: `{"roots": […]}`.
    Roots,
    /// `tasks/get` for a task that we host. Answer: the task, flat.
    GetTask {
        /// Our id of it.
        task_id: String,
    },
    /// `tasks/result` for a task that we host: to be answered when it has ended.
    TaskResult {
        /// Our id of it.
        task_id: String,
    },
    /// `tasks/list` for the tasks that we host. Answer: `{"tasks": […]}`.
    ListTasks {
        /// Where to go on, if that is not the beginning.
        cursor: Option<String>,
    },
    /// `tasks/cancel` for a task that we host. Answer: the task, flat.
    CancelTask {
        /// Our id of it.
        task_id: String,
    },
}

/// A notification of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerNotification {
    /// What it says.
    pub news: ServerNews,
    /// The task of the server that it belongs to, if it says so (sensitive).
    pub related_task: Option<String>,
    /// The channel on which the notification came.
    pub channel: Channel,
    /// The whole message as received.
    pub raw: Json,
}

/// What a server tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerNews {
    /// `notifications/tasks/status`. May come before the answer that names the task, out of order, and after the end.
    TaskStatus(TaskView),
    /// `notifications/progress` for the token of one of our tool calls.
    Progress(ProgressView),
    /// `notifications/cancelled`: the server does not want this answer any more. Only for requests that were open,
    /// which are so no longer.
    Cancelled {
        /// The request's id as it stands there.
        id: String,
        /// Why, as text.
        reason: Option<String>,
    },
    /// `notifications/elicitation/complete`: what URL mode asked for was done, the server believes.
    ElicitationComplete {
        /// The `elicitationId` of the question.
        elicitation_id: String,
    },
    /// The server's tools have changed: `notifications/tools/list_changed`.
    ToolsListChanged,
    /// `notifications/message`: a line of the server's log.
    Log,
    /// No notification: a request that we do not know or have not declared. It was refused at once, as JSON-RPC has it.
    Refused {
        /// The method, at most 64 characters.
        method: String,
    },
    /// A notification of any other kind.
    Other {
        /// The method, at most 64 characters.
        method: String,
    },
}

/// A report of progress. Numbers stay as they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgressView {
    /// The token as text, whether the server wrote it as a string or a number.
    pub token: String,
    /// How far it is.
    pub progress: Option<Json>,
    /// How far it will go.
    pub total: Option<Json>,
    /// The server's text.
    pub message: Option<String>,
}
