//! The system-wide shortcut: which the person chose, and what whoever holds it says of it.

use std::time::Duration;

use tokio::time::timeout;

use super::{Beside, Local};
use crate::{
    ApiError, Code, Settings, Shortcut, ShortcutState,
    command::{CarryOut, SetShortcut},
};

/// How long whoever holds the key may take to say what becomes of another one.
const PATIENCE: Duration = Duration::from_secs(3);

/// What was tried, and what became of it. None while nobody is there to hold any.
pub(super) type Told = Option<(Option<Shortcut>, ShortcutState)>;

impl CarryOut<SetShortcut> for Local {
    async fn carry_out(&self, SetShortcut { keys }: SetShortcut) -> Result<(), ApiError> {
        let shortcut = keys.map(|keys| keys.parse::<Shortcut>()).transpose();
        let shortcut = shortcut
            .map_err(|why| ApiError::new(Code::Usage, format!("This cannot be such a key: {why}")))?;
        self.change_settings(|settings| Settings { shortcut, ..settings }).await?;
        let mut beside = self.beside.subscribe();
        let is_tried = |beside: &Beside| beside.shortcut.is_none_or(|(keys, _)| keys == shortcut);
        // Who takes longer is not waited for.
        let _ = timeout(PATIENCE, beside.wait_for(is_tried)).await;
        Ok(())
    }
}

impl Local {
    /// Whoever holds the key says what became of it.
    pub(crate) fn tell_shortcut(&self, told: Told) {
        self.tell_beside(|beside| &mut beside.shortcut, told);
    }

    /// What became of the key that was chosen.
    pub(super) fn shortcut_state(&self, keys: Option<Shortcut>) -> ShortcutState {
        match self.beside.borrow().shortcut {
            None => ShortcutState::Nobody,
            Some((tried, state)) if tried == keys => state,
            Some(_) => ShortcutState::Trying,
        }
    }
}
