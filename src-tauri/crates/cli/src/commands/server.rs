//! `server …` and `tools`.

use signalbox_api::command::{self, SignInBegun};
use signalbox_api::words;
use signalbox_api::{ApiError, Code, DeskExt as _, ServerCheck, ServerView};
use signalbox_model::{Health, NoteCode, Transport};

use super::{Context, edit, paste};
use crate::args::Server;
use crate::exit::{Exit, Failure};
use crate::{docs, input, look, text};

/// Runs `server`.
pub(super) async fn run(context: &Context<'_>, command: Server) -> Result<Exit, Failure> {
    let server = match command {
        Server::Add { name, paste: Some(paste), .. } => return paste::add(context, name, &paste).await,
        Server::Add { name, paste: None, reach } => {
            let name = name.ok_or_else(|| Failure::usage("give it a name"))?;
            let transport = input::transport(&reach)?;
            context.desk.act(command::AddServer { name, transport, untrusted: false }).await
        }
        Server::Edit { name, reach, drop, roots, no_roots, access } => {
            let roots = (no_roots || !roots.is_empty()).then_some(roots);
            return edit::run(context, name, &reach, &drop, roots, input::access(*access)?).await;
        }
        Server::Rename { name, new_name } => {
            context.desk.act(command::RenameServer { server: name, name: new_name }).await
        }
        Server::Enable { name } => {
            context.desk.act(command::SetServerEnabled { server: name, enabled: true }).await
        }
        Server::Disable { name } => {
            context.desk.act(command::SetServerEnabled { server: name, enabled: false }).await
        }
        Server::Trust { name, yes } => return trust(context, name, yes).await,
        Server::List => return list(context).await,
        Server::Remove { name } => return remove(context, name).await,
        Server::Check { name } => return check(context, name).await,
        Server::Login { name } => return login(context, name).await,
        Server::Logout { name } => return logout(context, name).await,
    };
    show(context, &server?)
}

fn show(context: &Context<'_>, server: &ServerView) -> Result<Exit, Failure> {
    if context.console.json {
        context.console.document(&docs::Server::from(server))?;
    } else {
        context.console.text(&text::server::line(server))?;
    }
    Ok(Exit::Done)
}

async fn list(context: &Context<'_>) -> Result<Exit, Failure> {
    let servers = look::overview(context.desk).await?.servers;
    if context.console.json {
        let servers = servers.iter().map(docs::Server::from).collect();
        context.console.document(&docs::Servers { servers })?;
    } else {
        context.console.text(&text::server::table(&servers, context.console))?;
    }
    Ok(Exit::Done)
}

async fn remove(context: &Context<'_>, name: String) -> Result<Exit, Failure> {
    let server = look::server(context.desk, &name).await?;
    context.desk.act(command::RemoveServer { server: name }).await?;
    if context.console.json {
        let removed = docs::RemovedServer { id: server.id, name: server.name };
        context.console.document(&docs::Removed { removed })?;
    } else {
        context.console.text(&format!("removed {}", text::server::line(&server)))?;
    }
    Ok(Exit::Done)
}

/// Shows what would be run, and has it confirmed.
async fn trust(context: &Context<'_>, name: String, yes: bool) -> Result<Exit, Failure> {
    let server = look::server(context.desk, &name).await?;
    if let Transport::Stdio { .. } = server.transport
        && !server.trusted
    {
        context.console.block(&text::server::command(&server));
        if !yes && !confirmed(context).await? {
            context.console.say("Not confirmed: it is not started");
            return Ok(Exit::Failed);
        }
    }
    let shown = server.transport;
    let server = context.desk.act(command::TrustServer { server: name, shown }).await?;
    check(context, server.id.to_string()).await
}

async fn confirmed(context: &Context<'_>) -> Result<bool, Failure> {
    if !context.console.has_person() {
        let message = "Nobody can be asked here: --yes confirms that this may be run";
        return Err(ApiError::new(Code::InputNeeded, message).into());
    }
    Ok(context.console.confirms("May this be run whenever the server is needed? [y/N] ").await)
}

async fn check(context: &Context<'_>, name: String) -> Result<Exit, Failure> {
    found(context, context.desk.act(command::CheckServer { server: name }).await?).await
}

async fn found(context: &Context<'_>, check: ServerCheck) -> Result<Exit, Failure> {
    let failure = trouble(&check.server);
    if context.console.json {
        let mut document = docs::Server::from(&check.server);
        document.tools = check.tools.or(document.tools);
        document.failure = failure.clone();
        context.console.document(&document)?;
    } else {
        context.console.text(&text::server::check(&check, context.console))?;
        // What goes into a file or to a program was seen by nobody yet.
        if check.server.withheld.is_some() && context.console.is_terminal() {
            let server = check.server.id.to_string();
            // It was said. That this cannot be kept tells nothing of the server: it is said again.
            let _ = context.desk.act(command::SeenWithheld { server }).await;
        }
    }
    Ok(failure.map_or(Exit::Done, |error| {
        context.console.say(&text::advice::advised(&error));
        error.code.into()
    }))
}

/// Shows a person where to sign in, and waits for the end of it.
async fn login(context: &Context<'_>, name: String) -> Result<Exit, Failure> {
    let SignInBegun { url, attempt } = context.desk.act(command::SignIn { server: name.clone() }).await?;
    if let Some(url) = url {
        context.console.block(&format!("Sign in to {} in your browser:\n{url}", text::sanitise::line(&name)));
        if context.console.has_person() {
            // The address is there to be copied: that no browser opens is no failure.
            let _ = signalbox_api::browse(context.browser, url).await;
        }
    }
    found(context, context.desk.act(command::AwaitSignIn { server: name, attempt }).await?).await
}

async fn logout(context: &Context<'_>, name: String) -> Result<Exit, Failure> {
    let server = look::server(context.desk, &name).await?;
    if let Some(why) = context.desk.act(command::SignOut { server: name }).await?.valid_still {
        context.console.say(&format!("What was granted stays valid until it expires: {why}"));
    }
    show(context, &server)
}

/// What a check found wrong.
fn trouble(server: &ServerView) -> Option<ApiError> {
    let name = &server.name;
    let error = |code: NoteCode, usual: Code, what: String| {
        let code = if code == NoteCode::Unknown { usual } else { code.into() };
        Some(ApiError::new(code, what))
    };
    match &server.health {
        Health::Ok { .. } | Health::Unknown { .. } => None,
        Health::Unreachable { note, .. } => error(
            note.code,
            Code::Unreachable,
            format!("{name} cannot be reached: {}", text::server::why(note)),
        ),
        Health::SignInNeeded { .. } => {
            let advice = "`signalbox server login`, or `server edit --header` with a token, gives it one";
            Some(ApiError::new(Code::SignInNeeded, format!("{name} requires a sign-in first. {advice}")))
        }
        Health::Unusable { note, .. } if note.code == NoteCode::NotTrusted => {
            let why = words::note(note);
            Some(ApiError::new(Code::NotTrusted, format!("{name} is not started: {why}")))
        }
        Health::Unusable { note, .. } => {
            error(note.code, Code::ProtocolError, format!("{name} cannot be used: {}", words::note(note)))
        }
    }
}

/// Runs `tools`.
pub(super) async fn tools(context: &Context<'_>, server: &str) -> Result<Exit, Failure> {
    let tools = look::tools(context.desk, server).await?;
    if context.console.json {
        let tools = tools.into_iter().map(docs::Tool::from).collect();
        context.console.document(&docs::Tools { tools })?;
    } else {
        context.console.text(&text::server::tools(&tools, context.console))?;
    }
    Ok(Exit::Done)
}
