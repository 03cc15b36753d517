//! The window comes back where its person left it, on each display by itself.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use signalbox_tests::soon;
use signalbox_tests::window::alone::Alone;
use signalbox_tests::window::desktop::{SCREEN, Stand};

use super::Story;
use crate::page::look_again;

/// A display on which the window as it is at first has room.
const SMALLER: &str = "1400x950x24";
/// How wide and high that one is.
const SMALLER_SIZE: [i64; 2] = [1400, 950];

#[tokio::test]
async fn on_each_display_the_window_has_the_size_and_the_place_that_it_was_left_with() {
    let mut story = Story::begin().await;
    let first = story.desktop.display.clone();
    let left = leave(&story, [310, 140], [1000, 700]).await;
    assert_eq!(found(&story).await, left, "its frame moves it nowhere, either");

    story.desktop = story.desktop.at_new_screen(SMALLER).await;
    let new = found(&story).await;
    assert_ne!(new.size, left.size, "nothing is known of this one");
    for side in [0, 1] {
        let end = new.place[side] + new.size[side];
        assert!(new.place[side] >= 0 && end <= SMALLER_SIZE[side], "all of it is on the display: {new:?}");
    }
    let other = leave(&story, [40, 60], [900, 650]).await;
    assert_eq!(found(&story).await, other);

    story.desktop = story.desktop.at_screen(&first);
    assert_eq!(found(&story).await, left, "each display has its own");
}

#[tokio::test]
async fn a_window_that_is_killed_comes_back_where_it_was() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.desktop.move_window(310, 140).await;
    app.resize(1000, 700).await;
    let left = story.desktop.window().await;
    let file = story.desktop.machine.data().join("window.json");
    let stand =
        json!({ "x": 310, "y": 140, "width": 1000, "height": 700, "maximized": false, "fullscreen": false });
    let is_kept = async {
        let has = |kept: Vec<u8>| {
            serde_json::from_slice::<Value>(&kept).is_ok_and(|kept| kept[0]["stand"] == stand)
        };
        while !fs::read(&file).is_ok_and(has) {
            look_again().await;
        }
    };
    soon("the window's place to be kept while it is open", is_kept).await;
    app.kill().await;
    assert_eq!(found(&story).await, left, "a crash costs nothing");
}

/// No window manager moves anything here: the window stands where the program puts it.
#[tokio::test]
async fn a_place_off_every_display_is_not_gone_back_to() {
    let mut story = Story::begin().await;
    let left = leave(&story, [310, 140], [1000, 700]).await;
    let file = kept(&story);
    story.desktop = story.desktop.at_bare_screen(SCREEN).await;
    let kept: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let at = async |x: i64, y: i64| {
        let mut kept = kept.clone();
        (kept[0]["stand"]["x"], kept[0]["stand"]["y"]) = (json!(x), json!(y));
        fs::write(&file, kept.to_string()).unwrap();
        found(&story).await
    };
    let on = at(320, 150).await;
    assert_eq!((on.place, on.size), ([320, 150], left.size), "a place on the display is honoured");
    for (x, y) in [(5000, 10), (-4000, 10), (10, 3000), (10, -500)] {
        let stand = at(x, y).await;
        assert_ne!(stand.place, [x, y]);
        assert_eq!(stand.size, left.size, "its size is good anywhere");
        let [left, top] = stand.place;
        assert!((0..2000).contains(&left) && (0..1300).contains(&top), "{stand:?} can be taken hold of");
    }
}

/// Opens the window, leaves it there and of this size, and says where that is.
async fn leave(story: &Story, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> Stand {
    let app = story.desktop.open().await;
    story.desktop.move_window(x, y).await;
    // The page knows of this last: by then the program knows of both.
    app.resize(width, height).await;
    let stand = story.desktop.window().await;
    assert_eq!(stand.size, [i64::from(width), i64::from(height)]);
    app.terminate().await;
    stand
}

/// Where the window stands when it is opened. What becomes of it then is kept as ever.
async fn found(story: &Story) -> Stand {
    let window = Alone::start(&story.desktop, &[]);
    window.is_ready().await;
    let stand = story.desktop.window().await;
    window.terminate().await;
    stand
}

/// The file that says where the window was left.
fn kept(story: &Story) -> PathBuf {
    let files = story.desktop.machine.files_with("\"stand\"");
    let mut kept = files.into_iter().filter(|file| file.ends_with("window.json"));
    kept.next().expect("it is written when the window ends")
}
