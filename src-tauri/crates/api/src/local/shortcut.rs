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
        let is_tried = |beside: &Beside| {
            beside.shortcut.is_none_or(|(keys, state)| keys == shortcut && state != ShortcutState::Trying)
        };
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        Answered, Ask, Changes, Cursor, Desk as _, DeskExt as _, OverviewChange, View, ViewData, command,
        local::{Secrets, stage::local},
    };

    async fn desk() -> (tempfile::TempDir, Arc<Local>) {
        let dir = tempfile::tempdir().unwrap();
        let secrets = Arc::new(Secrets::this_run("home"));
        let local = local(dir.path(), &secrets).await;
        (dir, Arc::new(local))
    }

    /// What a window sees next.
    async fn sees(local: &Local, after: Option<Cursor>) -> (Cursor, OverviewChange) {
        let look = Ask::Changes { view: View::Overview, after, wait_ms: 60_000 };
        let Ok(Answered::Changes { changes: Changes { cursor, data: Some(data) } }) = local.ask(look).await
        else {
            panic!("something is to be seen")
        };
        let ViewData::Overview { change } = data else { panic!("an overview: {data:?}") };
        (cursor, *change)
    }

    #[tokio::test]
    async fn who_looks_sees_what_becomes_of_it_as_it_changes() {
        let (_dir, local) = desk().await;
        let (cursor, seen) = sees(&local, None).await;
        assert_eq!(seen.shortcut, ShortcutState::Nobody, "nobody is there to hold any");
        local.tell_shortcut(Some((None, ShortcutState::Off)));
        let (cursor, seen) = sees(&local, Some(cursor)).await;
        assert_eq!(seen.shortcut, ShortcutState::Off);

        let keys: Shortcut = "Ctrl+Alt+S".parse().unwrap();
        let chooser = Arc::clone(&local);
        let chosen = tokio::spawn(async move {
            chooser.act(command::SetShortcut { keys: Some("Ctrl+Alt+S".to_owned()) }).await
        });
        let (cursor, seen) = sees(&local, Some(cursor)).await;
        let settings = seen.settings.expect("they changed");
        assert_eq!((settings.shortcut, seen.shortcut), (Some(keys), ShortcutState::Trying));
        local.tell_shortcut(Some((Some(keys), ShortcutState::Taken)));
        chosen.await.unwrap().unwrap();
        let (cursor, seen) = sees(&local, Some(cursor)).await;
        assert_eq!(seen.shortcut, ShortcutState::Taken);

        local.tell_shortcut(Some((Some(keys), ShortcutState::Held)));
        let (_, seen) = sees(&local, Some(cursor)).await;
        assert_eq!(seen.shortcut, ShortcutState::Held, "the other program has let it go");
    }
}
