//! What reaching a server takes beside its address.

use signalbox_forms::{FieldError, FieldErrorCode};
use signalbox_model::{Access, Secret, Server, SignIn};
use url::Url;

use super::{
    Local,
    configured::{is_same_place, was_changed},
    places::{good_path, has_credentials},
};
use crate::{
    ApiError, Code, Detail, NewAccess, NewSecret, ServerView,
    command::{CarryOut, SetAccess},
};

/// The most entries of a list in it.
const MOST: usize = 64;
/// The longest text in it, in bytes.
const LONGEST: usize = 4 * 1024;

impl CarryOut<SetAccess> for Local {
    async fn carry_out(
        &self,
        SetAccess { server, access, shown }: SetAccess,
    ) -> Result<ServerView, ApiError> {
        let server = self.server(&server).await?;
        // A client is said for one host: it is put onto no other, whoever moves the server meanwhile.
        let place = shown.unwrap_or_else(|| server.transport.clone());
        if !is_same_place(&place, &server.transport) {
            return Err(was_changed(&server));
        }
        let _here = self.moving_secrets.read().await;
        let access = self.good_access(&server.name, access).await?;
        let kept = access.sign_in.client_secret.iter().cloned().collect();
        self.configure(server.id, kept, |server| {
            if !is_same_place(&place, &server.transport) {
                return Err(was_changed(&server));
            }
            Ok(Server { access, ..server })
        })
        .await
    }
}

impl Local {
    async fn good_access(&self, server: &str, wanted: NewAccess) -> Result<Access, ApiError> {
        let mut misfits = Misfits::default();
        misfits.long(&wanted);
        let proxy = wanted.proxy.as_deref().and_then(|url| misfits.found("proxy", good_proxy(url)));
        let client_metadata_url = wanted
            .client_metadata_url
            .as_deref()
            .and_then(|url| misfits.found("clientMetadataUrl", good_metadata(url)));
        misfits.found("caCertificates", good_files(&wanted.ca_certificates));
        misfits.found("scopes", good_scopes(&wanted.scopes));
        misfits.found("clientSecret", good_secret(&wanted));
        misfits.found("clientId", good_client(&wanted));
        misfits.none()?;
        let NewAccess { ca_certificates, client_id, client_secret, scopes, machine, .. } = wanted;
        let client_secret = match client_secret {
            None => None,
            Some(secret) => {
                let kept = self.keep_all(server, vec![("client secret".to_owned(), secret)]).await?;
                kept.into_iter().next().map(|(_, secret)| secret)
            }
        };
        let sign_in = SignIn { client_id, client_secret, client_metadata_url, scopes, machine };
        Ok(Access { ca_certificates, proxy, sign_in })
    }
}

/// All that does not fit is told at once, each at its member of [`NewAccess`].
#[derive(Default)]
struct Misfits(Vec<FieldError>);

impl Misfits {
    fn found<T>(&mut self, field: &str, checked: Result<T, Misfit>) -> Option<T> {
        let Misfit { code, message } = match checked {
            Ok(good) => return Some(good),
            Err(misfit) => misfit,
        };
        self.0.push(FieldError { field: Some(field.to_owned()), path: format!("/{field}"), message, code });
        None
    }

    /// What is too long is not looked at any closer.
    fn long(&mut self, wanted: &NewAccess) {
        let NewAccess {
            ca_certificates, proxy, client_id, client_secret, client_metadata_url, scopes, ..
        } = wanted;
        let secret = match client_secret {
            Some(NewSecret::Reference {
                secret: Secret::File { path: text } | Secret::Env { var: text },
            }) => Some(text),
            _ => None,
        };
        let texts: [(&str, Vec<&String>); 6] = [
            ("caCertificates", ca_certificates.iter().collect()),
            ("proxy", proxy.iter().collect()),
            ("clientId", client_id.iter().collect()),
            ("clientSecret", secret.into_iter().collect()),
            ("clientMetadataUrl", client_metadata_url.iter().collect()),
            ("scopes", scopes.iter().collect()),
        ];
        for (field, texts) in texts {
            if texts.iter().any(|text| text.len() > LONGEST) {
                let message = format!("What is longer than {} KiB is not kept", LONGEST / 1024);
                self.found::<()>(field, refuse(FieldErrorCode::TooLong, message));
            }
        }
    }

