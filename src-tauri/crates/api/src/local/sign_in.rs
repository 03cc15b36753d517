//! Signing in to servers. It goes on in the owner, whoever began it: the way back from the browser leads here.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use signalbox_model::{Server, ServerId, Transport};
use signalbox_signin::oauth::Revocation;
use tokio::sync::{oneshot, watch};
use tokio_util::task::AbortOnDropHandle;

use super::Local;
use crate::{ApiError, Code, Reply, error::sign_in_failed};

/// The sign-ins that were begun last, one per server.
pub(super) type Attempts = Mutex<HashMap<ServerId, Attempt>>;

/// A sign-in that was begun. Given up when it is dropped.
pub(super) struct Attempt {
    ended: Ended,
    _task: AbortOnDropHandle<()>,
}

/// None until it has ended.
type Ended = watch::Receiver<Option<Result<(), ApiError>>>;

impl Local {
    pub(super) async fn sign_in(&self, named: &str) -> Result<Reply, ApiError> {
        let server = self.server(named).await?;
        if !server.access.sign_in.machine {
            self.can_keep_secrets()?;
        }
        let (id, engine) = (server.id, self.engine.clone());
        let (show, shown) = oneshot::channel();
        let (end, ended) = watch::channel(None);
        let task = tokio::spawn(async move {
            let open = |url| {
                // Whoever asked may have left: then it ends by itself, with its time.
                let _ = show.send(url);
            };
            let done = engine.sign_in(&server, open).await;
            end.send_replace(Some(done.map_err(|error| sign_in_failed(&error))));
        });
        let attempt = Attempt { ended: ended.clone(), _task: AbortOnDropHandle::new(task) };
        self.signing_in.lock().unwrap_or_else(PoisonError::into_inner).insert(id, attempt);
        if let Ok(url) = shown.await {
            return Ok(Reply::SignIn { url: Some(url.into()) });
        }
        end_of(ended).await?;
        Ok(Reply::SignIn { url: None })
    }

    pub(super) async fn await_sign_in(&self, named: &str) -> Result<Reply, ApiError> {
        let server = self.server(named).await?;
        let ended = {
            let attempts = self.signing_in.lock().unwrap_or_else(PoisonError::into_inner);
            attempts.get(&server.id).map(|attempt| attempt.ended.clone())
        };
        let Some(ended) = ended else {
            return Err(ApiError::new(Code::SignInNeeded, "No sign-in has begun"));
        };
        end_of(ended).await?;
        self.found(&server).await
    }

    pub(super) async fn sign_out(&self, named: &str) -> Result<Reply, ApiError> {
        let server = self.server(named).await?;
        self.signing_in.lock().unwrap_or_else(PoisonError::into_inner).remove(&server.id);
        let revocation = self.engine.sign_out(&server).await.map_err(|error| sign_in_failed(&error))?;
        let valid_still = match revocation {
            Revocation::Nothing | Revocation::Done => None,
            Revocation::NotOffered => Some("the authorization server takes nothing back".to_owned()),
            Revocation::Failed(error) => Some(error.to_string()),
        };
        Ok(Reply::SignedOut { valid_still })
    }

    /// Leaves nothing behind of a server that was removed, however it was reached in the end.
    pub(super) async fn forget_sign_in(&self, server: &Server) {
        self.signing_in.lock().unwrap_or_else(PoisonError::into_inner).remove(&server.id);
        if let Transport::Http { .. } = server.transport
            && let Err(error) = self.engine.sign_out(server).await
        {
            tracing::warn!(%error, "a sign-in could not be taken back");
        }
        if let Err(error) = self.secrets.forget_sign_in(&server.id.to_string()).await {
            tracing::warn!(%error, "what is kept of a sign-in could not be deleted");
        }
    }
}

async fn end_of(mut ended: Ended) -> Result<(), ApiError> {
    // The sender goes without a word when another attempt takes the place of this one.
    let end = ended.wait_for(Option::is_some).await.ok().and_then(|end| end.clone());
    end.unwrap_or_else(|| {
        Err(ApiError::new(Code::SignInNeeded, "Another sign-in took the place of this one"))
    })
}

#[cfg(test)]
mod tests;
