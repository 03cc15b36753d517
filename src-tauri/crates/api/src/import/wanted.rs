//! What a person wants of what was shown, and what became of it.

use serde::{Deserialize, Serialize};
use signalbox_model::Secret;

use super::{Candidate, Importable};
use crate::{ApiError, NewSecret, NewTransport, ServerView};

/// A server that is to be imported.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Wanted {
    /// As it was shown.
    pub server: Importable,
    /// What is to become of values that stand there in the clear, by the header's or variable's name. One that is not named is
    /// kept as a secret, or in the clear where it was shown.
    #[serde(default)]
    pub values: Vec<(String, Instead)>,
}

/// What becomes of a value that stands in a configuration in the clear, instead of what becomes of it by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Instead {
    /// It is no secret, and kept in the clear.
    Plain {
        /// The person said so twice, as a name takes that sounds like a secret.
        #[serde(default)]
        sure: bool,
    },
    /// It is taken from a variable of whoever connects.
    Env {
        /// The variable's name.
        var: String,
    },
    /// It is left out.
    Nothing,
}

/// What became of a server that was to be imported.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum ImportOutcome {
    /// It is registered.
    Taken {
        /// The server as it stands now.
        server: Box<ServerView>,
    },
    /// It is not.
    Not {
        /// Why, and whether it can be mended.
        error: ApiError,
    },
}

impl Candidate {
    /// The headers or variables whose values stand in its configuration in the clear, by name.
    #[must_use]
    pub fn in_the_clear(&self) -> Vec<String> {
        let (NewTransport::Http { headers: values, .. } | NewTransport::Stdio { env: values, .. }) =
            &self.transport;
        let clear = values.iter().filter(|(_, value)| !matches!(value, NewSecret::Reference { .. }));
        clear.map(|(name, _)| name.clone()).collect()
    }

    /// With its values as a person wants them.
    #[must_use]
    pub fn with(mut self, wanted: &[(String, Instead)]) -> Self {
        let (NewTransport::Http { headers: values, .. } | NewTransport::Stdio { env: values, .. }) =
            &mut self.transport;
        values.retain_mut(|(name, value)| {
            let text = match value {
                NewSecret::Literal { value } => &value.0,
                NewSecret::Plain { value, .. } => &*value,
                NewSecret::Reference { .. } => return true,
            };
            match wanted.iter().find(|(of, _)| of == name).map(|(_, instead)| instead) {
                None => {}
                Some(Instead::Plain { sure }) => {
                    *value = NewSecret::Plain { value: text.clone(), sure: *sure };
                }
                Some(Instead::Env { var }) => {
                    *value = NewSecret::Reference { secret: Secret::Env { var: var.clone() } };
                }
                Some(Instead::Nothing) => return false,
            }
            true
        });
        self
    }
}
