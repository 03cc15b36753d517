//! `server edit`: what is named changes, and all else stays as it is.

use signalbox_api::{
    DeskExt as _, NewAccess, NewSecret, NewTransport, ServerView, command, have_same_origin,
};
use signalbox_model::{Secret, Transport, sounds_secret};

use super::Context;
use crate::args::{Dropped, Reach};
use crate::exit::{Exit, Failure};
use crate::{docs, input, look, text};

/// Carries out `server edit`.
pub(super) async fn run(
    context: &Context<'_>,
    server: String,
    reach: &Reach,
    drop: &Dropped,
    roots: Option<Vec<String>>,
    access: Option<NewAccess>,
) -> Result<Exit, Failure> {
    let is_moved = is_named(reach, drop);
    if !is_moved && roots.is_none() && access.is_none() {
        let message = "name what is to change, such as --url URL, --env-drop K or a program after --";
        return Err(Failure::usage(message));
    }
    let (desk, mut edited) = (context.desk, None);
    if is_moved {
        let now = look::server(desk, &server).await?;
        let Change { transport, kept } = change(reach, drop, &now)?;
        // Whoever typed all of a command has confirmed it.
        let untrusted = reach.command.is_empty() || kept;
        let act = command::EditServer {
            server: server.clone(),
            transport,
            untrusted,
            shown: Some(now.transport.clone()),
        };
        let moved = desk.act(act).await?;
        // At once: it is lost, whatever becomes of the rest.
        for lost in text::server::lost(&now, &moved) {
            context.console.say(&lost);
        }
        edited = Some(moved);
    }
    if let Some(access) = access {
        let shown = edited.map(|moved| moved.transport);
        edited = Some(desk.act(command::SetAccess { server: server.clone(), access, shown }).await?);
    }
    if let Some(roots) = roots {
        edited = Some(desk.act(command::SetRoots { server, roots }).await?);
    }
    let after = edited.expect("BUG: something is named");
    show(context, &after)
}

fn show(context: &Context<'_>, server: &ServerView) -> Result<Exit, Failure> {
    if context.console.json {
        context.console.document(&docs::Server::from(server))?;
    } else {
        context.console.text(&text::server::edited(server))?;
    }
    if matches!(server.transport, Transport::Stdio { .. }) && !server.trusted {
        context.console.say(super::import::WAITING);
    }
    Ok(Exit::Done)
}

/// Whether anything of how it is reached is to change.
fn is_named(reach: &Reach, drop: &Dropped) -> bool {
    reach.url.is_some()
        || !reach.command.is_empty()
        || names_headers(reach, drop)
        || names_variables(reach, drop)
        || !reach.yes_plain.is_empty()
}

fn names_headers(reach: &Reach, drop: &Dropped) -> bool {
    [&reach.headers, &reach.header_plain, &drop.header_drop].iter().any(|named| !named.is_empty())
}

fn names_variables(reach: &Reach, drop: &Dropped) -> bool {
    let named = [&reach.env, &reach.env_plain, &reach.env_pass, &drop.env_drop];
    reach.cwd.is_some() || named.iter().any(|named| !named.is_empty())
}

struct Change {
    transport: NewTransport,
    /// Whether a variable or the directory of a program stays that was there.
    kept: bool,
}

/// How it is reached from now on.
fn change(reach: &Reach, drop: &Dropped, server: &ServerView) -> Result<Change, Failure> {
    match (&reach.url, reach.command.as_slice(), &server.transport) {
        (Some(url), _, Transport::Http { url: now, headers }) => {
            http(url, headers, have_same_origin(url, now), reach, drop, server)
        }
        (Some(url), _, Transport::Stdio { .. }) => http(url, &[], false, reach, drop, server),
        (None, [], Transport::Http { url, headers }) => http(url, headers, true, reach, drop, server),
        (None, [command, args @ ..], now) => {
            let (env, cwd) = match now {
                Transport::Stdio { env, cwd, .. } => (env.as_slice(), cwd.as_ref()),
                Transport::Http { .. } => (&[][..], None),
            };
            stdio((input::program(command)?, args), (env, cwd), reach, drop, server)
        }
        (None, [], Transport::Stdio { command, args, env, cwd }) => {
            stdio((command.clone(), args), (env, cwd.as_ref()), reach, drop, server)
        }
    }
}

