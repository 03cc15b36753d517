//! What the page is to do for the program: it asks for that, and waits. An event of Tauri's would be a script that runs in the page,
//! for which the program would hold an engine for scripts of its own.

use serde::Serialize;
use tauri::State;
use tokio::sync::watch;

use crate::stops::Stops;

/// Something for the page to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "errand", rename_all = "snake_case")]
pub(crate) enum Errand {
    /// To ask the person about closing, with what stops.
    AskAboutClosing { stops: Stops },
    /// To save what was typed last.
    Save,
}

/// An errand with its number: `Errand` in the UI.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Numbered {
    number: u32,
    #[serde(flatten)]
    errand: Option<Errand>,
}

/// The last errand. One that comes while another has not been fetched takes its place.
#[derive(Default)]
pub(crate) struct Errands {
    last: watch::Sender<Numbered>,
    /// Who waits. Only the page that asked last lives.
    waits: watch::Sender<u32>,
}

impl Errands {
    /// Has the page do something.
    pub(crate) fn send(&self, errand: Errand) {
        self.last.send_modify(|last| {
            *last = Numbered { number: last.number.wrapping_add(1), errand: Some(errand) };
        });
    }

    /// The one after that with this number. For a page that has just been loaded: the next one, since what came before was not
    /// for it.
    async fn next(&self, after: Option<u32>) -> Numbered {
        let mut last = self.last.subscribe();
        let seen = after.unwrap_or_else(|| last.borrow().number);
        let mut waits = self.waits.subscribe();
        self.waits.send_modify(|who| *who = who.wrapping_add(1));
        let who = *waits.borrow_and_update();
        tokio::select! {
            biased;
            // Nobody hears this any more.
            _ = waits.wait_for(|now| *now != who) => Numbered { number: seen, errand: None },
            next = last.wait_for(|last| last.number != seen) => {
                next.expect("BUG: the sender lives as long as we do").clone()
            }
        }
    }
}

/// Resolves once the page is to do something.
#[tauri::command]
pub(crate) async fn next_errand(errands: State<'_, Errands>, after: Option<u32>) -> Result<Numbered, ()> {
    Ok(errands.next(after).await)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use signalbox_api::OwnerKind;

    use super::*;

    #[tokio::test]
    async fn a_page_gets_what_comes_while_it_does_not_wait() {
        let errands = Errands::default();
        let ((), first) = tokio::join!(async { errands.send(Errand::Save) }, errands.next(Some(0)));
        assert_eq!(serde_json::to_value(&first).unwrap(), json!({ "number": 1, "errand": "save" }));
        errands.send(Errand::AskAboutClosing { stops: Stops::unknown(OwnerKind::Window) });
        let second = errands.next(Some(first.number)).await;
        let told = serde_json::to_value(&second).unwrap();
        assert_eq!((&told["number"], &told["errand"]), (&json!(2), &json!("ask_about_closing")));
        assert_eq!(told["stops"]["unsure"], true, "{told}");
    }

    #[tokio::test]
    async fn the_wait_of_a_page_that_is_gone_ends() {
        let errands = Errands::default();
        let again = async {
            let (next, ()) = tokio::join!(errands.next(None), async { errands.send(Errand::Save) });
            next
        };
        let (gone, next) = tokio::join!(errands.next(None), again);
        assert_eq!((gone.errand, next.errand), (None, Some(Errand::Save)));
    }

    #[tokio::test]
    async fn a_page_that_is_loaded_again_asks_nothing_of_old() {
        let errands = Errands::default();
        errands.send(Errand::AskAboutClosing { stops: Stops::unknown(OwnerKind::Window) });
        let (next, ()) = tokio::join!(errands.next(None), async { errands.send(Errand::Save) });
        assert_eq!(next.errand, Some(Errand::Save));
    }
}
