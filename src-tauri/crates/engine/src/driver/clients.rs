//! What a client is made of: an address, what goes along with each request, and who we are to the server.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use http::{HeaderName, HeaderValue};
use signalbox_mcp as mcp;
use signalbox_model::{Obstacle, Secret, ServerId, Transport, variables_of_others};
use signalbox_signin::{SecretValue, Secrets, oauth::AccountState};
use signalbox_store::Reads;
use tokio::sync::watch;
use url::Url;

use super::{
    login::{self, Login, SignedIn},
    obstacle,
};
use crate::{EngineOptions, Line, by_number::ByNumber, wall};

/// No client sends more requests than so many a millisecond: what the clock shows times this is an id that no earlier one
/// has reached.
const IDS_A_MS: u64 = 1_000;

type Logins = ByNumber<ServerId, (Line, mcp::Network, Arc<Login>)>;

/// Makes clients of servers as they are configured.
#[derive(Clone)]
pub(super) struct Clients {
    secrets: Arc<Secrets>,
    /// What servers are configured with.
    reads: Reads,
    version: Arc<str>,
    /// Where the owner notes which programs it runs.
    programs: Option<PathBuf>,
    /// The room for messages that all clients share.
    room: mcp::Room,
    /// Our accounts at the servers, with what each was made of.
    logins: Arc<Mutex<Logins>>,
    signed_in: SignedIn,
}

impl Clients {
    pub(super) fn new(secrets: Arc<Secrets>, reads: Reads, options: EngineOptions) -> Self {
        let EngineOptions { version, programs, tuning: _, follow: _ } = options;
        let room = mcp::Room::new(reads.dir());
        Self {
            secrets,
            reads,
            room,
            version: version.into(),
            programs,
            logins: Arc::default(),
            signed_in: SignedIn::default(),
        }
    }

    pub(super) async fn make(&self, line: &Line) -> Result<mcp::Client, mcp::Error> {
        let mut options = mcp::Options {
            client_version: self.version.to_string(),
            declared: mcp::Declared { sampling: true, roots: true, host_tasks: true },
            ids_above: u64::try_from(wall().0).unwrap_or(0).saturating_mul(IDS_A_MS),
            programs: self.programs.clone(),
            message_limit: line.message_limit,
            room: self.room.clone(),
            ..mcp::Options::default()
        };
        match &*line.transport {
            Transport::Http { url, headers } => {
                let url = parsed(url)?;
                let (mut lines, mut masked) = (Vec::with_capacity(headers.len()), Vec::new());
                for (name, secret) in headers {
                    let value = self.secret(secret).await?;
                    lines.push(header(name, value.expose())?);
                    masked.extend((!is_plain(secret)).then_some(value));
                }
                options.network = login::network(&line.access).await?;
                let login = self.login_over(line, url.clone(), options.network.clone())?;
                let client = mcp::Client::new(mcp::Endpoint::Http { url, headers: lines }, options);
                client.authorize_with(login);
                masked.iter().for_each(|secret| client.mask(secret.expose()));
                Ok(client)
            }
            Transport::Stdio { command, args, env, cwd } => {
                let (mut vars, mut masked) = (Vec::with_capacity(env.len()), Vec::new());
                for (name, secret) in env {
                    let value = self.secret(secret).await?;
                    vars.push((name.clone(), value.expose().to_owned()));
                    masked.extend((!is_plain(secret)).then_some(value));
                }
                let (program, args) = (command.clone(), args.clone());
                let cwd = cwd.as_ref().map(PathBuf::from);
                let kept_back = self.kept_back(line.server, &program);
                let client =
                    mcp::Client::new(mcp::Endpoint::Stdio { program, args, env: vars, cwd }, options);
                client.keep_back(kept_back);
                masked.iter().for_each(|secret| client.mask(secret.expose()));
                Ok(client)
            }
        }
    }

    /// What the program of a server must not be given, since the configurations of others refer to it. While that
    /// cannot be read the program is not started.
    fn kept_back(&self, server: ServerId, program: &str) -> Arc<mcp::KeptBack> {
        let (reads, program) = (self.reads.clone(), program.to_owned());
        Arc::new(move || match reads.servers() {
            Ok(servers) => Ok(variables_of_others(servers.iter().map(|(server, _)| server), server)),
            Err(error) => Err(mcp::Error::Unreachable {
                stage: mcp::Stage::Spawn { program: program.clone() },
                why: Obstacle::OthersUnread { said: error.to_string() }.into(),
                retry_after: None,
            }),
        })
    }

    /// Who we are to a server over HTTP.
    ///
    /// # Errors
    /// When its configuration cannot be used. Nothing was sent then.
    pub(super) async fn login(&self, line: &Line) -> Result<Arc<Login>, mcp::Error> {
        let Transport::Http { url, .. } = &*line.transport else {
            return Err(unusable(Obstacle::NoSignIn));
        };
        let network = login::network(&line.access).await?;
        self.login_over(line, parsed(url)?, network)
    }

    /// Who is signed in where.
    pub(super) fn signed_in(&self) -> watch::Receiver<BTreeMap<ServerId, AccountState>> {
        self.signed_in.subscribe()
    }

    fn login_over(&self, line: &Line, url: Url, network: mcp::Network) -> Result<Arc<Login>, mcp::Error> {
        let mut logins = self.logins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((made_of, way, login)) = logins.get(&line.server)
            && made_of.transport == line.transport
            && made_of.access == line.access
            // The files that it names may have been mended in place.
            && *way == network
        {
            return Ok(Arc::clone(login));
        }
        let sign_in = &line.access.sign_in;
        let (secrets, signed_in) = (Arc::clone(&self.secrets), Arc::clone(&self.signed_in));
        let login = Login::new(secrets, line.server, url, sign_in, network.clone(), signed_in);
        let login = Arc::new(login.map_err(unusable)?);
        logins.insert(line.server, (line.clone(), network, Arc::clone(&login)));
        Ok(login)
    }

    async fn secret(&self, secret: &Secret) -> Result<SecretValue, mcp::Error> {
        self.secrets.resolve(secret).await.map_err(|error| obstacle::of_secret(&error))
    }
}

/// Whether the person has said that it is no secret.
fn is_plain(secret: &Secret) -> bool {
    matches!(secret, Secret::Plain { .. })
}

fn parsed(url: &str) -> Result<Url, mcp::Error> {
    url.parse().map_err(|_| unusable(Obstacle::NoUrl { address: url.to_owned() }))
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), mcp::Error> {
    let name: HeaderName =
        name.parse().map_err(|_| unusable(Obstacle::NoHeaderName { name: name.to_owned() }))?;
    // The value itself must not be named.
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| unusable(Obstacle::NoHeaderValue { name: name.to_string() }))?;
    value.set_sensitive(true);
    Ok((name, value))
}

/// The configuration cannot be used as it is; nothing was sent.
fn unusable(obstacle: Obstacle) -> mcp::Error {
    mcp::Error::Unreachable { stage: mcp::Stage::Address, why: obstacle.into(), retry_after: None }
}