/// `stay`: whether the headers of before go to this address, too.
fn http(
    url: &str,
    headers: &[(String, Secret)],
    stay: bool,
    reach: &Reach,
    drop: &Dropped,
    server: &ServerView,
) -> Result<Change, Failure> {
    let name = &server.name;
    if names_variables(reach, drop) {
        let message =
            format!("\"{name}\" is reached by its URL: only a program has variables and a directory");
        return Err(Failure::usage(message));
    }
    let taken = taken_away(headers, &drop.header_drop, str::eq_ignore_ascii_case)
        .map_err(|missing| Failure::usage(format!("\"{name}\" is sent no header {missing}")))?;
    let kept = if stay { taken } else { Vec::new() };
    let headers = joined(kept, input::headers(reach)?, str::eq_ignore_ascii_case).0;
    Ok(Change { transport: NewTransport::Http { url: url.to_owned(), headers }, kept: false })
}

fn stdio(
    (command, args): (String, &[String]),
    (env, cwd): (&[(String, Secret)], Option<&String>),
    reach: &Reach,
    drop: &Dropped,
    server: &ServerView,
) -> Result<Change, Failure> {
    let name = &server.name;
    if names_headers(reach, drop) {
        return Err(Failure::usage(format!("\"{name}\" is a program: only a URL has headers")));
    }
    let taken = taken_away(env, &drop.env_drop, |a, b| a == b)
        .map_err(|missing| Failure::usage(format!("\"{name}\" is given no variable {missing}")))?;
    let (env, has_kept) = joined(taken, input::variables(reach)?, |a, b| a == b);
    let kept = has_kept || (reach.cwd.is_none() && cwd.is_some());
    let cwd = reach.cwd.as_deref().map(input::absolute).transpose()?.or_else(|| cwd.cloned());
    Ok(Change { transport: NewTransport::Stdio { command, args: args.to_vec(), env, cwd }, kept })
}

/// What is left without those of the given names. The error: one that is not there, and those that are.
fn taken_away(
    now: &[(String, Secret)],
    names: &[String],
    is_same: fn(&str, &str) -> bool,
) -> Result<Vec<(String, Secret)>, String> {
    let missing = names.iter().find(|name| !now.iter().any(|(known, _)| is_same(known, name)));
    if let Some(missing) = missing {
        let known: Vec<_> = now.iter().map(|(name, _)| name.as_str()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(format!("{missing} (it has: {known})"));
    }
    let stays = |(known, _): &&(String, Secret)| !names.iter().any(|name| is_same(known, name));
    Ok(now.iter().filter(stays).cloned().collect())
}

/// What is there with what is named, which takes the place of its like. Whether anything of what was there stays.
fn joined(
    now: Vec<(String, Secret)>,
    named: Vec<(String, NewSecret)>,
    is_same: fn(&str, &str) -> bool,
) -> (Vec<(String, NewSecret)>, bool) {
    let mut all: Vec<_> = now
        .into_iter()
        .filter(|(known, _)| !named.iter().any(|(name, _)| is_same(known, name)))
        .map(|(name, secret)| {
            let value = as_it_is(&name, secret);
            (name, value)
        })
        .collect();
    let has_kept = !all.is_empty();
    all.extend(named);
    (all, has_kept)
}

/// A value that stays. That a plain one is no secret was said when it was given.
fn as_it_is(name: &str, secret: Secret) -> NewSecret {
    match secret {
        Secret::Plain { value } => NewSecret::Plain { value, sure: sounds_secret(name) },
        secret => NewSecret::Reference { secret },
    }
}
