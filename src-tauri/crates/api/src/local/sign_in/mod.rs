//! Signing in to servers. It goes on in the owner, whoever began it: the way back from the browser leads here.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use signalbox_model::{Server, ServerId, Transport};
use signalbox_signin::oauth::Revocation;
use tokio::sync::{oneshot, watch};
use tokio_util::task::AbortOnDropHandle;

use super::Local;
use crate::{
    ApiError, Code, ServerCheck,
    command::{AwaitSignIn, CarryOut, SignIn, SignInBegun, SignOut, SignedOut},
    error::sign_in_failed,
};

/// How many attempts at one server are remembered after others took their place.
const REMEMBERED: usize = 8;

/// The sign-ins of this run, per server.
pub(super) type Attempts = Mutex<HashMap<ServerId, Begun>>;

/// The sign-ins that were begun at one server.
#[derive(Default)]
pub(super) struct Begun {
    /// The number of the last one.
    last: u32,
    /// How each ends, the oldest first: whoever began one learns what became of that, and not of another.
    ends: VecDeque<(u32, Ended)>,
    /// The last one. Given up when it is dropped.
    task: Option<AbortOnDropHandle<()>>,
}

/// None until it has ended.
type Ended = watch::Receiver<Option<Result<(), ApiError>>>;

impl Begun {
    /// The next attempt, which `begin` begins; the one before is given up.
    fn next(&mut self, begin: impl FnOnce() -> (Ended, AbortOnDropHandle<()>)) -> (u32, Ended) {
        self.task = None;
        let (ended, task) = begin();
        self.last += 1;
        self.ends.push_back((self.last, ended.clone()));
        if self.ends.len() > REMEMBERED {
            self.ends.pop_front();
        }
        self.task = Some(task);
        (self.last, ended)
    }
}

impl CarryOut<SignIn> for Local {
    async fn carry_out(&self, SignIn { server }: SignIn) -> Result<SignInBegun, ApiError> {
        let server = self.server(&server).await?;
        if !server.access.sign_in.machine {
            self.can_keep_secrets()?;
        }
        let (id, engine) = (server.id, self.engine.clone());
        let (show, shown) = oneshot::channel();
        let begin = || {
            let (end, ended) = watch::channel(None);
            let task = tokio::spawn(async move {
                let open = |url| {
                    // Whoever asked may have left: then it ends by itself, with its time.
                    let _ = show.send(url);
                };
                let done = engine.sign_in(id, open).await;
                end.send_replace(Some(done.map_err(|error| sign_in_failed(&error))));
            });
            (ended, AbortOnDropHandle::new(task))
        };
        let (number, ended) = self.attempts().entry(id).or_default().next(begin);
        let attempt = self.named(number);
        if let Ok(url) = shown.await {
            return Ok(SignInBegun { url: Some(url.into()), attempt });
        }
        end_of(ended).await?;
        Ok(SignInBegun { url: None, attempt })
    }
}

impl CarryOut<AwaitSignIn> for Local {
    async fn carry_out(&self, AwaitSignIn { server, attempt }: AwaitSignIn) -> Result<ServerCheck, ApiError> {
        let server = self.server(&server).await?;
        let ended = {
            let attempts = self.attempts();
            let ends = attempts.get(&server.id).map(|begun| &begun.ends);
            let is_it = |(number, _): &&(u32, Ended)| self.named(*number) == attempt;
            ends.and_then(|ends| ends.iter().find(is_it)).map(|(_, ended)| ended.clone())
        };
        let Some(ended) = ended else {
            let message = "Nobody knows of this sign-in any more: begin another";
            return Err(ApiError::new(Code::SignInNeeded, message));
        };
        end_of(ended).await?;
        self.found(&server).await
    }
}

impl CarryOut<SignOut> for Local {
    async fn carry_out(&self, SignOut { server }: SignOut) -> Result<SignedOut, ApiError> {
        let server = self.server(&server).await?;
        self.attempts().remove(&server.id);
        let revocation = self.engine.sign_out(server.id).await.map_err(|error| sign_in_failed(&error))?;
        let valid_still = match revocation {
            Revocation::Nothing | Revocation::Done => None,
            Revocation::NotOffered => Some("the authorization server takes nothing back".to_owned()),
            Revocation::Failed(error) => Some(error.to_string()),
        };
        Ok(SignedOut { valid_still })
    }
}

impl Local {
    /// An attempt as hosts know it. Another owner may have begun one of the same number.
    fn named(&self, number: u32) -> String {
        format!("{}-{number}", self.engine.epoch())
    }

    fn attempts(&self) -> MutexGuard<'_, HashMap<ServerId, Begun>> {
        self.signing_in.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves nothing behind of a server that was removed, however it was reached in the end.
    pub(super) async fn forget_sign_in(&self, server: &Server) {
        self.attempts().remove(&server.id);
        if let Transport::Http { .. } = server.transport
            && let Err(error) = self.engine.sign_out(server.id).await
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
