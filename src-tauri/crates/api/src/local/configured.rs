//! One way to change what is configured. Each change is made of the server as it is then, not as it was read before a keychain
//! kept us waiting for a person: two changes at once are one after the other, and neither undoes the other.

use signalbox_engine::Intent;
use signalbox_model::{Access, Secret, Server, ServerId, SignIn, Transport};

use super::Local;
use crate::{ApiError, Code, ServerView, url::have_same_origin};

impl Local {
    /// Changes a server by `change`, which may refuse. `kept` are the secrets that were put away for it: of them, and of those
    /// that the server had, what nothing names any more is deleted, whatever comes of the change.
    pub(super) async fn configure(
        &self,
        id: ServerId,
        kept: Vec<Secret>,
        change: impl FnOnce(Server) -> Result<Server, ApiError>,
    ) -> Result<ServerView, ApiError> {
        let changed = self.change(id, change).await;
        let mut unused = kept;
        unused.extend(changed.iter().flat_map(Server::secrets).cloned());
        self.drop_unnamed(id, unused).await;
        changed?;
        self.server_view(id).await
    }

    /// The server as it was before. No keychain is asked in here: everybody who changes a server waits for this.
    pub(super) async fn change(
        &self,
        id: ServerId,
        change: impl FnOnce(Server) -> Result<Server, ApiError>,
    ) -> Result<Server, ApiError> {
        let _alone = self.changing.lock().await;
        let before = self.present(id).await?.ok_or_else(|| {
            ApiError::new(Code::UnknownServer, "The server was removed meanwhile: nothing was changed")
        })?;
        let after = change(before.clone())?;
        self.intent(Intent::PutServer(after)).await?;
        Ok(before)
    }

    /// Deletes those that the server does not name now. One that was removed names none.
    pub(super) async fn drop_unnamed(&self, id: ServerId, secrets: Vec<Secret>) {
        let now = match self.present(id).await {
            Ok(now) => now,
            Err(error) => {
                tracing::warn!(%error, "unused secrets could not be deleted");
                return;
            }
        };
        let named: Vec<&Secret> = now.iter().flat_map(Server::secrets).collect();
        for secret in secrets {
            if !named.contains(&&secret) {
                self.drop_secret(&secret).await;
            }
        }
    }

    async fn present(&self, id: ServerId) -> Result<Option<Server>, ApiError> {
        Ok(self.present_servers().await?.into_iter().find(|server| server.id == id))
    }
}

/// Refuses a change that was made of what is another by now.
pub(super) fn was_changed(server: &Server) -> ApiError {
    let message =
        format!("How {:?} is reached was changed meanwhile. Nothing of this edit was done", server.name);
    ApiError::new(Code::NotPossible, message)
}

/// Whether what was said for one goes to the other: the same host, or a program still. What a program has of it was said when it
/// was reached by a URL.
pub(super) fn is_same_place(one: &Transport, other: &Transport) -> bool {
    match (one, other) {
        (Transport::Http { url: one, .. }, Transport::Http { url: other, .. }) => {
            have_same_origin(one, other)
        }
        (Transport::Stdio { .. }, Transport::Stdio { .. }) => true,
        _ => false,
    }
}

