//! Servers and tools for people.

use signalbox_api::import::{Candidate, NotImported, PastedServer};
use signalbox_api::words::note as said;
use signalbox_api::{NewSecret, NewTransport, ServerCheck, ServerView, ToolView, Withheld, have_same_origin};
use signalbox_model::{
    Health, Note, NoteCode, Reason, Secret, SignIn, Timestamp, Transport, changes_what_runs, command_line,
};

use super::table::{Table, facts};
use super::{Hue, sanitise, time, words};
use crate::console::Console;
use crate::docs::Importable;

/// How old an answer may be for its server to count as one that answers, in ms.
const FRESH_MS: i64 = 60_000;

/// What is known of a server, and how old that is. Amber is what waits for a person, red what is broken.
fn health(server: &ServerView, now: Timestamp) -> (Hue, String) {
    if !server.enabled {
        return (Hue::Dim, "disabled".to_owned());
    }
    let ago = |at: Option<Timestamp>| at.map(|at| time::ago(at, now)).unwrap_or_default();
    let aged = |word: &str, at| format!("{word} {}", ago(at)).trim_end().to_owned();
    if let (Health::Unknown { .. }, Some(since)) = (&server.health, server.connecting_since) {
        return (Hue::Plain, connecting(since, now));
    }
    let is_live = server.tasks.live() > 0;
    match &server.health {
        Health::Unusable { note, .. } if note.code == NoteCode::NotTrusted => {
            (Hue::Amber, "confirm command".to_owned())
        }
        Health::Unusable { note, .. } if note.code == NoteCode::SecretsLocked => {
            (Hue::Amber, "unlock secrets".to_owned())
        }
        Health::SignInNeeded { .. } => (Hue::Amber, "sign in".to_owned()),
        Health::Unreachable { tried_at, retry_at, .. } => {
            let next = match server.connecting_since {
                Some(_) => ", trying again".to_owned(),
                // A server that nobody waits for is tried when somebody needs it.
                None if is_live && *retry_at > now => {
                    format!(", next try {}", time::relative(*retry_at, now))
                }
                None => String::new(),
            };
            (Hue::Red, aged("could not be reached", *tried_at) + &next)
        }
        Health::Unusable { tried_at, .. } => (Hue::Red, aged("could not be used", *tried_at)),
        Health::Unknown { missed: Some(missed) } => (Hue::Dim, aged("could not be reached", Some(missed.at))),
        Health::Unknown { missed: None } if server.heard_at.is_none() => {
            (Hue::Dim, "not tried yet".to_owned())
        }
        Health::Unknown { .. } | Health::Ok { .. } => {
            // How long ago exactly is not known of one that answers all the time.
            match server.heard_at.filter(|at| now.ms_since(*at) <= FRESH_MS) {
                Some(_) => (Hue::Green, "answers".to_owned()),
                None => (Hue::Dim, aged("answered", server.heard_at)),
            }
        }
    }
}

/// Since when a server is being connected to.
fn connecting(since: Timestamp, now: Timestamp) -> String {
    match u64::try_from(now.ms_since(since)) {
        Ok(ms @ 1_000..) => format!("connecting for {}", time::span(ms)),
        _ => "connecting".to_owned(),
    }
}

/// The server list.
pub(crate) fn table(servers: &[ServerView], console: &Console) -> String {
    if servers.is_empty() {
        return "There are no servers yet. `signalbox server add --help` shows how to add one.\n".to_owned();
    }
    let mut table = Table::new(["ID", "NAME", "HEALTH", "WIRE", "LIVE TASKS", "PLACE"]);
    for server in servers {
        table.row([
            (Hue::Plain, server.id.to_string()),
            (Hue::Plain, sanitise::line(&server.name)),
            health(server, console.now()),
            (Hue::Plain, server.wire.as_ref().map(words).unwrap_or_default()),
            (Hue::Plain, server.tasks.live().to_string()),
            (Hue::Plain, format!("{}{}", plain(server), sanitise::line(&server.place))),
        ]);
    }
    let mut text = table.render(console.width(), console.paint());
    for server in servers {
        if let Some(left) = left_out(server) {
            text.push_str(&format!("{}: {left}.\n", sanitise::line(&server.name)));
        }
    }
    text
}

