//! Commands about servers.

use std::path::Path;

use signalbox_engine::{Granted, Intent};
use signalbox_model::{Health, Secret, Server, ServerId, Transport, acts, sounds_secret};
use signalbox_signin::SecretValue;
use signalbox_store::Reads;

use super::{
    Local,
    configured::{access_at, was_changed},
    length,
    places::{good_path, has_credentials},
};
use crate::{
    ApiError, Code, Detail, NewSecret, NewTransport, ServerCheck, ServerView,
    command::{
        AddServer, CarryOut, CheckServer, EditServer, RemoveServer, RenameServer, SetRoots, SetServerEnabled,
        TrustServer,
    },
    error::secret_failed,
};

/// The longest name of a server, in characters.
const LONGEST_NAME: usize = 64;
/// The longest value that is kept in the clear, in bytes.
const LONGEST_PLAIN: usize = 32 * 1024;
/// The most roots of a server.
const MOST_ROOTS: usize = 100;
/// The most servers that are registered at the same time.
pub const MOST_SERVERS: usize = 1_000;

impl CarryOut<AddServer> for Local {
    async fn carry_out(
        &self,
        AddServer { name, transport, untrusted }: AddServer,
    ) -> Result<ServerView, ApiError> {
        let name = good_name(&name)?;
        length::check(length::of_new(&transport))?;
        let _here = self.moving_secrets.read().await;
        let transport = self.keep_secrets(&name, transport).await?;
        let server = Server { trusted: !untrusted, ..Server::new(ServerId(0), name, transport) };
        let added = async {
            let _counted = self.adding.lock().await;
            self.has_place().await?;
            self.intent(Intent::AddServer(server.clone())).await
        };
        match added.await {
            Ok(Granted::Server(id)) => self.server_view(id).await,
            Ok(_) => Err(ApiError::new(Code::Internal, "Adding a server gave no server")),
            Err(error) => {
                for secret in server.secrets() {
                    self.drop_secret(secret).await;
                }
                Err(error)
            }
        }
    }
}

impl CarryOut<EditServer> for Local {
    async fn carry_out(
        &self,
        EditServer { server, transport, untrusted, shown }: EditServer,
    ) -> Result<ServerView, ApiError> {
        let server = self.server(&server).await?;
        let is_another = |server: &Server| shown.as_ref().is_some_and(|shown| *shown != server.transport);
        // Before a keychain asks a person for something that comes to nothing.
        if is_another(&server) {
            return Err(was_changed(&server));
        }
        length::check(length::of_new(&transport) + length::of_texts(&server.roots))?;
        let _here = self.moving_secrets.read().await;
        let transport = self.keep_secrets(&server.name, transport).await?;
        let kept = transport.secrets().cloned().collect();
        self.configure(server.id, kept, |server| {
            if is_another(&server) {
                return Err(was_changed(&server));
            }
            length::check(length::of(&transport) + length::of_texts(&server.roots))?;
            // Saying the command is consent to it, to all that was said.
            let trusted = !untrusted || server.trusted;
            let access = access_at(&server, &transport);
            Ok(Server { transport, trusted, access, ..server })
        })
        .await
    }
}

impl CarryOut<SetRoots> for Local {
    async fn carry_out(&self, SetRoots { server, roots }: SetRoots) -> Result<ServerView, ApiError> {
        let id = self.server(&server).await?.id;
        if roots.len() > MOST_ROOTS {
            return Err(ApiError::new(Code::Usage, format!("More than {MOST_ROOTS} roots are not kept")));
        }
        let roots = roots.iter().map(|uri| good_root(uri)).collect::<Result<Vec<_>, _>>()?;
        self.configure(id, Vec::new(), |server| {
            length::check(length::of(&server.transport) + length::of_texts(&roots))?;
            Ok(Server { roots, ..server })
        })
        .await
    }
}

impl CarryOut<TrustServer> for Local {
    async fn carry_out(&self, TrustServer { server, shown }: TrustServer) -> Result<ServerView, ApiError> {
        let id = self.server(&server).await?.id;
        self.configure(id, Vec::new(), |server| {
            if let Transport::Http { .. } = server.transport {
                let message =
                    format!("{:?} is reached by its URL: there is no command to confirm", server.name);
                return Err(ApiError::new(Code::Usage, message));
            }
            if server.transport != shown {
                let message =
                    format!("The command of {:?} was changed meanwhile: look at it again", server.name);
                return Err(ApiError::new(Code::NotTrusted, message));
            }
            Ok(Server { trusted: true, ..server })
        })
        .await
    }
}

