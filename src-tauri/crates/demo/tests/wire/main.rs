//! Both transports driven with raw JSON.

mod common;
mod faults;
mod files;
mod http;
mod legacy;
mod oddities;
mod refusals;
mod rounds;
mod scenarios;
mod stdio;
mod subscriptions;
