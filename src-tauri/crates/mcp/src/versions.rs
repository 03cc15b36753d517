//! The versions of the protocol that we speak.

/// The version of the modern wire.
pub const PROTOCOL_VERSION: &str = "2026-07-28";

/// The versions of the legacy wire; the newest comes first and is offered.
pub(crate) const LEGACY_VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
