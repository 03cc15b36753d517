//! What `secrets` takes.

use clap::{Subcommand, ValueEnum};
use signalbox_api::SecretPlace;

/// What `secrets` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Secrets {
    /// Choose where secrets are kept from now on, and move there what is kept already
    ///
    /// A secret that cannot be read at the old place stays there and is not used. With `this-run` no secret moves. The servers
    /// that lack a secret then are named.
    #[command(after_help = "\
Examples:
  signalbox secrets keep file                                     # asks for a new passphrase
  signalbox secrets keep file --passphrase-file ~/.signalbox-pass
  signalbox secrets keep file --set-aside                         # the passphrase of the file that is there was forgotten
  signalbox serve --passphrase-fd 3 3<passphrase")]
    Keep {
        /// Where secrets are kept from now on
        #[arg(value_enum)]
        place: Place,
        /// With `file`: rename an existing encrypted file that the passphrase does not open, and start a new one
        #[arg(long)]
        set_aside: bool,
    },
    /// Give the program that owns the data directory the passphrase of the encrypted file
    ///
    /// What waited for secrets goes on by itself.
    Unlock,
}

/// Where secrets can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Place {
    /// In the OS keychain
    Keychain,
    /// In an encrypted file in the data directory, with a passphrase that is given to each program that owns it
    File,
    /// In the memory of the program that owns the data directory: forgotten when it ends
    ThisRun,
}

impl From<Place> for SecretPlace {
    fn from(place: Place) -> Self {
        match place {
            Place::Keychain => Self::Keychain,
            Place::File => Self::File,
            Place::ThisRun => Self::ThisRun,
        }
    }
}
