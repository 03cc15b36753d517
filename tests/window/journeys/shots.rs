//! Pictures of the real window for people to look at: `SIGNALBOX_SHOTS=DIR` says where to.
