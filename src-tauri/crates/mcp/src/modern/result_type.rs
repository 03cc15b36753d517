//! `resultType`: what a result says that it is.

use signalbox_model::{Breach, Json};

use crate::{
    error::Error,
    view::{Fields, text},
};

/// The types of the specification and of the tasks extension.
pub(super) enum ResultType {
    Complete,
    Task,
    InputRequired,
}

impl ResultType {
    /// The type of a result with these members.
    ///
    /// # Errors
    /// Any other type: by the specification it makes the result invalid.
    pub(super) fn of(fields: &Fields<'_>, raw: &Json) -> Result<Self, Error> {
        let Some(kind) = fields.some("resultType") else { return Ok(Self::Complete) };
        match text(kind).as_deref() {
            Some("complete") => Ok(Self::Complete),
            Some("task") => Ok(Self::Task),
            Some("input_required") => Ok(Self::InputRequired),
            _ => Err(Error::protocol(Breach::UnknownType, Some(raw.clone()))),
        }
    }
}