/// What is said of a server that asks more than is taken.
pub(crate) fn left_out(server: &ServerView) -> Option<String> {
    let n = server.left_out?;
    let questions = if n == 1 { "1 question is".to_owned() } else { format!("{n} questions are") };
    Some(format!("{questions} not shown: more than Signalbox takes at a time from one task or one server"))
}

/// Its variables that are no secrets, as a shell would have them before the command.
fn plain(server: &ServerView) -> String {
    let Transport::Stdio { env, .. } = &server.transport else { return String::new() };
    let shown = |(name, value): &(String, Secret)| match value {
        Secret::Plain { value } => Some(sanitise::line(&format!("{name}={value:?} "))),
        Secret::Env { .. } | Secret::File { .. } | Secret::Keychain { .. } => None,
    };
    env.iter().filter_map(shown).collect()
}

/// One server in one line.
pub(crate) fn line(server: &ServerView) -> String {
    format!("{}  {}  {}\n", server.id, sanitise::line(&server.name), sanitise::line(&server.place))
}

/// A server after an edit, with the names of what it is given.
pub(crate) fn edited(server: &ServerView) -> String {
    let (what, names) = named(&server.transport);
    let names = if names.is_empty() { "none".to_owned() } else { names };
    format!("{}  {what}: {}\n", line(server), sanitise::line(&names))
}

/// What a server lost when it was moved: with the kind of its transport, or with its host.
pub(crate) fn lost(before: &ServerView, after: &ServerView) -> Vec<String> {
    let mut lost = Vec::from_iter(given_no_more(&before.transport, &after.transport));
    if before.access.sign_in != SignIn::default() && after.access.sign_in == SignIn::default() {
        let name = sanitise::line(&after.name);
        lost.push(match after.transport {
            Transport::Http { .. } => format!(
                "How to sign in at \"{name}\" was said for the old host, and is forgotten: its client and scopes, unless you \
                 gave them now"
            ),
            Transport::Stdio { .. } => {
                format!("How to sign in at \"{name}\" is forgotten with its URL: its client and scopes")
            }
        });
    }
    lost
}

fn given_no_more(before: &Transport, after: &Transport) -> Option<String> {
    let names = sanitise::line(&named(before).1);
    if names.is_empty() {
        return None;
    }
    match (before, after) {
        (Transport::Http { url: before, .. }, Transport::Http { url: after, .. }) => {
            let said = format!(
                "What was sent to the old host as {names} is not sent to the new one, unless you gave it now"
            );
            (!have_same_origin(before, after)).then_some(said)
        }
        (Transport::Http { .. }, _) => Some(format!("Its headers are gone with its URL: {names}")),
        (_, Transport::Http { .. }) => Some(format!("Its variables are gone with its program: {names}")),
        _ => None,
    }
}

/// What it is given, by its names.
fn named(transport: &Transport) -> (&'static str, String) {
    let (what, values) = match transport {
        Transport::Http { headers, .. } => ("headers", headers),
        Transport::Stdio { env, .. } => ("variables", env),
    };
    let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    (what, names.join(", "))
}

/// What came out of a configuration, what would, and what cannot.
pub(crate) fn imported(
    servers: &[ServerView],
    planned: &[Candidate],
    skipped: &[NotImported],
    console: &Console,
) -> String {
    let mut text = if servers.is_empty() { String::new() } else { "Imported:\n".to_owned() };
    text.extend(servers.iter().map(|server| format!("  {}", line(server))));
    if servers.is_empty() && planned.is_empty() {
        text.push_str("No server was imported.\n");
    }
    if !planned.is_empty() {
        let mut table = Table::new(["NAME", "FROM", "PLACE"]);
        for server in planned.iter().map(Importable::from) {
            let place = server.origin.as_ref().or(server.command.as_ref());
            table.row([
                (Hue::Plain, sanitise::line(&server.name)),
                (Hue::Dim, sanitise::line(&server.from)),
                (Hue::Plain, place.map(|place| sanitise::line(place)).unwrap_or_default()),
            ]);
        }
        text.push_str(&table.render(console.width(), console.paint()));
        for server in planned {
            let given = given(&server.transport);
            if !given.is_empty() {
                text.push_str(&format!("\n{} is given:\n", sanitise::line(&server.name)));
                text.extend(given.iter().map(|line| format!("  {}\n", sanitise::line(line))));
            }
        }
    }
    if !skipped.is_empty() {
        text.push_str("\nNot imported:\n");
        for NotImported { name, from, why, .. } in skipped {
            let name = name.as_ref().map(|name| sanitise::line(name));
            let from = from.as_ref().map(|from| format!("({})", sanitise::line(from)));
            let what: Vec<String> = name.into_iter().chain(from).collect();
            let colon = if what.is_empty() { "" } else { ": " };
            text.push_str(&format!("  {}{colon}{}\n", what.join(" "), sanitise::line(why)));
        }
    }
    text
}

