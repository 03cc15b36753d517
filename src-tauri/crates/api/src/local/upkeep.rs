//! Looking after what is kept: whether it is sound, whether the log of decisions holds, copies.

use std::path::Path;

use signalbox_store::Reads;

use super::Local;
use crate::{ApiError, Code, Reply, rescue};

impl Local {
    pub(super) async fn verify(&self) -> Result<Reply, ApiError> {
        let verification = self.read(Reads::verify_decisions).await?;
        Ok(Reply::Verified { verified: verification.into() })
    }

    pub(super) async fn check_store(&self) -> Result<Reply, ApiError> {
        let problems = self.read(Reads::check).await?;
        Ok(Reply::Problems { problems: problems.iter().map(ToString::to_string).collect() })
    }

    pub(super) async fn backup(&self, file: String) -> Result<Reply, ApiError> {
        if !Path::new(&file).is_absolute() {
            return Err(ApiError::new(Code::Usage, format!("{file:?} is no whole path")));
        }
        let reads = self.engine.reads();
        let copied = rescue::blocking(move || reads.backup(Path::new(&file))).await?;
        Ok(Reply::BackedUp { bytes: copied.bytes, left_out: copied.left_out })
    }
}
