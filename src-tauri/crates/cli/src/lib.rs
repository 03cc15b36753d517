//! The `signalbox` command.
