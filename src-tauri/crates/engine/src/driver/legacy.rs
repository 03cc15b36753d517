//! What a server of the legacy wire sends of its own accord, from its connection to `step`.

use signalbox_mcp::{self as mcp, SessionEvent, SessionEvents};
use signalbox_model::ServerId;

use super::{Connections, Inputs};
use crate::Input;

/// Passes on what comes, in order, until the connection ends. It is read always: a server that is not listened to is
/// slowed down, and so are its answers to us.
pub(super) async fn listen(
    connections: Connections,
    inputs: Inputs,
    (server, link): (ServerId, u64),
    mut events: SessionEvents,
) {
    while let (Some(event), load) = mcp::carrying(events.next()).await {
        if matches!(event, SessionEvent::Ended(_)) {
            // Before anybody hears of it, so that what follows makes another one.
            connections.ended(server, link);
        }
        let wants_task = matches!(&event, SessionEvent::Request(request) if request.as_task.is_some());
        let fresh = wants_task.then(|| uuid::Uuid::new_v4().to_string());
        let input = Input::Heard { server, link, event: Box::new(event), fresh };
        if !inputs.send_with(input, load).await {
            return;
        }
    }
}