/// What reaching a server takes, once it is reached so: as whom we sign in was said for one host, and its secret goes to no
/// other.
pub(super) fn access_at(server: &Server, after: &Transport) -> Access {
    let access = server.access.clone();
    if is_same_place(&server.transport, after) {
        return access;
    }
    Access { sign_in: SignIn::default(), ..access }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use signalbox_signin::{SecretValue, Secrets};

    use super::*;
    use crate::{DeskExt as _, NewAccess, NewSecret, NewTransport, SecretText, command, local::stage::local};

    const HERE: &str = "http://127.0.0.1:1/mcp";
    const THERE: &str = "http://127.0.0.1:2/mcp";

    fn lab() -> String {
        "s1".to_owned()
    }

    fn at(url: &str) -> NewTransport {
        NewTransport::Http { url: url.into(), headers: vec![] }
    }

    fn literal() -> NewSecret {
        NewSecret::Literal { value: SecretText("hunter2".into()) }
    }

    fn client() -> NewAccess {
        NewAccess { client_id: Some("us".into()), client_secret: Some(literal()), ..NewAccess::default() }
    }

    async fn desk() -> (tempfile::TempDir, Arc<Secrets>, Local) {
        let dir = tempfile::tempdir().unwrap();
        let secrets = Arc::new(Secrets::this_run("home"));
        let local = local(dir.path(), &secrets).await;
        let add = command::AddServer { name: "lab".into(), transport: at(HERE), untrusted: false };
        local.act(add).await.unwrap();
        (dir, secrets, local)
    }

    #[tokio::test]
    async fn changes_at_once_undo_none_of_each_other() {
        let (_dir, _secrets, local) = desk().await;
        let roots = vec!["file:///home/me".to_owned()];
        let url = "http://127.0.0.1:1/other";
        // Each looks the server up before the first of them has changed it.
        let (renamed, rooted, off, edited, said) = tokio::join!(
            local.act(command::RenameServer { server: lab(), name: "hall".into() }),
            local.act(command::SetRoots { server: lab(), roots: roots.clone() }),
            local.act(command::SetServerEnabled { server: lab(), enabled: false }),
            local.act(command::EditServer {
                server: lab(),
                transport: at(url),
                untrusted: false,
                shown: None
            }),
            local.act(command::SetAccess { server: lab(), access: client(), shown: None }),
        );
        for done in [renamed, rooted, off, edited, said] {
            done.expect("none is in the way of another");
        }
        let server = local.server(&lab()).await.unwrap();
        assert_eq!((server.name.as_str(), &server.roots, server.enabled), ("hall", &roots, false));
        assert_eq!(server.transport, Transport::Http { url: url.into(), headers: vec![] });
        assert_eq!(server.access.sign_in.client_id.as_deref(), Some("us"));
    }

    #[tokio::test]
    async fn a_client_is_put_onto_no_host_that_it_was_not_said_for() {
        let (_dir, _secrets, local) = desk().await;
        let shown = Some(local.server(&lab()).await.unwrap().transport);
        let (said, moved) = tokio::join!(
            local.act(command::SetAccess { server: lab(), access: client(), shown: shown.clone() }),
            local.act(command::EditServer {
                server: lab(),
                transport: at(THERE),
                untrusted: false,
                shown: None
            }),
        );
        moved.expect("a move waits for nobody");
        let access = local.server(&lab()).await.unwrap().access;
        assert_eq!(access.sign_in, SignIn::default(), "whichever was first: {said:?}");

        let refused = local.act(command::SetAccess { server: lab(), access: client(), shown }).await;
        assert_eq!(refused.unwrap_err().code, Code::NotPossible, "it is elsewhere by now");
    }

    #[tokio::test]
    async fn what_was_put_away_for_a_refused_change_is_deleted() {
        let (_dir, secrets, local) = desk().await;
        let kept = local.secrets.keep("lab", "Authorization", SecretValue::new("hunter2")).await.unwrap();
        let gone = local.configure(ServerId(1), vec![kept.clone()], |server| Err(was_changed(&server))).await;
        assert_eq!(gone.unwrap_err().code, Code::NotPossible);
        assert!(secrets.resolve(&kept).await.is_err(), "nothing names it");
    }

    #[tokio::test]
    async fn a_secret_that_is_named_again_stays() {
        let (_dir, secrets, local) = desk().await;
        let headers = |value| vec![("Authorization".to_owned(), value)];
        let edit = |value| command::EditServer {
            server: lab(),
            transport: NewTransport::Http { url: HERE.into(), headers: headers(value) },
            untrusted: false,
            shown: None,
        };
        local.act(edit(literal())).await.unwrap();
        let Transport::Http { headers: kept, .. } = local.server(&lab()).await.unwrap().transport else {
            panic!("it is reached by its URL")
        };
        let secret = kept[0].1.clone();
        local.act(edit(NewSecret::Reference { secret: secret.clone() })).await.unwrap();
        assert!(secrets.resolve(&secret).await.is_ok(), "it is still named");
        local.act(edit(literal())).await.unwrap();
        assert!(secrets.resolve(&secret).await.is_err(), "another took its place");
    }
}
