//! Requests that may take as long as their tools work, and can be given up: `tools/call`, `tasks/result`; and our replies.

use std::sync::Arc;

use signalbox_mcp as mcp;
use signalbox_model::{CallId, Json, Obstacle, RequestId, ServerId, TaskMethod};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;

use super::{
    Connected, Connections, Inputs,
    exchanges::Exchanges,
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
        let (exchanges, stop) = (self.exchanges.clone(), self.stop.clone());
        let calling = Calling { connections, inputs, exchanges, stop, line, call, tool, arguments };
        self.spawn(async move {
            let input = tokio::select! {
                // An answer that has come is kept, whatever the person wants by now.
                biased;
                input = calling.carry_out(wish) => Some(input),
                () = given_up.cancelled() => None,
            };
            calls.end(call);
            input
        });
    }

    pub(super) fn get_result(&self, line: Line, call: CallId, task_id: String) {
        let given_up = self.results.begin(call);
        let (connections, results) = (self.connections.clone(), self.results.clone());
        let mut asking = self.exchanges.asks(call, TaskMethod::Result);
        self.spawn(async move {
            let work = async {
                let connected = connections.connect(&line).await?;
                asking.goes_out();
                connected.task_result(&task_id).await
            };
            let reply = tokio::select! {
                biased;
                reply = work => reply,
                // Its permit comes back all the same.
                () = given_up.cancelled() => Err(mcp::Error::Closed),
            };
            results.end(call);
            asking.came(reply.as_ref());
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

/// One `tools/call`.
struct Calling {
    connections: Connections,
    inputs: Inputs,
    exchanges: Exchanges,
    stop: CancellationToken,
    line: Line,
    call: CallId,
    tool: String,
    arguments: Json,
}

/// What a call needs before it goes out: its connection, the tool as it is listed where that is known, and a place among the
/// requests that may take long.
struct Ready {
    connected: Arc<Connected>,
    listed: Option<mcp::Tool>,
    _place: OwnedSemaphorePermit,
}

impl Calling {
    async fn carry_out(&self, Wish { ttl_ms, listed, round }: Wish) -> Input {
        let call = self.call;
        let ready = tokio::select! {
            biased;
            ready = self.make_ready(listed) => ready,
            // What never left is known as that, also by whoever goes on after us.
            () = self.stop.cancelled() => Err(mcp::Error::Closed),
        };
        let Ready { connected, listed, _place } = match ready {
            Ok(ready) => ready,
            Err(error) => {
                self.exchanges.asks(call, TaskMethod::Call).came(Err(&error));
                return Input::NotSent { call, error };
            }
        };
        let options = mcp::CallOptions {
            task: task_wish(&connected, listed.as_ref(), ttl_ms),
            progress_token: connected.session.is_some().then(|| call.to_string()),
            input_schema: listed.and_then(|tool| tool.input_schema),
            round,
            timeout: None,
        };
        let (mut reply, mut load) = self.send(&connected, options.clone()).await;
        if mismatched(&reply)
            && let Ok(listed) = self.look_up(&connected).await
        {
            let input_schema = listed.and_then(|listed| listed.input_schema);
            // Made free before the wait: a request that waits for its server must hold no room for messages.
            drop((reply, load));
            (reply, load) = self.send(&connected, mcp::CallOptions { input_schema, ..options }).await;
        }
        load.hand_over();
        Input::Called { call, reply: reply.map(Box::new) }
    }

    async fn make_ready(&self, mut listed: Option<mcp::Tool>) -> Result<Ready, mcp::Error> {
        let connected = self.connections.connect(&self.line).await?;
        if connected.session.is_some() && connected.found.server.tasks && listed.is_none() {
            // Only its list tells whether a tool wants to be called as a task.
            listed = self.look_up(&connected).await?;
        }
        let place = Arc::clone(&connected.permits.held).acquire_owned().await;
        Ok(Ready { connected, listed, _place: place.expect("BUG: permits are never closed") })
    }

    /// The tool as its server lists it now.
    async fn look_up(&self, connected: &Connected) -> Result<Option<mcp::Tool>, mcp::Error> {
        let tools = list_tools(connected, &self.inputs, self.line.server).await?;
        Ok(tools.into_iter().find(|listed| listed.name == self.tool))
    }

    async fn send(
        &self,
        connected: &Connected,
        options: mcp::CallOptions,
    ) -> (Result<mcp::Called, mcp::Error>, mcp::Load) {
        let asking = self.exchanges.asks(self.call, TaskMethod::Call);
        let answer = mcp::carrying(Box::pin(connected.call_tool(&self.tool, &self.arguments, options))).await;
        asking.came(answer.0.as_ref().map(|called| &called.raw));
        answer
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
