//! Holding something with the pointer, and letting it go.

use std::time::Duration;

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};

use super::page::Page;
use super::spot::{self, Spot};

/// Longer than a press, and far from what counts as held.
const A_MOMENT: Duration = Duration::from_millis(100);
const DOWN: PointerAction = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
const UP: PointerAction = PointerAction::Up { button: MOUSE_BUTTON_LEFT };

impl Page {
    /// Holds a button until its label is `ripe`, and lets it go.
    pub async fn hold(&self, button: &Spot, ripe: &str) {
        self.hold_until(button, ripe).await;
        self.point(&[UP]).await;
    }

    /// Holds a button until its label is `ripe`, and lets go beside it.
    pub async fn hold_and_move_away(&self, button: &Spot, ripe: &str) {
        self.hold_until(button, ripe).await;
        let away = PointerAction::MoveTo { duration: None, x: 1.0, y: 1.0 };
        self.point(&[away, UP]).await;
    }

    /// Holds a button for a moment only.
    pub async fn let_go_early(&self, button: &Spot) {
        let middle = self.middle(button).await;
        self.point(&[middle, DOWN, PointerAction::Pause { duration: A_MOMENT }, UP]).await;
    }

    async fn hold_until(&self, button: &Spot, ripe: &str) {
        let middle = self.middle(button).await;
        self.point(&[middle, DOWN]).await;
        drop(self.hear(&spot::button(ripe)).await);
    }

    /// To the middle of what is there. WebDriver goes by itself only to what it takes for displayed.
    async fn middle(&self, spot: &Spot) -> PointerAction {
        let (x, y, width, height) = self.hear(spot).await.rectangle().await.unwrap();
        PointerAction::MoveTo { duration: None, x: x + width / 2.0, y: y + height / 2.0 }
    }

    async fn point(&self, actions: &[PointerAction]) {
        let pointer = MouseActions::new("mouse".into());
        let pointer = actions.iter().cloned().fold(pointer, InputSource::then);
        self.0.perform_actions(pointer).await.unwrap();
    }
}
