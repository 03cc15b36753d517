//! The heart: step (pure), schedule, driver (effects), bus.
