//! Steps of rmcp's, carried out without a word in any log, and their errors in our terms.

use std::time::Duration;

use rmcp::transport::auth::AuthError;
use signalbox_model::Obstacle;
use tokio::time;
use tracing::{instrument::WithSubscriber, subscriber::NoSubscriber};

use super::{
    SignInError,
    error::{Distrust, WhySignIn, shown},
    exchange::Exchange,
};

/// The longest a step may take, whatever it is answered with.
const STEP: Duration = Duration::from_secs(60);

/// Carries out a step of rmcp's: in bounded time, and without a word in any log.
pub(super) async fn unlogged<T>(
    exchange: &Exchange,
    step: impl Future<Output = Result<T, AuthError>>,
) -> Result<T, SignInError> {
    let step = time::timeout(STEP, step.with_subscriber(NoSubscriber::default()));
    match step.await {
        Ok(result) => result.map_err(|error| explain(error, exchange.failure())),
        Err(_) => Err(SignInError::Unreachable {
            host: None,
            why: Obstacle::Late { seconds: STEP.as_secs() }.into(),
        }),
    }
}

/// An error of rmcp's in our terms. Its texts can quote what was answered, tokens and all: none is passed on.
fn explain(error: AuthError, failure: Option<SignInError>) -> SignInError {
    let unreadable = |message: &str| SignInError::Malformed {
        host: "the authorization server".into(),
        message: message.into(),
    };
    match error {
        AuthError::AuthorizationRequired | AuthError::TokenExpired => WhySignIn::Expired.into(),
        AuthError::TokenRefreshRejected(_) => WhySignIn::Revoked { code: "invalid_grant".into() }.into(),
        AuthError::NoAuthorizationSupport => SignInError::NotOffered,
        AuthError::PkceUnsupported => Distrust::NoPkce.into(),
        AuthError::AuthorizationServerMismatch { expected_issuer, received_issuer } => {
            Distrust::Issuer { expected: shown(&expected_issuer), received: shown(&received_issuer) }.into()
        }
        AuthError::AuthorizationServerMissingIssuer { expected_issuer } => {
            Distrust::NoIssuer { expected: shown(&expected_issuer) }.into()
        }
        AuthError::ProtectedResourceMetadataInvalid { reason, .. } => {
            Distrust::Resource { message: shown(&reason.to_string()) }.into()
        }
        AuthError::AuthorizationServersUnavailable { authorization_servers, .. } => SignInError::Malformed {
            host: shown(&authorization_servers.join(", ")),
            message: "no authorization server's metadata is there".into(),
        },
        AuthError::JwtSigningError(_) => SignInError::Misconfigured("the private key does not sign"),
        AuthError::InvalidScope(_) => unreadable("it does not give codes"),
        _ => failure.unwrap_or_else(|| unreadable("not legible")),
    }
}
