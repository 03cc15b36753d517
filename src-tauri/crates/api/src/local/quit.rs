//! How the owner is asked to end: by a command, the tray or a window.

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout};

use super::Local;
use crate::{
    ApiError, Code, OwnerKind,
    command::{CarryOut, Quit, TakeBackHeld},
};

/// Windows that wait for a wish are told at once that we end. One that has just been told something else asks again within this
/// time; one that heard nothing would take our place. Within it a window saves what was typed last.
const TOLD: Duration = Duration::from_millis(700);

/// So long answers that are held may take to be drafts again. A disk that hangs must not keep anybody from quitting.
const TAKING_BACK: Duration = Duration::from_secs(2);

impl CarryOut<Quit> for Local {
    async fn carry_out(&self, _: Quit) -> Result<(), ApiError> {
        if self.owner.kind == OwnerKind::Command {
            let message =
                "A command owns the data directory while it runs, and ends by itself: nothing was ended";
            return Err(ApiError::new(Code::Usage, message));
        }
        match timeout(TAKING_BACK, self.carry_out(TakeBackHeld {})).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "answers within their undo time were not taken back"),
            Err(_) => tracing::warn!("answers within their undo time could not be taken back in time"),
        }
        self.beside.send_modify(|beside| {
            beside.version += 1;
            beside.quit = true;
        });
        Ok(())
    }
}

impl Local {
    /// Resolves once somebody has asked the owner to end, and the windows have been told.
    pub async fn asked_to_quit(&self) {
        let mut beside = self.beside.subscribe();
        if beside.wait_for(|beside| beside.quit).await.is_ok() {
            sleep_until(Instant::now() + TOLD).await;
        }
    }
}
