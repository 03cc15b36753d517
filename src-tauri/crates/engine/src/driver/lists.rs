//! Lists that somebody waits for. A list goes to them and to nobody else. `step` hears what it says of the server, keeps the
//! entries of a list of tools, and tells whoever waits why there is none.
//!
//! A list may be long. It is handed over as it came, and is not in the state.

use std::sync::Arc;

use signalbox_mcp as mcp;

use super::{Connected, Connections, room::nothing_kept, runner::Runner, tools::entries};
use crate::{Granted, Input, Line, List, Refusal, Token};

impl Runner {
    pub(super) fn list(&self, line: Line, list: List, token: Token) {
        // For somebody who went away meanwhile nobody is asked.
        let Some(mut caller) = self.waiting.take(token) else { return };
        let (connections, inputs) = (self.connections.clone(), self.inputs.clone());
        let (waiting, trouble) = (self.waiting.clone(), self.trouble.clone());
        let server = line.server;
        self.spawn(async move {
            let (came, load) = tokio::select! {
                biased;
                came = mcp::carrying(Box::pin(ask(&connections, &line, list))) => came,
                () = caller.closed() => return None,
            };
            // What the server said is heard, also when nobody waits for it any more. Who waits does not wait for room to keep it.
            let hear = async |input| {
                tokio::select! {
                    biased;
                    _ = inputs.send_with(input, load) => {}
                    _ = nothing_kept(trouble.clone()) => {}
                }
                // While nothing can be kept, what was sent may wait long before `step` takes it.
                trouble.borrow().is_none()
            };
            match came {
                Ok((granted, input)) => {
                    hear(input).await;
                    // A caller that went away does not want to know.
                    let _ = caller.send(Ok(granted));
                }
                Err(error) => {
                    // `step` knows why, where we closed the connection.
                    waiting.put(token, caller);
                    if !hear(Input::NotListed { server, token, error: error.clone() }).await {
                        waiting.answer(token, Err(Refusal::Server(Box::new(error))));
                    }
                }
            }
            None
        });
    }
}

/// What came, and what it says of the server.
async fn ask(connections: &Connections, line: &Line, list: List) -> Result<(Granted, Input), mcp::Error> {
    let server = line.server;
    Ok(match list {
        List::Tools => {
            let tools =
                connections.request(line, None, async |at: Arc<Connected>| at.list_tools().await).await?;
            let input = Input::Listed { server, reply: Ok(entries(&tools)) };
            (Granted::Tools(tools), input)
        }
        List::Tasks => {
            let tasks =
                connections.request(line, None, async |at: Arc<Connected>| at.list_tasks().await).await?;
            (Granted::Tasks(tasks), Input::TasksListed { server })
        }
        List::Resource(uri) => {
            let read = connections
                .request(line, None, async |at: Arc<Connected>| at.read_resource(&uri).await)
                .await?;
            (Granted::Resource(read), Input::TasksListed { server })
        }
    })
}
