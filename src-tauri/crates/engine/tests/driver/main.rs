//! The whole engine: a real store, a real client, and the scripted server on the other side.

mod asking;
mod authority;
mod exchanges;
mod faults;
mod full;
mod heavy;
mod legacy;
mod lists;
mod push;
mod restart;
mod rig;
mod rounds;
mod slow;
mod sweep;
mod whole;
