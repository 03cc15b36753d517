//! What becomes of the owner itself.

commands! {
    /// Ends the owner with care. Windows close with it, and none of them takes over. Answers that are
    /// held for undo are drafts again. A command that owns the data directory ends by itself: [`Code::Usage`](crate::Code::Usage).
    Quit -> (), Once
}
