//! OS notifications with actions, for the window and for `serve`.
