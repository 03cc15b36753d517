//! The store on real files: one module per table, and one for each promise of the writer and of opening.

#![allow(clippy::unwrap_used, reason = "these are tests, their helpers included")]

mod calls;
mod commit;
mod full;
mod open;
mod records;
mod requests;
mod samples;
mod tables;
mod tally;
