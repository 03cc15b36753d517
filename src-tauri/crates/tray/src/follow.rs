//! What is pressed in the icon's menu is done.

use signalbox_api::{ApiError, Desk, DeskExt as _, command, tomorrow};
use signalbox_model::{ActivationToken, Timestamp};
use tokio::sync::mpsc;

use crate::{Press, read::read};

/// So many presses wait to be followed; a panel that presses without end is not followed further.
pub const PRESSES: usize = 16;

/// A press, with the right to come to the front that the desktop gave for it (Wayland).
#[derive(Debug)]
pub struct Pressed {
    /// What was pressed.
    pub press: Press,
    /// That right, where the desktop gives such.
    pub token: Option<ActivationToken>,
}

/// Shows the window, at an item or where a link leads, with the right to come to the front.
pub type ShowWindow = Box<dyn Fn(Option<String>, Option<ActivationToken>) + Send + Sync>;

/// Follows presses, one after the other.
pub async fn follow(desk: &dyn Desk, presses: &mut mpsc::Receiver<Pressed>, show: &ShowWindow) {
    while let Some(Pressed { press, token }) = presses.recv().await {
        let now = signalbox_engine::wall();
        let shows = |shown| {
            show(shown, token);
            Ok(())
        };
        let done = match press {
            Press::Show => shows(None),
            Press::Ask(request) => shows(Some(request.to_string())),
            Press::Task(task) => shows(Some(task.to_string())),
            Press::Go(place) => shows(Some(place.link())),
            Press::PauseHour => pause(desk, Some(now.plus_ms(3_600_000))).await,
            Press::PauseTomorrow => pause(desk, Some(tomorrow(now))).await,
            Press::GoOn => pause(desk, None).await,
            Press::Quit { knowing } => match read(desk).await {
                // Something has come since: the window and the menu say it.
                Ok((state, _)) if state.stops.takes_two() && !knowing => shows(None),
                _ => desk.act(command::Quit {}).await,
            },
        };
        if let Err(error) = done {
            tracing::warn!(%error, "what was pressed in the tray was not done");
        }
    }
}

async fn pause(desk: &dyn Desk, until: Option<Timestamp>) -> Result<(), ApiError> {
    desk.act(command::PauseNotifications { until }).await
}
