//! Looking after what is kept: whether it is sound, whether the log of decisions holds, copies.

use std::path::Path;
use std::sync::Arc;

use signalbox_store::Reads;

use super::Local;
use crate::{
    ApiError, Code, Verified,
    command::{BackedUp, Backup, CarryOut, CheckStore, Problems, Verify},
    rescue,
};

/// Asks, once it is dropped.
struct GivenUp(rescue::Stop);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.ask();
    }
}

impl CarryOut<Verify> for Local {
    async fn carry_out(&self, _: Verify) -> Result<Verified, ApiError> {
        Ok(self.read(Reads::verify_decisions).await?.into())
    }
}

impl CarryOut<CheckStore> for Local {
    async fn carry_out(&self, _: CheckStore) -> Result<Problems, ApiError> {
        let problems = self.read(Reads::check).await?;
        Ok(Problems { problems: problems.iter().map(ToString::to_string).collect() })
    }
}

impl CarryOut<Backup> for Local {
    async fn carry_out(&self, Backup { file }: Backup) -> Result<BackedUp, ApiError> {
        let (stop, copying) = (rescue::Stop::default(), Arc::clone(&self.copying).read_owned().await);
        backed_up(self.engine.reads(), file, stop, copying).await
    }
}

impl Local {
    /// Waits until no copy is being made. One that was given up removes what it has made of it first.
    pub(crate) async fn no_copy(&self) {
        drop(self.copying.write().await);
    }
}

/// Copies all that is kept into `file`, holding `copying` until that has ended.
pub(crate) async fn backed_up(
    reads: Reads,
    file: String,
    stop: rescue::Stop,
    copying: impl Send + 'static,
) -> Result<BackedUp, ApiError> {
    if !Path::new(&file).is_absolute() {
        return Err(ApiError::new(Code::Usage, format!("{file:?} is not an absolute path")));
    }
    // If nobody waits for the copy any more it is given up: half a copy is of no use.
    let _given_up = GivenUp(stop.clone());
    let copied = rescue::blocking(move || {
        let _copying = copying;
        reads.backup(Path::new(&file), &stop)
    });
    let copied = copied.await?;
    Ok(BackedUp { bytes: copied.bytes, left_out: copied.left_out })
}
