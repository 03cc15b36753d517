//! `notifications …`: what is told and when, what became of the last notices, a pause, a test.

use serde::Serialize;
use signalbox_api::{
    ApiError, Code, DeskExt as _, NoticeFate, NotifyLevel, NotifyRule, NotifyRules, Overview, PastNotice,
    QuietHours, command, look, tomorrow,
};
use signalbox_model::{ServerId, Snooze, Timestamp};

use super::Context;
use crate::args::{Notifications, Pause, Quiet, Until};
use crate::exit::{Exit, Failure};
use crate::text::{self, sanitise};

/// The document: `{"level","rules","quiet","contents","pausedUntil","history"}`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    level: NotifyLevel,
    rules: Vec<Rule<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quiet: Option<QuietHours>,
    contents: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_until: Option<Timestamp>,
    history: Vec<Past<'a>>,
}

/// A rule by the name of its server.
#[derive(Serialize)]
struct Rule<'a> {
    server: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    level: NotifyLevel,
}

/// A notice with what became of it: `{"at","item"|"items","title","fate"}`
#[derive(Serialize)]
struct Past<'a> {
    at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<String>,
    /// Of those that were told as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<String>>,
    title: &'a str,
    fate: NoticeFate,
}

/// Runs `notifications`; alone it shows how they stand.
pub(super) async fn run(context: &Context<'_>, act: Option<Notifications>) -> Result<Exit, Failure> {
    match act {
        None => {}
        Some(Notifications::Test) => return test(context).await,
        Some(Notifications::Pause { until: Pause(until) }) => {
            let until = end(until, context.console.now());
            context.desk.act(command::PauseNotifications { until }).await?;
        }
        Some(Notifications::Quiet { hours: Quiet(quiet) }) => {
            set(context, |rules, _| {
                rules.quiet = quiet;
                Ok(())
            })
            .await?;
        }
        Some(Notifications::Contents { contents }) => {
            set(context, |rules, _| {
                rules.contents = contents;
                Ok(())
            })
            .await?;
        }
        Some(Notifications::Level { level, server, tool }) => {
            set(context, |rules, overview| {
                let of = match server {
                    Some(server) => Some((named(overview, &server)?, tool)),
                    None => None,
                };
                rules.set(of, level.chosen());
                Ok(())
            })
            .await?;
        }
    }
    show(context).await
}

/// When a pause is over.
fn end(until: Until, now: Timestamp) -> Option<Timestamp> {
    match until {
        Until::After(ms) => Some(now.plus_ms(ms)),
        Until::Tomorrow => Some(tomorrow(now)),
        Until::As(Snooze::At { at }) => Some(at),
        Until::As(_) | Until::Off => None,
    }
}

/// Changes what is told.
async fn set(
    context: &Context<'_>,
    change: impl FnOnce(&mut NotifyRules, &Overview) -> Result<(), ApiError>,
) -> Result<(), Failure> {
    let overview = crate::look::overview(context.desk).await?;
    let mut settings = overview.settings.clone();
    change(&mut settings.notifications, &overview)?;
    context.desk.act(command::SetSettings { settings }).await?;
    Ok(())
}

fn named(overview: &Overview, name: &str) -> Result<ServerId, ApiError> {
    let found = overview.servers.iter().find(|server| server.name == name || server.id.to_string() == name);
    let unknown = || ApiError::new(Code::UnknownServer, format!("There is no server named {name:?}"));
    found.map(|server| server.id).ok_or_else(unknown)
}

async fn show(context: &Context<'_>) -> Result<Exit, Failure> {
    let overview = crate::look::overview(context.desk).await?;
    let past = context.desk.see(look::Notices {}).await?;
    if !context.console.json {
        context.console.text(&text::notifications::all(&overview, &past, context.console))?;
        return Ok(Exit::Done);
    }
    let NotifyRules { level, rules, quiet, contents } = &overview.settings.notifications;
    context.console.document(&Document {
        level: *level,
        rules: rules.iter().filter_map(|rule| named_rule(&overview, rule)).collect(),
        quiet: *quiet,
        contents: *contents,
        paused_until: overview.notifications_paused_until,
        history: past.iter().map(document).collect(),
    })?;
    Ok(Exit::Done)
}

/// A rule under the name of its server; none where that one is just being removed.
fn named_rule<'a>(overview: &'a Overview, rule: &'a NotifyRule) -> Option<Rule<'a>> {
    let server = overview.servers.iter().find(|view| view.id == rule.server)?;
    Some(Rule { server: &server.name, tool: rule.tool.as_deref(), level: rule.level })
}

fn document(PastNotice { at, items, as_one, title, fate }: &PastNotice) -> Past<'_> {
    let (item, items) = match items.as_slice() {
        [item] if !as_one => (Some(item.to_string()), None),
        several => (None, Some(several.iter().map(ToString::to_string).collect())),
    };
    Past { at: *at, item, items, title, fate: *fate }
}

async fn test(context: &Context<'_>) -> Result<Exit, Failure> {
    let tested = context.desk.act(command::TestNotification {}).await?;
    if context.console.json {
        context.console.document(&tested)?;
        return Ok(Exit::Done);
    }
    for line in text::notifications::tested(&tested) {
        context.console.text(&format!("{}\n", sanitise::line(&line)))?;
    }
    Ok(Exit::Done)
}
