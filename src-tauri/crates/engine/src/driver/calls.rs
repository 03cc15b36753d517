//! Requests that may take as long as their tools work, and can be given up: `tools/call`, `tasks/result`; and our replies.

use std::sync::Arc;

use signalbox_mcp as mcp;
use signalbox_model::{CallId, Json, Obstacle, RequestId, ServerId};

use super::{
    Connected,
    runner::{Runner, Wish},
    tools::list_tools,
};
use crate::{Input, Line};

/// A refusal for headers that has more bytes is one for good: it would be kept while the tools are listed.
const LONGEST_REFUSAL: usize = 64 * 1024;

impl Runner {
    pub(super) fn call_tool(&self, line: Line, call: CallId, (tool, arguments): (String, Json), wish: Wish) {
        let given_up = self.calls.begin(call);
        let (connections, calls, inputs) =
            (self.connections.clone(), self.calls.clone(), self.inputs.clone());
        let stop = self.stop.clone();
        self.spawn(async move {
            let work = async {
                let Wish { ttl_ms, mut listed, round } = wish;
                let made_ready = async {
                    let connected = connections.connect(&line).await?;
                    if connected.session.is_some() && connected.found.server.tasks && listed.is_none() {
                        // Only its list tells whether a tool wants to be called as a task.
                        let tools = list_tools(&connected, &inputs, line.server).await?;
                        listed = tools.into_iter().find(|entry| entry.name == tool);
                    }
                    let permit = Arc::clone(&connected.permits.held).acquire_owned().await;
                    Ok((connected, permit))
                };
                let made_ready = tokio::select! {
                    biased;
                    made_ready = made_ready => made_ready,
                    // What never left is known as that, also by whoever goes on after us.
                    () = stop.cancelled() => Err(mcp::Error::Closed),
                };
                let (connected, _permit) = match made_ready {
                    Ok(made_ready) => made_ready,
                    Err(error) => return Input::NotSent { call, error },
                };
                let options = mcp::CallOptions {
                    task: task_wish(&connected, listed.as_ref(), ttl_ms),
                    progress_token: connected.session.is_some().then(|| call.to_string()),
                    input_schema: listed.and_then(|tool| tool.input_schema),
                    round,
                    timeout: None,
                };
                let calling = connected.call_tool(&tool, &arguments, options.clone());
                let (mut reply, mut load) = mcp::carrying(Box::pin(calling)).await;
                if mismatched(&reply)
                    && let Ok(tools) = list_tools(&connected, &inputs, line.server).await
                {
                    let listed = tools.into_iter().find(|listed| listed.name == tool);
                    let input_schema = listed.and_then(|listed| listed.input_schema);
                    let options = mcp::CallOptions { input_schema, ..options };
                    // Made free before the wait: a request that waits for its server must hold no room for
                    // messages.
                    drop((reply, load));
                    let calling = connected.call_tool(&tool, &arguments, options);
                    (reply, load) = mcp::carrying(Box::pin(calling)).await;
                }
                load.hand_over();
                Input::Called { call, reply: reply.map(Box::new) }
            };
            let input = tokio::select! {
                // An answer that has come is kept, whatever the person wants by now.
                biased;
                input = work => Some(input),
                () = given_up.cancelled() => None,
            };
            calls.end(call);
            input
        });
    }

    pub(super) fn get_result(&self, line: Line, call: CallId, task_id: String) {
        let given_up = self.results.begin(call);
        let (connections, results) = (self.connections.clone(), self.results.clone());
        self.spawn(async move {
            let work = async { connections.connect(&line).await?.task_result(&task_id).await };
            let reply = tokio::select! {
                biased;
                reply = work => reply,
                // Its permit comes back all the same.
                () = given_up.cancelled() => Err(mcp::Error::Closed),
            };
            results.end(call);
            Some(Input::Resulted { server: line.server, call, reply })
        });
    }

    pub(super) fn reply(
        &self,
        server: ServerId,
        link: u64,
        (rpc, reply): (String, mcp::SessionReply),
        request: Option<RequestId>,
    ) {
        let session = self.connections.session(server, link);
        self.spawn(async move {
            let reply = match session {
                Some(session) => session.reply(&rpc, reply).await,
                None => {
                    let (stage, why) = (mcp::Stage::Session, Obstacle::NoSession.into());
                    Err(mcp::Error::Unreachable { stage, why, retry_after: None })
                }
            };
            if request.is_none()
                && let Err(error) = &reply
            {
                tracing::debug!(%error, "a reply that no person decided did not arrive");
            }
            request.map(|request| Input::Replied { server, request, reply })
        });
    }
}

/// Whether and how a call wants to be a task: on the legacy wire that is the client's to say, for tools that allow it.
fn task_wish(
    connected: &Connected,
    listed: Option<&mcp::Tool>,
    ttl_ms: Option<u32>,
) -> Option<mcp::TaskWish> {
    let allowed = listed.is_some_and(|tool| tool.task_support() != mcp::TaskSupport::Forbidden);
    let wanted = connected.session.is_some() && connected.found.server.tasks && allowed;
    wanted.then(|| mcp::TaskWish { ttl_ms: ttl_ms.map(i64::from) })
}

/// Whether the server refused the call for headers that are not those of its schema, without acting on it.
fn mismatched(reply: &Result<mcp::Called, mcp::Error>) -> bool {
    let is_short = |error: &mcp::Error| match error {
        mcp::Error::Rpc { raw, .. } => raw.text().len() <= LONGEST_REFUSAL,
        _ => true,
    };
    matches!(reply, Err(error) if error.meaning() == Some(mcp::Meaning::HeaderMismatch) && is_short(error))
}
