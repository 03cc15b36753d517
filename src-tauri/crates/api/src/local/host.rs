//! What a window tells its owner: settings, what it shows in front, whether notifications work.

use std::sync::{PoisonError, atomic::Ordering};

use signalbox_engine::Intent;
use signalbox_model::Json;
use tokio::time::Instant;

use super::{Local, SETTINGS};
use crate::{
    ApiError, Code,
    command::{BringForward, CarryOut, SetFront, SetSettings, TestNotification},
    logging::Logs,
};

impl CarryOut<SetSettings> for Local {
    async fn carry_out(&self, SetSettings { settings }: SetSettings) -> Result<(), ApiError> {
        settings.check()?;
        let (value, tuning) = (Json::of(&settings), settings.tuning());
        self.intent(Intent::PutSetting { key: SETTINGS.to_owned(), value, tuning }).await?;
        if let Some(logs) = &*self.logs.lock().unwrap_or_else(PoisonError::into_inner) {
            set_level(logs, &settings.log_level);
        }
        self.settings.send_replace(settings);
        Ok(())
    }
}

impl CarryOut<SetFront> for Local {
    async fn carry_out(&self, SetFront { item }: SetFront) -> Result<(), ApiError> {
        self.front.send_replace(item);
        Ok(())
    }
}

impl CarryOut<BringForward> for Local {
    async fn carry_out(&self, BringForward { item }: BringForward) -> Result<(), ApiError> {
        let wish = self.wishes.fetch_add(1, Ordering::Relaxed) + 1;
        self.beside.send_modify(|beside| {
            beside.version += 1;
            (beside.wish, beside.item, beside.wished_at) = (wish, item, Some(Instant::now()));
        });
        Ok(())
    }
}

impl CarryOut<TestNotification> for Local {
    async fn carry_out(&self, _: TestNotification) -> Result<(), ApiError> {
        let bell = self.bell.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(bell) = bell else {
            let message = "The program that owns the data directory raises no notifications";
            return Err(ApiError::new(Code::NotificationsFailed, message));
        };
        bell.test().await
    }
}

pub(super) fn set_level(logs: &Logs, level: &str) {
    if let Err(error) = logs.set_level(level) {
        tracing::warn!(%error, "the log keeps its level");
    }
}
