//! What can be wrong with the notification service.

/// Why notifications do not show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotifyError {
    /// There is no notification service, or it refused.
    #[error("the notification service does not work: {why}")]
    Failed {
        /// What the platform said.
        why: String,
    },
    /// The notification service did not answer.
    #[error("the notification service does not answer")]
    TimedOut,
}
