//! The way to `step`: what has happened, and the room in memory that it takes until it is kept.

use signalbox_mcp::Load;
use tokio::sync::mpsc;

use crate::Input;

/// Inputs that may wait for `step`; who sends more is slowed down. Their bytes are bounded by the room that they have.
const INPUTS: usize = 1_024;

/// An input, and the room of the messages in it: let go when what `step` makes of it is committed.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) input: Input,
    pub(crate) load: Load,
}

/// Where inputs go. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Inputs(mpsc::Sender<Loaded>);

impl Inputs {
    pub(crate) fn new() -> (Self, mpsc::Receiver<Loaded>) {
        let (inputs, received) = mpsc::channel(INPUTS);
        (Self(inputs), received)
    }

    /// Passes on what no message of a server is in. False: the engine has stopped.
    pub(crate) async fn send(&self, input: Input) -> bool {
        self.send_with(input, Load::default()).await
    }

    /// Passes on what came, with its room. False: the engine has stopped.
    pub(crate) async fn send_with(&self, input: Input, load: Load) -> bool {
        self.0.send(Loaded { input, load }).await.is_ok()
    }
}
