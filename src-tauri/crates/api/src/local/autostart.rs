//! Whether the person's session starts Signalbox.

use super::Local;
use crate::{
    ApiError, Autostart, Code,
    autostart::Entry,
    command::{CarryOut, ReadAutostart, SetAutostart},
};

impl CarryOut<ReadAutostart> for Local {
    async fn carry_out(&self, _: ReadAutostart) -> Result<Autostart, ApiError> {
        Ok(Entry::of(&self.home).map_or_else(Autostart::none, |entry| entry.read()))
    }
}

impl CarryOut<SetAutostart> for Local {
    async fn carry_out(&self, SetAutostart { on }: SetAutostart) -> Result<Autostart, ApiError> {
        let Some(entry) = Entry::of(&self.home) else {
            let message = "Signalbox cannot start with the session on this system";
            return Err(ApiError::new(Code::NotSupported, message));
        };
        // What starts something else is not ours to take away.
        if on || entry.read().other.is_none() {
            entry.write(on)?;
        }
        Ok(entry.read())
    }
}