    fn none(self) -> Result<(), ApiError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let message = self.0.iter().map(|misfit| misfit.message.as_str()).collect::<Vec<_>>().join(". ");
        Err(ApiError::new(Code::Usage, message).with(Detail::Errors(self.0)))
    }
}

struct Misfit {
    code: FieldErrorCode,
    message: String,
}

fn refuse<T>(code: FieldErrorCode, message: impl Into<String>) -> Result<T, Misfit> {
    Err(Misfit { code, message: message.into() })
}

fn good_files(files: &[String]) -> Result<(), Misfit> {
    if files.len() > MOST {
        return refuse(FieldErrorCode::TooMany, format!("More than {MOST} files are not kept"));
    }
    for file in files {
        whole("a file with certificates", file)?;
    }
    Ok(())
}

fn whole(what: &str, path: &str) -> Result<(), Misfit> {
    good_path(what, path).map_err(|error| Misfit { code: FieldErrorCode::Format, message: error.message })
}

fn good_scopes(scopes: &[String]) -> Result<(), Misfit> {
    if scopes.len() > MOST {
        return refuse(FieldErrorCode::TooMany, format!("More than {MOST} scopes are not asked for"));
    }
    // What RFC 6749 calls a scope token. Another one would be left out in silence.
    let is_scope = |scope: &&String| {
        !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte))
    };
    match scopes.iter().find(|scope| !is_scope(scope)) {
        Some(odd) => refuse(
            FieldErrorCode::Format,
            format!("{odd:?} cannot be a scope: they are words without blanks"),
        ),
        None => Ok(()),
    }
}

fn good_secret(wanted: &NewAccess) -> Result<(), Misfit> {
    match &wanted.client_secret {
        None if wanted.machine => {
            refuse(FieldErrorCode::Required, "A machine signs in with a client id and its secret")
        }
        Some(NewSecret::Reference { secret: Secret::File { path } }) => {
            whole("the file for the client secret", path)
        }
        Some(NewSecret::Plain { .. } | NewSecret::Reference { secret: Secret::Plain { .. } }) => {
            refuse(FieldErrorCode::Format, "A client secret is never kept in the clear")
        }
        _ => Ok(()),
    }
}

fn good_client(wanted: &NewAccess) -> Result<(), Misfit> {
    match &wanted.client_id {
        None if wanted.client_secret.is_some() => {
            refuse(FieldErrorCode::Required, "A client secret needs the client's id")
        }
        Some(id) if id.trim().is_empty() => refuse(FieldErrorCode::TooShort, "The client's id is empty"),
        _ => Ok(()),
    }
}

fn good_proxy(text: &str) -> Result<String, Misfit> {
    // It may hold a password, and is not repeated then.
    let Some(url) = Url::parse(text.trim()).ok().filter(Url::has_host) else {
        let message = "The proxy must be a URL such as http://proxy.example.com:3128";
        return refuse(FieldErrorCode::Format, message);
    };
    if !matches!(url.scheme(), "http" | "https") {
        return refuse(FieldErrorCode::Format, "Only proxies of http and https are used");
    }
    if has_credentials(&url) {
        let message = "The proxy's URL would be kept and shown in clear: give one without a password";
        return refuse(FieldErrorCode::Format, message);
    }
    Ok(url.into())
}

fn good_metadata(text: &str) -> Result<String, Misfit> {
    // It may hold a password, and is not repeated then.
    let is_good = |url: &Url| url.scheme() == "https" && url.has_host() && url.path() != "/";
    let Some(url) = Url::parse(text.trim()).ok().filter(is_good) else {
        let message =
            "The client's metadata must be an https URL with a path, such as https://example.com/client.json";
        return refuse(FieldErrorCode::Format, message);
    };
    if has_credentials(&url) {
        let message =
            "Where the client's metadata is would be kept and shown in clear: give a URL without a password";
        return refuse(FieldErrorCode::Format, message);
    }
    Ok(url.into())
}
