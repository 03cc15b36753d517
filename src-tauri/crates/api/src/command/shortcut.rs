//! The system-wide shortcut that brings Signalbox forward.

commands! {
    /// Chooses a key, or none. Answered once whoever holds it has tried: the overview says what became of it.
    SetShortcut -> (), Again {
        /// Such as `Ctrl+Alt+S`; none for none.
        #[serde(default)]
        keys: Option<String>,
    }
}
