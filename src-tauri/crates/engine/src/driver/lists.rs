//! Lists that somebody waits for. A list goes to them and to nobody else, and so does the error of its request: `step`
//! hears what either says of the server, and keeps the entries of a list of tools.
//!
//! A list may be long. It is handed over as it came, and is not in the state.

use std::sync::Arc;

use signalbox_mcp as mcp;

use super::{Connected, Connections, calls::listed, room::nothing_kept, runner::Runner};
use crate::{Granted, Input, Line, List, Refusal, Token};

impl Runner {
    pub(super) fn list(&self, line: Line, list: List, token: Token) {
        // For somebody who went away meanwhile nobody is asked.
        let Some(mut caller) = self.waiting.take(token) else { return };
        let (connections, inputs, trouble) =
            (self.connections.clone(), self.inputs.clone(), self.trouble.clone());
        self.spawn(async move {
            let asked = async {
                let ((came, input), load) = mcp::carrying(Box::pin(ask(&connections, &line, list))).await;
                tokio::select! {
                    biased;
                    _ = inputs.send_with(input, load) => {}
                    // Who waits for the list does not wait for room to keep it.
                    _ = nothing_kept(trouble) => {}
                }
                came
            };
            let came = tokio::select! {
                biased;
                came = asked => came,
                () = caller.closed() => return None,
            };
            // A caller that went away does not want to know.
            let _ = caller.send(came.map_err(|error| Refusal::Server(Box::new(error))));
            None
        });
    }
}

/// What came, and what it says of the server.
async fn ask(connections: &Connections, line: &Line, list: List) -> (Result<Granted, mcp::Error>, Input) {
    let server = line.server;
    match list {
        List::Tools => {
            let asked = async |at: Arc<Connected>| at.list_tools().await;
            let tools = connections.request(line, asked).await;
            let input = listed(server, &tools);
            (tools.map(Granted::Tools), input)
        }
        List::Tasks => {
            let asked = async |at: Arc<Connected>| at.list_tasks().await;
            let tasks = connections.request(line, asked).await;
            let reply = tasks.as_ref().map(drop).map_err(Clone::clone);
            (tasks.map(Granted::Tasks), Input::TasksListed { server, reply })
        }
    }
}
