//! The window at its sizes and in its colours, with pictures for people to look at where `SIGNALBOX_SHOTS` names a
//! folder.

use serde_json::json;

use super::{Story, tour};
use crate::app::App;
use crate::desktop::Desktop;
use crate::page::{ENTER, ESCAPE};

/// How wide and high the window is, and its colours.
pub(super) type Look = (u32, u32, &'static str);

/// Each size in both colours. The smallest one is the last: there it is harder to go on.
pub(super) const LOOKS: [Look; 6] = [
    (1920, 1200, "light"),
    (1920, 1200, "dark"),
    (1280, 800, "dark"),
    (1280, 800, "light"),
    (900, 600, "light"),
    (900, 600, "dark"),
];

/// What can be pressed or filled in, but not wholly reached without scrolling sideways, or has a label that leaves it.
const OUTSIDE: &str = "
    const sticksOut = (control, box) =>
        control.localName === 'button' &&
        [...control.querySelectorAll('span:not(.unseen)')].some((part) => part.getBoundingClientRect().right > box.right + 0.5);
    const controls = [...document.querySelectorAll('button, input, select, textarea, [role=tab]')];
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    const tabs = document.querySelector('[role=tablist][aria-label=\"Which questions\"]');
    if (tabs && tabs.scrollWidth > tabs.clientWidth + 1) wide.push('the tabs of the inbox');
    return wide.concat(controls
        .filter((control) => control.checkVisibility())
        .map((control) => [control, control.getBoundingClientRect()])
        .filter(([control, box]) => box.width > 1 && (box.left < 0 || box.right > innerWidth + 0.5 || sticksOut(control, box)))
        .map(([control]) => control.getAttribute('aria-label') ?? control.innerText ?? control.id));";

#[tokio::test]
async fn at_every_size_and_in_both_colours_all_controls_are_within_reach() {
    let (story, app) = tour::begin(Desktop::start().await).await;
    tour::places(&story, &app, async |place| at_every_size(&story, &app, place).await).await;
    twice_as_large(&story, &app).await;
    app.terminate().await;
}

#[tokio::test]
async fn at_every_size_and_in_both_colours_all_of_the_inbox_is_within_reach() {
    let (story, app) = tour::begin(Desktop::start().await).await;
    tour::questions(&app, async |place| at_every_size(&story, &app, place).await).await;
    tour::decisions(&app, async |place| at_every_size(&story, &app, place).await).await;
    app.terminate().await;
}

async fn at_every_size(story: &Story, app: &App, place: &str) {
    for look in LOOKS {
        wear(app, look).await;
        let (width, _, theme) = look;
        within_reach(story, app, &format!("{place}-{width}-{theme}")).await;
    }
}

/// Makes the window so large, in these colours.
pub(super) async fn wear(app: &App, (width, height, theme): Look) {
    app.resize(width, height).await;
    app.0.execute("document.documentElement.dataset.theme = arguments[0]", vec![json!(theme)]).await.unwrap();
}

async fn within_reach(story: &Story, app: &App, name: &str) {
    let outside = app.0.execute(OUTSIDE, Vec::new()).await.unwrap();
    app.drawn().await;
    story.desktop.picture(name).await;
    assert_eq!(outside, json!([]), "out of reach in {name}");
}

/// By keys alone, in the smaller window: to its page it is half as wide.
async fn twice_as_large(story: &Story, app: &App) {
    for _ in 0..5 {
        app.control('+').await;
    }
    let is_wide = async |width: u32| {
        app.until(&format!("a page of {width}"), async || {
            let now = app.0.execute("return innerWidth", Vec::new()).await.unwrap();
            (now == json!(width)).then_some(())
        })
        .await;
    };
    is_wide(450).await;
    for (keys, place) in [("gi", "inbox"), ("gt", "tasks"), ("gs", "servers"), ("g,", "settings")] {
        app.keys(keys).await;
        app.drawn().await;
        within_reach(story, app, &format!("{place}-200")).await;
        // The other pane comes into sight with the focus.
        app.keys(&ENTER.to_string()).await;
        app.drawn().await;
        within_reach(story, app, &format!("{place}-pane-200")).await;
        app.keys(&ESCAPE.to_string()).await;
    }
    app.control('0').await;
    is_wide(900).await;
}
