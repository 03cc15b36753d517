use super::Story;
use crate::alone::Alone;

/// Two of those that say how the page is drawn; the tests' own desktop sets another.
const VARIABLES: [&str; 2] = ["LIBGL_ALWAYS_SOFTWARE", "WEBKIT_DISABLE_COMPOSITING_MODE"];
/// Says that scripts are compiled simply, however the page is drawn.
const COMPILES: &str = "JSC_useDFGJIT";

/// Also the lock of the one window and the data directory pass on.
#[tokio::test]
async fn a_page_that_dies_at_its_start_comes_up_with_safe_graphics() {
    let story = Story::begin().await;
    let window = Alone::start(&story.desktop, &["--demo"]);
    window.page_dies_at_start().await;
    window.says("starting again with safe graphics").await;
    window.is_ready().await;
    for name in VARIABLES {
        assert_eq!(window.variable(name).as_deref(), Some("1"), "{name}");
    }
    assert_eq!(window.variable(COMPILES).as_deref(), Some("0"));
    assert!(window.arguments().ends_with("--demo "), "as it was started: {}", window.arguments());
    assert_eq!(window.said().matches("starting again").count(), 1, "once: {}", window.said());
    window.terminate().await;
}

/// What is wrong is no matter of graphics, then: the page is loaded again as any that dies.
#[tokio::test]
async fn a_page_that_dies_with_safe_graphics_too_is_loaded_again() {
    let story = Story::begin().await;
    let window = Alone::start(&story.desktop, &["--safe-graphics"]);
    window.page_dies_at_start().await;
    window.says("fails with safe graphics, too").await;
    window.is_ready().await;
    assert!(!window.said().contains("starting again"), "never twice: {}", window.said());
    window.terminate().await;
}

#[tokio::test]
async fn safe_graphics_are_there_for_the_asking_and_only_then() {
    let story = Story::begin().await;
    for (args, expected) in [(&[][..], None), (&["--safe-graphics"][..], Some("1"))] {
        let window = Alone::start(&story.desktop, args);
        window.is_ready().await;
        for name in VARIABLES {
            assert_eq!(window.variable(name).as_deref(), expected, "{name} with {args:?}");
        }
        assert_eq!(window.variable(COMPILES).as_deref(), Some("0"), "with {args:?}");
        window.terminate().await;
    }
}

#[tokio::test]
async fn the_window_says_why_it_has_safe_graphics() {
    let story = Story::begin().await;
    let app = crate::app::App::start(&story.desktop, &["--safe-graphics"]).await;
    app.go("Settings").await;
    app.read("The window was started with safe graphics, as asked").await;
    app.terminate().await;
}
