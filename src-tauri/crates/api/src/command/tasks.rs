//! Tools, tool calls and their tasks.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{CallId, Json, PayloadKind, Timestamp};

use super::{ResourceRead, ShownBlob, TextPiece, ToolView, Validated};
use crate::{ApiError, Difference, Listing, TaskRow};

commands! {
    /// The tools a server offers, all pages, asked for now.
    Tools -> Vec<ToolView>, Once {
        /// Name or id.
        server: String,
    }

    /// One tool as it was listed last; listed now when it was not among those.
    Tool -> Box<ToolView>, Once {
        /// Name or id.
        server: String,
        /// The tool's name.
        tool: String,
    }

    /// Checks arguments against a tool's input schema.
    ValidateArguments -> Validated, Once {
        /// The tool's schema as received.
        schema: Json,
        /// The arguments to check, one JSON object.
        arguments: Json,
    }

    /// Starts a tool call. The arguments are checked against the tool's input schema first, as far as the server lists its
    /// tools. Committed before it is sent.
    Start -> CallId, Once {
        /// Name or id.
        server: String,
        /// The tool's name.
        tool: String,
        /// One JSON object.
        arguments: Json,
        /// Wished time to live in ms (legacy wire only).
        ttl_ms: Option<u32>,
    }

    /// Adopts a task handle made elsewhere.
    Track -> CallId, Once {
        /// Name or id.
        server: String,
        /// The server's task id.
        task_id: String,
    }

    /// The tasks that a server lists now and that are not followed yet.
    ListTasks -> Option<Listing>, Once {
        /// Name or id.
        server: String,
    }

    /// Which calls a short id or a server's task id means.
    Find -> Vec<CallId>, Again {
        /// A short id (`t12`) or a server's task id.
        text: String,
    }

    /// Polls a task once, now or when its stored next-poll time allows.
    Refresh -> (), Again {
        /// The call whose task is polled.
        call: CallId,
    }

    /// Asks the server to cancel. Resolves when the server acknowledged, or with the reason why it has not.
    Cancel -> (), Resumed {
        /// The call to cancel.
        call: CallId,
        /// When the wish to cancel was made that the person saw; none where they saw none. To insist on what somebody else has
        /// asked since gives up a call without a task: it ends with [`Code::CancelledMeanwhile`](crate::Code::CancelledMeanwhile).
        seen: Option<Timestamp>,
    }

    /// Removes an ended call, or stops following a live one, and deletes what is kept of it.
    Forget -> (), Once {
        /// The call to forget.
        call: CallId,
    }

    /// How what came of a call differs from what came of the run before it: of the same tool at the same server, with the same
    /// arguments. None where there is no such run.
    Diff -> Option<Box<Difference>>, Again {
        /// The call, which has ended.
        call: CallId,
    }

    /// Asks the servers of several tasks to cancel them, each as by [`Cancel`]: resolves once it is known of each whether its server
    /// acknowledged. One that somebody asked to cancel before is left as it is. At most 1,000.
    CancelTasks -> Vec<TaskOutcome>, Once {
        /// The calls to cancel.
        calls: Vec<CallId>,
    }

    /// Removes several calls, each as by [`Forget`]. At most 1,000.
    ForgetTasks -> Vec<TaskOutcome>, Once {
        /// The calls to forget.
        calls: Vec<CallId>,
    }

    /// Puts the person's own tags on tasks, and takes others off. No server hears of them. A task has at most 16; one that would have
    /// more is left as it is. At most 1,000 tasks.
    TagTasks -> Vec<TaskOutcome>, Again {
        /// The calls that get them.
        calls: Vec<CallId>,
        /// What is put on each, where it is not there yet, as it was typed.
        add: Vec<String>,
        /// What is taken off each, where it is there.
        remove: Vec<String>,
    }

    /// Keeps what the person notes of a task, in the place of what was there. No server hears of it.
    NoteTask -> (), Again {
        /// The call that it is about.
        call: CallId,
        /// The note, at most 4 KiB; empty for none.
        text: String,
        /// The note that the person saw there; empty for none. To overwrite one that nobody showed them would lose it: that ends
        /// with [`Code::ChangedMeanwhile`](crate::Code::ChangedMeanwhile).
        seen: String,
    }

    /// Those of these tasks that are there, as rows. At most 1,000.
    ReadTasks -> Vec<TaskRow>, Again {
        /// The calls to read.
        calls: Vec<CallId>,
    }

    /// One payload whole, whatever its size.
    Payload -> Option<Json>, Once {
        /// The call that the payload belongs to.
        call: CallId,
        /// Which of the call's payloads is wanted.
        kind: PayloadKind,
    }

    /// A piece of a long text in a result, or of JSON there.
    ResultText -> TextPiece, Again {
        /// The call that the result belongs to.
        call: CallId,
        /// The number of the part, from 0; none for the structured content.
        part: Option<u32>,
        /// The first byte wanted: 0, or what the piece before says.
        from: u64,
    }

    /// A piece of a long payload, as received.
    PayloadText -> TextPiece, Again {
        /// The call that the payload belongs to.
        call: CallId,
        /// Which of the call's payloads is wanted.
        kind: PayloadKind,
        /// The first byte wanted: 0, or what the piece before says.
        from: u64,
    }

    /// A picture or a sound in a result, to be shown.
    ResultBlob -> ShownBlob, Again {
        /// The call that the result belongs to.
        call: CallId,
        /// The number of the part, from 0.
        part: u32,
    }

    /// Reads a resource from its server (`resources/read`): only ever after a person's act. It is kept nowhere.
    ReadResource -> ResourceRead, Once {
        /// Name or id.
        server: String,
        /// As the server calls it.
        uri: String,
    }
}

/// What became of one task of several.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TaskOutcome {
    /// The task that was meant.
    pub call: CallId,
    /// Why nothing was done with it; or, of a wish to cancel that is kept, why its server has not acknowledged it.
    pub failure: Option<ApiError>,
}
