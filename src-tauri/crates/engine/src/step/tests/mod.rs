//! Stories about `step`: inputs in, what is on the disk and on the wire afterwards. After every step the audit looks
//! for what must always hold.

mod audit;
mod bench;
mod calling;
mod cancelling;
mod clocks;
mod counted;
mod disk;
mod doubts;
mod hearing;
mod hostile;
mod lapsing;
mod legacy;
mod legacy_world;
mod lines;
mod listing;
mod loading;
mod log;
mod planted;
mod polling;
mod pushing;
mod questions;
mod resending;
mod room;
mod rounds;
mod scale;
mod simulate;
mod taking_back;
mod trusting;
mod truth;
mod ttl;
mod undoing;
mod visiting;
mod waiting;
mod wire_audit;
mod world;
