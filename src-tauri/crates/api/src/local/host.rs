//! What a window tells its owner: settings, what it shows in front.

use std::sync::{PoisonError, atomic::Ordering};

use signalbox_engine::Intent;
use signalbox_model::{ItemRef, Json};
use signalbox_store::Reads;
use tokio::time::Instant;

use super::{Local, SETTINGS};
use crate::{
    ApiError, Code, Led, Settings,
    command::{BringForward, CarryOut, SetFront, SetPreference, SetSettings},
    logging::Logs,
};

/// What stands before the name of a preference among the settings.
const PREFERENCE: &str = "preference.";
/// The longest name of a preference, in bytes.
const LONGEST_NAME: usize = 64;
/// The longest preference, in bytes.
const LONGEST_PREFERENCE: usize = 64 * 1024;
/// The most preferences.
const MOST_PREFERENCES: usize = 256;

impl CarryOut<SetSettings> for Local {
    async fn carry_out(&self, SetSettings { settings }: SetSettings) -> Result<(), ApiError> {
        self.change_settings(|_| settings).await
    }
}

impl CarryOut<SetPreference> for Local {
    async fn carry_out(&self, SetPreference { key, value }: SetPreference) -> Result<(), ApiError> {
        let refuse = |why: String| Err(ApiError::new(Code::Usage, why));
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-');
        if key.is_empty() || key.len() > LONGEST_NAME || !key.chars().all(is_name) {
            return refuse(format!(
                "A preference cannot be named {key:?}: use lower-case letters, digits, dots and hyphens, at most \
                 {LONGEST_NAME}"
            ));
        }
        if value.text().len() > LONGEST_PREFERENCE {
            return refuse(format!("The preference {key} is longer than 64 KiB"));
        }
        let key = preference(&key);
        let names = self.read(Reads::settings).await?;
        let others = names.iter().filter(|(name, ..)| name.starts_with(PREFERENCE) && *name != key).count();
        if others >= MOST_PREFERENCES {
            return refuse(format!("There are {MOST_PREFERENCES} preferences, and no more are kept"));
        }
        self.intent(Intent::PutPreference { key, value }).await.map(drop)
    }
}

impl CarryOut<SetFront> for Local {
    async fn carry_out(&self, SetFront { item }: SetFront) -> Result<(), ApiError> {
        self.front.send_replace(item);
        Ok(())
    }
}

impl CarryOut<BringForward> for Local {
    async fn carry_out(&self, BringForward { item, link, token }: BringForward) -> Result<(), ApiError> {
        let (item, led) = match link {
            None => (item, None),
            Some(link) => match Led::by(&link) {
                Ok(item) if self.is_there(item).await? => (Some(item), None),
                Ok(_) => (None, Some(Led::nowhere(&link, "there is no such task or question here"))),
                Err(led) => (None, Some(led)),
            },
        };
        let wish = self.wishes.fetch_add(1, Ordering::Relaxed) + 1;
        self.beside.send_modify(|beside| {
            beside.version += 1;
            (beside.wish, beside.item, beside.led, beside.token, beside.wished_at) =
                (wish, item, led, token, Some(Instant::now()));
        });
        Ok(())
    }
}

impl Local {
    /// Makes them what `change` makes of those that are in force. Who comes second is in force at last, here as in the store.
    pub(super) async fn change_settings(
        &self,
        change: impl FnOnce(Settings) -> Settings,
    ) -> Result<(), ApiError> {
        let _alone = self.setting.lock().await;
        let settings = change(self.settings.borrow().clone());
        settings.check()?;
        let (value, tuning) = (Json::of(&settings), settings.tuning());
        self.intent(Intent::PutSetting { key: SETTINGS.to_owned(), value, tuning }).await?;
        if let Some(logs) = &*self.logs.lock().unwrap_or_else(PoisonError::into_inner) {
            set_level(logs, &settings.log_level);
        }
        self.settings.send_replace(settings);
        Ok(())
    }

    async fn is_there(&self, item: ItemRef) -> Result<bool, ApiError> {
        self.read(move |reads| {
            Ok(match item {
                ItemRef::Call(call) => reads.call(call)?.is_some(),
                ItemRef::Request(request) => reads.request(request)?.is_some(),
            })
        })
        .await
    }
}

/// The name of a preference among the settings.
pub(super) fn preference(key: &str) -> String {
    format!("{PREFERENCE}{key}")
}

/// Whether a setting is a preference: only whoever looks at that one shows it.
pub(super) fn is_preference(name: &str) -> bool {
    name.starts_with(PREFERENCE)
}

pub(super) fn set_level(logs: &Logs, level: &str) {
    if let Err(error) = logs.set_level(level) {
        tracing::warn!(%error, "the log keeps its level");
    }
}
