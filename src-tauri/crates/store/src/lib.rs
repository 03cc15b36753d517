//! The SQLite store: one file per table, one writer with group commit.
