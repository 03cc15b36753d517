//! `server …` and `tools`.

use signalbox_api::{ApiError, Code, Command as Act, Reply, ServerView};
use signalbox_model::Health;

use super::Context;
use crate::args::{Reach, Server};
use crate::exit::{Exit, Failure};
use crate::{docs, input, look, text};

/// `server …`
pub(super) async fn run(context: &Context<'_>, command: Server) -> Result<Exit, Failure> {
    let act = match command {
        Server::Add { name, reach } => Act::AddServer { name, transport: input::transport(&reach)? },
        Server::Edit { name, reach, roots, no_roots } => {
            let roots = (no_roots || !roots.is_empty()).then_some(roots);
            return edit(context, name, &reach, roots).await;
        }
        Server::Rename { name, new_name } => Act::RenameServer { server: name, name: new_name },
        Server::Enable { name } => Act::SetServerEnabled { server: name, enabled: true },
        Server::Disable { name } => Act::SetServerEnabled { server: name, enabled: false },
        Server::List => return list(context).await,
        Server::Remove { name } => return remove(context, name).await,
        Server::Check { name } => return check(context, name).await,
    };
    show(context, &changed(context, act).await?)
}

async fn changed(context: &Context<'_>, act: Act) -> Result<ServerView, Failure> {
    match context.desk.call(act).await? {
        Reply::Server { server } => Ok(server),
        _ => Err(look::odd().into()),
    }
}

/// How it is reached, unless only its roots are named, and its roots where they are.
async fn edit(
    context: &Context<'_>,
    server: String,
    reach: &Reach,
    roots: Option<Vec<String>>,
) -> Result<Exit, Failure> {
    let moved = reach.url.is_some() || !reach.command.is_empty();
    let act = match roots {
        None => Act::EditServer { server, transport: input::transport(reach)? },
        Some(roots) => {
            if moved {
                let transport = input::transport(reach)?;
                changed(context, Act::EditServer { server: server.clone(), transport }).await?;
            }
            Act::SetRoots { server, roots }
        }
    };
    show(context, &changed(context, act).await?)
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
    context.desk.call(Act::RemoveServer { server: name }).await?;
    if context.console.json {
        let removed = docs::RemovedServer { id: server.id, name: server.name };
        context.console.document(&docs::Removed { removed })?;
    } else {
        context.console.text(&format!("removed {}", text::server::line(&server)))?;
    }
    Ok(Exit::Done)
}

async fn check(context: &Context<'_>, name: String) -> Result<Exit, Failure> {
    let Reply::Check { check } = context.desk.call(Act::CheckServer { server: name }).await? else {
        return Err(look::odd().into());
    };
    let failure = trouble(&check.server);
    if context.console.json {
        let mut document = docs::Server::from(&check.server);
        document.tools = check.tools;
        document.failure = failure.clone();
        context.console.document(&document)?;
    } else {
        context.console.text(&text::server::check(&check, context.console))?;
    }
    Ok(failure.map_or(Exit::Done, |error| {
        context.console.say(&error.message);
        error.code.into()
    }))
}

/// What a check found wrong.
fn trouble(server: &ServerView) -> Option<ApiError> {
    let name = &server.name;
    let error = |word: &str, usual: Code, what: String| {
        let code = serde_json::from_value(serde_json::Value::from(word)).unwrap_or(usual);
        Some(ApiError::new(code, what))
    };
    match &server.health {
        Health::Ok { .. } | Health::Unknown => None,
        Health::Unreachable { code, message, .. } => {
            error(code, Code::Unreachable, format!("{name} cannot be reached: {message}"))
        }
        Health::SignInNeeded { .. } => {
            Some(ApiError::new(Code::SignInNeeded, format!("{name} wants a sign-in first")))
        }
        Health::Unusable { code, message } => {
            error(code, Code::ProtocolError, format!("{name} cannot be used: {message}"))
        }
    }
}

/// `tools`
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
