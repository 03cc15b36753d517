//! Signalbox against servers that we did not write, each as a program of its own (`cargo xtask foreign` installs them):
//! `wire/` through our `mcp` crate alone, `journeys/` with the `signalbox` command, `window/` in the real window.
//!
//! What they do that one would not expect:
//!
//! | server | what |
//! | --- | --- |
//! | server-everything 2026.8.31 | asks `roots/list` before anything else where roots are declared |
//! | server-everything 2026.8.31 | lives on after its input has ended, until the time of its tasks is over |
//! | mcp 1.30 | over stdio: lives on after its input has ended, as long as a task does |
//! | mcp 1.30 | a question of a task is only sent while `tasks/result` is held, and never again: not to the next hold, not after a resumed session. The answer to the first one is taken all the same |
//! | mcp 1.30 | the question of a plain call comes on the GET stream and names nothing |
//! | mcp 1.30 | a wrong use of a tool (a task where none may be, none where one must be) is a result with `isError`, not -32601 |
//! | mcp 1.30 | a tool's exception: `failed`, the reason only in `statusMessage`; its result is `_meta` alone |
//! | mcp 1.30 | a tool's `isError` result: `completed` |
//! | mcp 1.30 | the result of a cancelled task is `_meta` alone, and held `tasks/result` get it at once |
//! | mcp 1.30 | task ids are `SESSION:UUID`; another session gets -32602 for them, and an empty `tasks/list` |
//! | mcp 1.30 | ids of its requests in tasks are strings, those outside are numbers |
//! | mcp 1.30 | work that ends after its task was cancelled takes the whole session along: over HTTP the next request gets 404, over stdio nothing is answered any more and the program ends with the next line that it reads |
//! | mcp 1.30 | looks at tasks that it wants us to host name no related task |
//! | server 2.4 (TypeScript) | adds `"content": []` to the answer that makes a task |
//! | server 2.4 (TypeScript) | acknowledges a subscription to tasks without them |
//! | server 2.4 (TypeScript) | over stdio requests are worked on side by side: a look can overtake the answer before it |
#![cfg(target_os = "linux")]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails fails its test")]

mod journeys;
mod kit;
mod window;
mod wire;
