//! Secrets in the OS keychain, and references to secrets kept elsewhere.
