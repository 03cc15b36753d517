//! Where secrets are kept.

use super::{Forgotten, SecretText, SecretsMoved};
use crate::{SecretPlace, SecretsView};

commands! {
    /// Where secrets are kept, and whether they can be had.
    Secrets -> SecretsView, Once

    /// Chooses where secrets are kept from now on, and takes along those that are kept so far, as far as they can be had. What
    /// is to be forgotten with this run takes nothing along.
    KeepSecrets -> SecretsMoved, Once {
        /// Where secrets are kept from now on.
        place: SecretPlace,
        /// The passphrase of the encrypted file, which is made if there is none. Of no meaning elsewhere.
        passphrase: Option<SecretText>,
        /// Moves an encrypted file that this passphrase does not open to another name beside it, and begins a new one: the way
        /// out when a passphrase was forgotten. What is in it is not used any more, and not deleted.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        set_aside: bool,
    }

    /// What is kept for this run only, and ends with it.
    ReadForgotten -> Forgotten, Once

    /// Opens the encrypted file. Servers that waited for it are tried again.
    UnlockSecrets -> SecretsView, Once {
        /// The passphrase of the encrypted file.
        passphrase: SecretText,
    }
}
