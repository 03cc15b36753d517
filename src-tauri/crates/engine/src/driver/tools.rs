//! The tools of a server, asked for in the middle of a call or by themselves.

use signalbox_mcp as mcp;
use signalbox_model::{Json, ServerId};

use super::{Connected, Inputs};
use crate::Input;

/// The entries of a list of tools as received, in one array.
pub(super) fn entries(tools: &[mcp::Tool]) -> Json {
    Json::of(&tools.iter().map(|tool| tool.raw.raw()).collect::<Vec<_>>())
}

/// The tools of a server. What comes is kept, and taken as a sign of the server's health.
pub(super) async fn list_tools(
    connected: &Connected,
    inputs: &Inputs,
    server: ServerId,
) -> Result<Vec<mcp::Tool>, mcp::Error> {
    // A list under way takes memory.
    let permit = connected.permits.short.acquire().await;
    // They have room of their own: the call may take long.
    let (tools, load) = mcp::carrying(Box::pin(connected.list_tools())).await;
    drop(permit);
    inputs.send_with(listed(server, &tools), load).await;
    tools
}

/// What a list of tools, or its failure, tells.
fn listed(server: ServerId, tools: &Result<Vec<mcp::Tool>, mcp::Error>) -> Input {
    Input::Listed { server, reply: tools.as_deref().map(entries).map_err(Clone::clone) }
}
