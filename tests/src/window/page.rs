//! What a person sees and does in the window.

use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::{Client, Locator};
use serde_json::json;
use tokio::time::{self, Instant};

use super::spot::{self, Spot};
use crate::PATIENCE;

/// The pause between two looks.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Returns when it is time for another look.
#[expect(
    clippy::disallowed_methods,
    reason = "a window tells nothing by itself: not WebDriver, nor the window manager"
)]
pub async fn look_again() {
    time::sleep(LOOK_AGAIN).await;
}

/// The key Enter, as WebDriver has it.
pub const ENTER: char = '\u{E007}';
/// The down arrow, likewise.
pub const DOWN: char = '\u{E015}';
/// The key Escape, likewise.
pub const ESCAPE: char = '\u{E00C}';
const CONTROL: char = '\u{E009}';

/// Scrolls a list on, from its end to its beginning.
const PAGE_ON: &str = "
    const list = document.querySelector(`:is([role=grid], [role=listbox])[aria-label='${arguments[0]}']`);
    if (!list) return;
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
    list.scrollTop = isAtEnd ? 0 : list.scrollTop + list.clientHeight;";

/// The window's content.
#[derive(Debug)]
pub struct Page(pub Client);

impl Page {
    /// Waits until this is visible.
    pub async fn see(&self, spot: &Spot) -> Element {
        self.until(&format!("to see {}", spot.0), async || {
            let element = self.find(spot).await?;
            passing(element.is_displayed().await)?.then_some(element)
        })
        .await
    }

    /// Waits until this is there, be it only for those who hear the window instead of seeing it.
    pub async fn hear(&self, spot: &Spot) -> Element {
        self.until(&format!("to hear {}", spot.0), async || self.find(spot).await).await
    }

    /// Waits until this text is visible.
    pub async fn read(&self, text: &str) {
        self.see(&spot::text(text)).await;
    }

    /// Waits until the element there contains this text.
    pub async fn says(&self, spot: &Spot, text: &str) {
        self.until(&format!("{text:?} at {}", spot.0), async || {
            self.said(spot).await?.contains(text).then_some(())
        })
        .await;
    }

    /// Waits until the control there holds exactly this.
    pub async fn holds(&self, spot: &Spot, value: &str) {
        self.until(&format!("{value:?} in {}", spot.0), async || {
            let held = passing(self.find(spot).await?.prop("value").await)?;
            (held.as_deref() == Some(value)).then_some(())
        })
        .await;
    }

    /// Waits until this is not there any more.
    pub async fn gone(&self, spot: &Spot) {
        self.until(&format!("{} to go", spot.0), async || {
            passing(self.0.find_all(Locator::XPath(&spot.0)).await)?.is_empty().then_some(())
        })
        .await;
    }

    /// Waits until this has the focus.
    pub async fn focused(&self, spot: &Spot) {
        self.until(&format!("the focus on {}", spot.0), async || self.focus_on(spot).await).await;
    }

    /// Whether this is there now.
    pub async fn has(&self, spot: &Spot) -> bool {
        !self.0.find_all(Locator::XPath(&spot.0)).await.unwrap().is_empty()
    }

    /// Presses what is there, as soon as it can be pressed.
    pub async fn press(&self, spot: &Spot) {
        self.press_and(spot, passing).await;
    }

    /// Presses what is there as the last thing in this window: it may end before WebDriver can say that it was pressed.
    pub async fn press_last(&self, spot: &Spot) {
        self.press_and(spot, |pressed| match pressed {
            Err(error) if is_in_the_way(&error) => None,
            Ok(()) | Err(_) => Some(()),
        })
        .await;
    }

    async fn press_and(&self, spot: &Spot, pressed: impl Fn(Result<(), CmdError>) -> Option<()>) {
        self.until(&format!("to press {}", spot.0), async || {
            let element = self.find(spot).await?;
            let enabled = passing(element.is_enabled().await)? && passing(element.is_displayed().await)?;
            if enabled { pressed(element.click().await) } else { None }
        })
        .await;
    }

    /// Scrolls to what is there, as a person does. WebDriver presses the middle of what shows a bit already, even where something
    /// else covers that.
    pub async fn reach(&self, spot: &Spot) {
        let element = serde_json::to_value(self.see(spot).await).unwrap();
        self.0.execute("arguments[0].scrollIntoView({ block: 'center' })", vec![element]).await.unwrap();
    }

    /// Presses the button with this label.
    pub async fn button(&self, label: &str) {
        self.press(&spot::button(label)).await;
    }

