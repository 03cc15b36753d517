//! The real window under test: WebKitGTK driven by WebKitWebDriver, each on a machine, an X server and a session bus of
//! its own.
//!
//! - [`desktop`]: the graphical session: X server, window manager, bus, notification service.
//! - [`app`]: the program in it, and the ways it ends. [`page`]: what a person sees and does there. [`spot`]: where.
//! - [`alone`]: the program without WebDriver, which lets go of it where it starts itself again.
//! - [`panel`]: a session bus with a panel and notifications on it, for who needs no screen.
//! - [`inbox`]: what most journeys do with a question. `pointer`: holding, and letting go.
//!
//! A wait is for something that shows, and has a bound. What shows is found as a person finds it: by role, name and text.

pub mod alone;
pub mod app;
pub mod desktop;
pub mod inbox;
pub mod notices;
pub mod page;
pub mod panel;
mod pointer;
pub mod spot;
