//! The vocabulary of Signalbox: ids, calls, tasks, input requests. No I/O, no clock, no async.