impl CarryOut<RenameServer> for Local {
    async fn carry_out(&self, RenameServer { server, name }: RenameServer) -> Result<ServerView, ApiError> {
        let id = self.server(&server).await?.id;
        let name = good_name(&name)?;
        self.configure(id, Vec::new(), |server| Ok(Server { name, ..server })).await
    }
}

impl CarryOut<SetServerEnabled> for Local {
    async fn carry_out(
        &self,
        SetServerEnabled { server, enabled }: SetServerEnabled,
    ) -> Result<ServerView, ApiError> {
        let id = self.server(&server).await?.id;
        self.configure(id, Vec::new(), |server| Ok(Server { enabled, ..server })).await
    }
}

impl CarryOut<RemoveServer> for Local {
    async fn carry_out(&self, RemoveServer { server }: RemoveServer) -> Result<(), ApiError> {
        let server = self.server(&server).await?;
        self.can_forget_secrets(&server).await?;
        let removed_at = Some(signalbox_engine::wall());
        let removed = self.change(server.id, |server| Ok(Server { removed_at, ..server })).await?;
        self.forget_sign_in(&removed).await;
        self.forget_rules(removed.id).await;
        self.drop_unnamed(removed.id, removed.secrets().cloned().collect()).await;
        Ok(())
    }
}

impl CarryOut<CheckServer> for Local {
    async fn carry_out(&self, CheckServer { server }: CheckServer) -> Result<ServerCheck, ApiError> {
        let server = self.server(&server).await?;
        self.intent(Intent::Check(server.id)).await?;
        self.found(&server).await
    }
}

impl Local {
    async fn has_place(&self) -> Result<(), ApiError> {
        let all = self.read(Reads::servers).await?;
        if all.iter().filter(|(server, _)| server.removed_at.is_none()).count() < MOST_SERVERS {
            return Ok(());
        }
        let message = format!("There are {MOST_SERVERS} servers, and no more are kept: remove one first");
        Err(ApiError::new(Code::Usage, message))
    }

    /// How a server is after a check.
    pub(super) async fn found(&self, server: &Server) -> Result<ServerCheck, ApiError> {
        let view = self.server_view(server.id).await?;
        let tools = match view.health {
            Health::Ok { .. } => {
                let tools = self.engine.tools(server.id).await?;
                Some(u32::try_from(tools.len()).unwrap_or(u32::MAX))
            }
            _ => None,
        };
        Ok(ServerCheck { server: view, tools })
    }

    pub(super) async fn server_view(&self, id: ServerId) -> Result<ServerView, ApiError> {
        let overview = self.overview().await?;
        overview
            .servers
            .into_iter()
            .find(|server| server.id == id)
            .ok_or_else(|| ApiError::new(Code::UnknownServer, "The server was removed meanwhile"))
    }

    /// Puts literal values where secrets are kept; from here on there are only references.
    async fn keep_secrets(&self, server: &str, transport: NewTransport) -> Result<Transport, ApiError> {
        match transport {
            NewTransport::Http { url, headers } => {
                let url = good_url(&url)?;
                Ok(Transport::Http { url, headers: self.keep_all(server, headers).await? })
            }
            NewTransport::Stdio { command, args, env, cwd } => {
                if command.trim().is_empty() {
                    return Err(ApiError::new(Code::Usage, "The command is empty"));
                }
                if Path::new(&command).components().count() > 1 {
                    good_path("the program", &command)?;
                }
                if let Some(cwd) = &cwd {
                    good_path("the working directory", cwd)?;
                }
                let words = args.iter().chain(&cwd).chain([&command]);
                if words.chain(env.iter().map(|(name, _)| name)).any(|word| word.contains('\0')) {
                    return Err(ApiError::new(Code::Usage, "No program can be handed a zero character"));
                }
                if let Some((name, _)) = env.iter().find(|(name, _)| name.is_empty() || name.contains('=')) {
                    return Err(ApiError::new(Code::Usage, format!("{name:?} cannot be a variable's name")));
                }
                Ok(Transport::Stdio { command, args, env: self.keep_all(server, env).await?, cwd })
            }
        }
    }

