//! Journeys of a person through the real window, each on a desktop of its own, against the scripted server. The stories are
//! in [`journeys`], what they are told with in [`signalbox_tests::window`].
#![cfg(target_os = "linux")]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a journey that cannot go on fails")]

mod journeys;

use signalbox_tests::window::{alone, app, desktop, page, spot};
