//! The store on real files: one module per table, and one for each promise of the writer and of opening.

#![allow(clippy::unwrap_used, reason = "these are tests, their helpers included")]

mod calls;
mod commit;
mod counts;
mod cut;
mod decisions;
mod export;
mod files;
mod full;
#[cfg(unix)]
mod gone;
mod migration;
mod news;
mod open;
mod own;
mod records;
mod requests;
mod rescue;
mod salvage;
mod samples;
mod secrets;
mod sweep;
mod tables;
mod texts;
