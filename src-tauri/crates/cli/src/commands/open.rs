//! `open`, `focus` and `next`: for scripts, and for the keys of a window manager. The window is a program of its own. Its second
//! start brings the one that is there forward, so it is simply started.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::{Desk, Home, Led, LedPlace, Link, next_question};
use signalbox_model::{ActivationToken, ItemRef};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::{look, window};

/// The document: `{"shown":"t12"}`, without `shown` where no item was.
#[skip_serializing_none]
#[derive(Serialize)]
struct Shown {
    shown: Option<String>,
}

/// Runs `open`: an item by its short id, a place by its name, or a link.
pub(super) async fn open(context: &Context<'_>, wished: &str) -> Result<Exit, Failure> {
    if let Some(place) = LedPlace::named(wished) {
        return lead(context, &place.link(), Led::Place { place }).await;
    }
    if !Link::is_meant(wished) {
        let item = wished.parse().map_err(|_| {
            Failure::usage(
                "Name a task (t12), a question (r7), a place (inbox, tasks), or a link that begins with signalbox://",
            )
        })?;
        return show(context, item).await;
    }
    is_usual(context.desk).await?;
    match wished.parse::<Link>() {
        Err(why) => Err(Failure::usage(format!("This link leads nowhere: {why}"))),
        Ok(Link::Open(item)) => show(context, item).await,
        Ok(Link::Show(led)) => lead(context, wished, led).await,
    }
}

/// Has the window show where a link leads.
async fn lead(context: &Context<'_>, link: &str, led: Led) -> Result<Exit, Failure> {
    window::start(&home(context.desk).await?, Some(link), token()).await?;
    let words = match led {
        Led::Place { place: LedPlace::Inbox } => "The window shows the questions that wait for you.",
        Led::Place { place: LedPlace::Tasks } => "The window shows your tasks.",
        Led::Server { .. } => "The window shows what this link offers. Nothing is added yet.",
        Led::Nowhere { .. } => "The window says why this link leads nowhere.",
    };
    done(context, None, words)
}

/// Runs `focus`.
pub(super) async fn focus(context: &Context<'_>) -> Result<Exit, Failure> {
    window::start(&home(context.desk).await?, None, token()).await?;
    done(context, None, "The window comes forward, or opens.")
}

/// Runs `next`: the first question that needs the person.
pub(super) async fn next(context: &Context<'_>) -> Result<Exit, Failure> {
    match next_question(context.desk).await? {
        Some(request) => show(context, ItemRef::Request(request)).await,
        None => done(context, None, "No question needs you."),
    }
}

/// Shows an item that is there.
async fn show(context: &Context<'_>, item: ItemRef) -> Result<Exit, Failure> {
    match item {
        ItemRef::Call(call) => drop(look::task(context.desk, call).await?),
        ItemRef::Request(request) => drop(look::request(context.desk, request).await?),
    }
    let id = item.to_string();
    window::start(&home(context.desk).await?, Some(&id), token()).await?;
    done(context, Some(&id), &format!("The window shows {id}."))
}

/// Whoever ran us may have the right to bring something to the front: a key of a window manager, a launcher.
fn token() -> Option<ActivationToken> {
    std::env::var(ActivationToken::VARIABLE).ok()?.try_into().ok()
}

fn done(context: &Context<'_>, shown: Option<&str>, words: &str) -> Result<Exit, Failure> {
    if context.console.json {
        context.console.document(&Shown { shown: shown.map(str::to_owned) })?;
    } else {
        context.console.text(&format!("{words}\n"))?;
    }
    Ok(Exit::Done)
}

/// Whoever makes a link knows nothing of other data directories: it must never act on one.
async fn is_usual(desk: &dyn Desk) -> Result<(), Failure> {
    let usual = Home::resolve(None)?;
    if home(desk).await? == usual.dir().display().to_string() {
        return Ok(());
    }
    Err(Failure::usage("A link always opens the default data directory: leave out --home"))
}

async fn home(desk: &dyn Desk) -> Result<String, Failure> {
    Ok(look::overview(desk).await?.owner.home)
}
