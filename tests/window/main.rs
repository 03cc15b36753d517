//! Journeys of a person through the real window: WebKitGTK driven by WebKitWebDriver, each on a machine, an X server and
//! a session bus of its own, against the scripted server.
//!
//! - [`desktop`]: the graphical session: X server, window manager, bus, notification service.
//! - [`app`]: the program in it, and the ways it ends. [`page`]: what a person sees and does there. [`spot`]: where.
//! - [`journeys`]: the stories.
//!
//! A wait is for something that shows, and has a bound. What shows is found as a person finds it: by role, name and text.
#![cfg(target_os = "linux")]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a journey that cannot go on fails")]

mod app;
mod desktop;
mod journeys;
mod notices;
mod page;
mod spot;
