//! Signalbox against servers that we did not write, each as a program of its own (`cargo xtask foreign`).