/// Exactly what is run for a server that is a program, with the variables that it is given: the values of those that are no
/// secrets, and where the others come from.
pub(crate) fn command(server: &ServerView) -> String {
    let Transport::Stdio { command, args, env, cwd } = &server.transport else { return String::new() };
    // Quoted, so that nobody has to guess where an argument ends or what hides in it.
    let mut lines = vec![format!("program      {command:?}")];
    lines.extend(args.iter().map(|arg| format!("argument     {arg:?}")));
    lines.push(match cwd {
        Some(cwd) => format!("directory    {cwd:?}"),
        None => "directory    your home directory".to_owned(),
    });
    lines.extend(env.iter().map(|(name, value)| {
        let value_is = match value {
            Secret::Plain { value } => format!(" = {value:?}"),
            Secret::Env { var } => format!(" from the variable {var:?}"),
            Secret::File { path } => format!(" from the file {path:?}"),
            Secret::Keychain { .. } => ", kept as a secret".to_owned(),
        };
        format!("environment  {name:?}{value_is}{}", caution(name))
    }));
    lines.join("\n")
}

/// What stands beside a variable that whoever confirms a command has to know.
fn caution(name: &str) -> &'static str {
    if changes_what_runs(name) { "  (it changes what the program loads or runs)" } else { "" }
}

/// What its program got before an update and gets no longer or not as it was, of each the first `most` names, and how one is
/// given back.
pub(crate) fn withheld(server: &ServerView, most: usize) -> Option<(String, String)> {
    let Withheld { names, more, changed } = server.withheld.as_ref()?;
    let listed = |names: &[String], more: usize| {
        let left = names.len().saturating_sub(most) + more;
        let names = names[..names.len().min(most)].join(", ");
        if left > 0 { format!("{names} and {left} more") } else { names }
    };
    let lost = (!names.is_empty()).then(|| {
        let more = usize::try_from(*more).unwrap_or(usize::MAX);
        format!("no longer gets {}", listed(names, more))
    });
    let cut = (!changed.is_empty())
        .then(|| format!("gets {} without the user name and the password in it", listed(changed, 0)));
    let said: Vec<String> = lost.into_iter().chain(cut).collect();
    let edit = ["server", "edit", &server.name, "--env-pass", names.first().or(changed.first())?];
    let edit = command_line("signalbox", &edit.map(str::to_owned));
    Some((format!("This program {}", said.join("; it ")), format!("`{edit}` gives one back")))
}

/// What was understood of a paste: each word apart, and no value of a variable or header that may be secret.
pub(crate) fn understood(name: &str, PastedServer { transport, notes, .. }: &PastedServer) -> String {
    let mut lines = vec![format!("name         {name:?}")];
    let kind = match transport {
        NewTransport::Http { url, .. } => {
            lines.push(format!("address      {url:?}"));
            "header     "
        }
        NewTransport::Stdio { command, args, cwd, .. } => {
            lines.push(format!("program      {command:?}"));
            lines.extend(args.iter().map(|arg| format!("argument     {arg:?}")));
            lines.extend(cwd.iter().map(|cwd| format!("directory    {cwd:?}")));
            "environment"
        }
    };
    lines.extend(given(transport).iter().map(|given| format!("{kind}  {given}")));
    lines.extend(notes.iter().map(|note| format!("note         {}", sanitise::line(note))));
    lines.join("\n")
}

/// The headers or variables that a server would be given: the values of those that are no secrets, and where the others come
/// from.
fn given(transport: &NewTransport) -> Vec<String> {
    let source = |value: &NewSecret| match value {
        NewSecret::Reference { secret: Secret::Env { var } } => format!(", from the variable {var:?}"),
        NewSecret::Reference { secret: Secret::File { path } } => format!(", from the file {path:?}"),
        NewSecret::Plain { value, .. } | NewSecret::Reference { secret: Secret::Plain { value } } => {
            format!(" = {value:?}")
        }
        NewSecret::Literal { .. } | NewSecret::Reference { secret: Secret::Keychain { .. } } => {
            ", to be kept as a secret".to_owned()
        }
    };
    let (values, is_program) = match transport {
        NewTransport::Http { headers, .. } => (headers, false),
        NewTransport::Stdio { env, .. } => (env, true),
    };
    let line = |(name, value): &(String, NewSecret)| {
        format!("{name:?}{}{}", source(value), if is_program { caution(name) } else { "" })
    };
    values.iter().map(line).collect()
}

