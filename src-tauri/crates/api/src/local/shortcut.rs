//! The system-wide shortcut: which the person chose, and what whoever holds it says of it.

use std::time::Duration;

use tokio::time::timeout;

use super::Local;
use crate::{
    ApiError, Code, Settings, Shortcut, ShortcutState, ShortcutView,
    command::{CarryOut, ReadShortcut, SetShortcut},
};

/// How long whoever holds the key may take to say what becomes of another one.
const PATIENCE: Duration = Duration::from_secs(3);

/// What was tried, and what became of it. None while nobody is there to hold any.
pub(super) type Told = Option<(Option<Shortcut>, ShortcutState)>;

impl CarryOut<ReadShortcut> for Local {
    async fn carry_out(&self, _: ReadShortcut) -> Result<ShortcutView, ApiError> {
        Ok(self.shortcut_now())
    }
}

impl CarryOut<SetShortcut> for Local {
    async fn carry_out(&self, SetShortcut { keys }: SetShortcut) -> Result<ShortcutView, ApiError> {
        let shortcut = keys.map(|keys| keys.parse::<Shortcut>()).transpose();
        let shortcut = shortcut
            .map_err(|why| ApiError::new(Code::Usage, format!("This cannot be such a key: {why}")))?;
        self.change_settings(|settings| Settings { shortcut, ..settings }).await?;
        let mut told = self.shortcut.subscribe();
        let is_tried = |told: &Told| told.is_none_or(|(keys, _)| keys == shortcut);
        // Who takes longer is not waited for: the answer says that nobody holds it.
        let _ = timeout(PATIENCE, told.wait_for(is_tried)).await;
        Ok(self.shortcut_now())
    }
}

impl Local {
    /// Whoever holds the key says what became of it.
    pub(crate) fn tell_shortcut(&self, told: Told) {
        self.shortcut.send_replace(told);
    }

    fn shortcut_now(&self) -> ShortcutView {
        let keys = self.settings.borrow().shortcut;
        let told = *self.shortcut.borrow();
        let state =
            told.filter(|(tried, _)| *tried == keys).map_or(ShortcutState::Nobody, |(_, state)| state);
        ShortcutView { keys, state }
    }
}
