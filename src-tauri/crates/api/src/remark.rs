//! What a person notes beside a decision, for the log alone.

use signalbox_model::LONGEST_REMARK;

use crate::{ApiError, Code};

/// The note as it is kept; none where that is nothing.
///
/// # Errors
/// [`Code::Usage`] when it is too long.
pub(crate) fn noted(remark: Option<String>) -> Result<Option<String>, ApiError> {
    let remark = remark.map(|remark| remark.trim().to_owned()).filter(|remark| !remark.is_empty());
    if remark.as_ref().is_some_and(|remark| remark.chars().count() > LONGEST_REMARK) {
        let message = format!("A note has at most {LONGEST_REMARK} characters: shorten it. Nothing was sent");
        return Err(ApiError::new(Code::Usage, message));
    }
    Ok(remark)
}