    pub(super) async fn keep_all(
        &self,
        server: &str,
        values: Vec<(String, NewSecret)>,
    ) -> Result<Vec<(String, Secret)>, ApiError> {
        for (name, value) in &values {
            good_value(name, value)?;
        }
        let literals = values.iter().filter(|(_, value)| matches!(value, NewSecret::Literal { .. }));
        let literals: Vec<String> = literals.map(|(name, _)| name.clone()).collect();
        let is_secretive = !literals.is_empty();
        let named = Detail::Values(literals);
        if is_secretive {
            self.can_keep_secrets().map_err(|error| error.with(named.clone()))?;
        }
        let mut kept: Vec<(String, Secret)> = Vec::with_capacity(values.len());
        let mut new: Vec<Secret> = Vec::new();
        for (name, value) in values {
            let is_new = matches!(value, NewSecret::Literal { .. });
            let secret = match value {
                NewSecret::Reference { secret } => Ok(secret),
                NewSecret::Plain { value, .. } => Ok(Secret::Plain { value }),
                NewSecret::Literal { value } => {
                    self.secrets.keep(server, &name, SecretValue::new(value.take())).await
                }
            };
            match secret {
                Ok(secret) => {
                    new.extend(is_new.then(|| secret.clone()));
                    kept.push((name, secret));
                }
                Err(error) => {
                    // Not those that were kept before: the server goes on with them.
                    for secret in &new {
                        self.drop_secret(secret).await;
                    }
                    return Err(secret_failed(&error).with(named));
                }
            }
        }
        Ok(kept)
    }

    pub(super) async fn drop_secret(&self, secret: &Secret) {
        if let Secret::Keychain { .. } = secret
            && let Err(error) = self.secrets.delete(secret).await
        {
            tracing::warn!(%error, "an unused secret could not be deleted");
        }
    }
}

fn good_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    let refuse =
        |why: &str| Err(ApiError::new(Code::Usage, format!("{name:?} cannot be a server's name: {why}")));
    if name.is_empty() {
        return refuse("it is empty");
    }
    if name.chars().count() > LONGEST_NAME {
        return refuse("it has more than 64 characters");
    }
    if name.chars().any(acts) {
        return refuse("it has characters that nobody sees, or that turn others round");
    }
    if name.parse::<ServerId>().is_ok() {
        return refuse("it looks like a server's id");
    }
    Ok(name.to_owned())
}

/// What is kept beside the server is bounded, and what is kept in the clear is no secret as far as its name tells.
fn good_value(name: &str, value: &NewSecret) -> Result<(), ApiError> {
    let refuse =
        |why: String| Err(ApiError::new(Code::Usage, why).with(Detail::Values(vec![name.to_owned()])));
    let (plain, sure) = match value {
        NewSecret::Reference { secret: Secret::File { path } } => {
            return good_path(&format!("the file for {name}"), path);
        }
        NewSecret::Plain { value, sure } => (value, *sure),
        NewSecret::Reference { secret: Secret::Plain { value } } => (value, false),
        NewSecret::Reference { .. } | NewSecret::Literal { .. } => return Ok(()),
    };
    if plain.len() > LONGEST_PLAIN {
        return refuse(format!(
            "The value of {name:?} is longer than 32 KiB: keep it in a file, and name that"
        ));
    }
    if sounds_secret(name) && !sure {
        return refuse(format!(
            "{name:?} is named like a secret. In the clear its value is kept and shown as it is: say once more that it is \
             no secret, or keep it as one"
        ));
    }
    Ok(())
}

fn good_url(text: &str) -> Result<String, ApiError> {
    // It may hold a password, and is not repeated.
    let refuse = |why: &str| Err(ApiError::new(Code::Usage, format!("This cannot be a server's URL: {why}")));
    let Ok(url) = url::Url::parse(text.trim()) else { return refuse("it is not a URL") };
    if !matches!(url.scheme(), "http" | "https") {
        return refuse("only http and https are spoken");
    }
    if url.host_str().is_none() {
        return refuse("it has no host");
    }
    if has_credentials(&url) {
        // It would be kept and shown in clear.
        return refuse("put the credentials into a header instead");
    }
    Ok(url.to_string())
}

/// A server takes what it is told for a place it may look at: nothing is guessed.
fn good_root(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    match url::Url::parse(text) {
        Ok(url) if url.scheme() == "file" && url.path().starts_with('/') => Ok(text.to_owned()),
        _ => {
            let message = format!("{text:?} cannot be a root: give a URI such as file:///home/me/project");
            Err(ApiError::new(Code::Usage, message))
        }
    }
}