/// What a check found.
pub(crate) fn check(check: &ServerCheck, console: &Console) -> String {
    let server = &check.server;
    let (hue, word) = health(server, console.now());
    // What stands in the way is said as the command's failure.
    let why = match &server.health {
        Health::Unknown { missed: Some(missed) } => Some(sanitise::line(&said(&missed.note))),
        _ => None,
    };
    let answered = check.tools.is_some();
    let mut text = format!("{}  {}\n", sanitise::line(&server.name), console.paint().on(hue, &word));
    text.push_str(&facts([
        ("place", Some(sanitise::line(&server.place))),
        ("because", why),
        ("took", round_trip(&server.health)),
        ("wire", server.wire.as_ref().map(words)),
        ("protocol", server.protocol_version.as_deref().map(sanitise::line)),
        (
            "calls itself",
            server
                .peer
                .as_ref()
                .map(|p| format!("{} {}", sanitise::line(&p.name), sanitise::line(&p.version))),
        ),
        ("tasks", answered.then(|| if server.supports_tasks { "yes" } else { "no" }.to_owned())),
        ("clock", clock(&server.health)),
        ("roots", (!server.roots.is_empty()).then(|| sanitise::line(&server.roots.join(" ")))),
        ("push", server.push.as_ref().map(words)),
        ("signed in", server.signed_in.as_ref().map(|who| format!("at {}", sanitise::line(&who.issuer)))),
        ("questions", left_out(server)),
        ("tools", check.tools.map(|tools| tools.to_string())),
        ("capabilities", server.capabilities.as_ref().map(|json| sanitise::line(json.text()))),
    ]));
    if let Some((message, advice)) = withheld(server, usize::MAX) {
        text.push_str(&format!("{}.\n{}\n", sanitise::line(&message), sanitise::line(&advice)));
    }
    text
}

/// Why it cannot be reached, behind words that say so.
pub(crate) fn why(note: &Note) -> String {
    match &note.reason {
        Reason::Unreachable { said } | Reason::HostNotFound { said } if note.then.is_none() => {
            said.to_string()
        }
        _ => said(note),
    }
}

/// How long it took to say what it is.
fn round_trip(health: &Health) -> Option<String> {
    let Health::Ok { latency_ms, .. } = health else { return None };
    Some(time::took((*latency_ms).into()))
}

/// What the server's clock shows beside ours, where that can be told.
fn clock(health: &Health) -> Option<String> {
    let Health::Ok { clock_ahead_ms: Some(ahead), .. } = health else { return None };
    Some(match time::apart(ahead.unsigned_abs()) {
        None => "same as ours".to_owned(),
        Some(seconds) if *ahead > 0 => format!("{seconds} s ahead of ours"),
        Some(seconds) => format!("{seconds} s behind ours"),
    })
}

/// The tools of a server.
pub(crate) fn tools(tools: &[ToolView], console: &Console) -> String {
    if tools.is_empty() {
        return "This server offers no tools.\n".to_owned();
    }
    let mut table = Table::new(["  TOOL", "ARGUMENTS", "WHAT IT DOES"]);
    for tool in tools {
        let about = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default();
        let caution = if tool.destructive { "(may destroy) " } else { "" };
        table.row([
            (Hue::Plain, sanitise::first(&tool.name)),
            (Hue::Dim, arguments(tool)),
            (Hue::Plain, format!("{caution}{}", sanitise::line(about))),
        ]);
    }
    table.render(console.width(), console.paint())
}

/// `service, region?`: optional ones with a question mark.
fn arguments(tool: &ToolView) -> String {
    if tool.form.fallback.is_some() {
        return "JSON".to_owned();
    }
    let name = |field: &signalbox_forms::Field| {
        format!("{}{}", sanitise::line(&field.name), if field.required { "" } else { "?" })
    };
    let names: Vec<_> = tool.form.fields.iter().map(name).collect();
    super::table::cut(&names.join(", "), 40)
}
