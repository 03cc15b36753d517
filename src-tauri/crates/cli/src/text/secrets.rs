//! Where secrets are kept.

use signalbox_api::doctor::Check;
use signalbox_api::{Code, SecretPlace, SecretsState, SecretsView};

use super::advice;

/// What `doctor` finds. A keychain that is missing is only a warning: secrets can be given as references.
pub(crate) fn check(view: &SecretsView) -> Check {
    const NAME: &str = "secrets";
    let file = view.file.as_deref().unwrap_or_default();
    let mut check = match (view.place, view.state) {
        (SecretPlace::Keychain, SecretsState::Open) => Check::ok(NAME, "kept in the keychain, which answers"),
        (SecretPlace::Keychain, _) => Check::warning(
            NAME,
            format!("kept in the keychain: {}", trouble(view)),
            advice::to_mend(Code::NoKeychain),
        ),
        (SecretPlace::File, SecretsState::Open) => {
            Check::ok(NAME, format!("kept in the encrypted file {file}, which is open"))
        }
        (SecretPlace::File, _) => Check::warning(
            NAME,
            format!("kept in the encrypted file {file}, which is locked"),
            advice::to_mend(Code::SecretsLocked),
        ),
        (SecretPlace::ThisRun, _) => Check::ok(
            NAME,
            "kept for this run only: forgotten when the program ends that owns the data directory",
        ),
    };
    if let Some(unused) = &view.unused {
        check.message += &format!("; the encrypted file {unused} is not used");
    }
    check
}

fn trouble(SecretsView { message, detail, .. }: &SecretsView) -> String {
    let message = message.as_deref().unwrap_or_default();
    detail.as_deref().map_or_else(|| message.to_owned(), |detail| format!("{message} ({detail})"))
}