    /// Goes to the entry of the list that has this text, wherever in the list it is. WebDriver takes a row for hidden that
    /// is out of sight, or in which most of the text has no width; and one that is far out of sight is not there.
    pub async fn take(&self, list: &str, text: &str) {
        let entry = spot::entry(list, text);
        self.until(&format!("to go to {text:?}"), async || {
            if !self.has(&entry).await {
                self.0.execute(PAGE_ON, vec![json!(list)]).await.unwrap();
                return None;
            }
            let row = serde_json::to_value(self.hear(&entry).await).unwrap();
            self.0.execute("arguments[0].click()", vec![row]).await.ok()
        })
        .await;
    }

    /// Goes to a place.
    pub async fn go(&self, place: &str) {
        self.press(&spot::place(place)).await;
    }

    /// Types this into the field there, in place of what it held.
    pub async fn fill(&self, spot: &Spot, text: &str) {
        self.enter(spot).await;
        self.control('a').await;
        self.keys(text).await;
        self.holds(spot, text).await;
    }

    /// Goes into the field there. WebDriver looks where it is, and presses there a moment later: where the field has moved between the
    /// two it is pressed again, as a person does who sees no cursor in it.
    async fn enter(&self, spot: &Spot) {
        self.until(&format!("to go into {}", spot.0), async || {
            self.press(spot).await;
            self.focus_on(spot).await
        })
        .await;
    }

    /// Chooses the option with this label.
    pub async fn choose(&self, spot: &Spot, label: &str) {
        self.see(spot).await.select_by_label(label).await.unwrap();
    }

    /// Types keys, one after the other, to whatever has the focus.
    pub async fn keys(&self, keys: &str) {
        let mut typing = KeyActions::new("keyboard".into());
        for value in keys.chars() {
            typing = typing.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.0.perform_actions(typing).await.unwrap();
    }

    /// Types a key while Control is held.
    pub async fn control(&self, value: char) {
        let chord = [
            KeyAction::Down { value: CONTROL },
            KeyAction::Down { value },
            KeyAction::Up { value },
            KeyAction::Up { value: CONTROL },
        ];
        let typing = chord.into_iter().fold(KeyActions::new("keyboard".into()), InputSource::then);
        self.0.perform_actions(typing).await.unwrap();
    }

    /// Makes the window so large, without its frame, and waits until it is drawn.
    pub async fn resize(&self, width: u32, height: u32) {
        self.0.set_window_size(width, height).await.unwrap();
        let drawn = json!([width, height]);
        self.until(&format!("a window of {drawn}"), async || {
            let size = self.0.execute("return [innerWidth, innerHeight]", Vec::new()).await.unwrap();
            (size == drawn).then_some(())
        })
        .await;
    }

    /// Waits for what `look` finds. `look` gives none while it has not come.
    pub async fn until<T>(&self, what: &str, look: impl AsyncFn() -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look().await {
                return found;
            }
            if Instant::now() > deadline {
                panic!("waited {PATIENCE:?} for {what}; the window shows\n{}", self.all_text().await);
            }
            look_again().await;
        }
    }

    /// Waits until what is there is drawn, too, which takes two frames.
    pub async fn drawn(&self) {
        let draw =
            "drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => { drawn = true }))";
        self.0.execute(&format!("window.{draw}"), Vec::new()).await.unwrap();
        self.until("two frames", async || {
            (self.0.execute("return window.drawn", Vec::new()).await.unwrap() == json!(true)).then_some(())
        })
        .await;
    }

    async fn focus_on(&self, spot: &Spot) -> Option<()> {
        let element = self.find(spot).await?;
        let focus = self.0.active_element().await.ok()?;
        (element.element_id() == focus.element_id()).then_some(())
    }

    async fn find(&self, spot: &Spot) -> Option<Element> {
        passing(self.0.find(Locator::XPath(&spot.0)).await)
    }

    async fn said(&self, spot: &Spot) -> Option<String> {
        // WebDriver's own idea of an element's text leaves out some of what is clipped.
        passing(self.find(spot).await?.prop("innerText").await)?
    }

    async fn all_text(&self) -> String {
        let text = self.0.execute("return document.body.innerText", Vec::new()).await;
        text.map_or_else(|error| error.to_string(), |text| text.as_str().unwrap_or_default().to_owned())
    }
}

/// None when the window was just changing: then another look helps. Anything else is a fault.
fn passing<T>(result: Result<T, CmdError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) if passes(&error) => None,
        Err(error) => panic!("the window cannot be looked at: {error}"),
    }
}

fn passes(error: &CmdError) -> bool {
    let gone = [ErrorStatus::NoSuchElement, ErrorStatus::StaleElementReference];
    is_in_the_way(error) || matches!(error, CmdError::Standard(error) if gone.contains(&error.error))
}

/// Something else lay over what was to be pressed: it was not.
fn is_in_the_way(error: &CmdError) -> bool {
    let in_the_way = [ErrorStatus::ElementNotInteractable, ErrorStatus::ElementClickIntercepted];
    matches!(error, CmdError::Standard(error) if in_the_way.contains(&error.error))
}
