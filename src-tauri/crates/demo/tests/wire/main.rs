//! Both transports driven with raw JSON.

mod common;
mod faults;
mod files;
mod http;
mod refusals;
mod scenarios;
mod stdio;
mod subscriptions;
