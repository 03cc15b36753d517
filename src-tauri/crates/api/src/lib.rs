//! What every host speaks: Command and its results, views and changes, error codes, the owner's socket, Desk.
