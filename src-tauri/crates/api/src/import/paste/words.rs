//! What words of a command line name: an address, a program with its variables, a value.

use std::path::Path;

use signalbox_model::Secret;

use super::{PastedServer, Unclear, name};
use crate::{
    NewSecret, NewTransport,
    import::{Surroundings, entry},
};

/// The most words that one note is made of.
const MOST_NOTED: usize = 5;

/// The server behind an address; none when it is no address.
pub(super) fn address(word: &str) -> Result<Option<PastedServer>, Unclear> {
    let whole = unschemed(word);
    let is_guess = whole.is_some();
    let text = whole.unwrap_or_else(|| word.to_owned());
    // It would run in a browser, and is no program either.
    if text.to_ascii_lowercase().starts_with("javascript:") {
        return Err(Unclear::Scheme("javascript:".to_owned()));
    }
    let Some((scheme, _)) = text.split_once("://") else { return Ok(None) };
    if scheme.is_empty() || !scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    {
        return Ok(None);
    }
    let Ok(url) = url::Url::parse(&text) else { return Ok(None) };
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Unclear::Scheme(format!("{}://", url.scheme())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Unclear::Credentials);
    }
    let notes = if is_guess {
        vec![format!("{word:?} has no http:// or https://: {url} is meant")]
    } else {
        Vec::new()
    };
    let transport = NewTransport::Http { url: url.to_string(), headers: Vec::new() };
    Ok(Some(PastedServer { name: name::of(&transport), transport, notes }))
}

/// `mcp.example.com/mcp` and `localhost:3000/mcp`, with what they leave out.
fn unschemed(word: &str) -> Option<String> {
    if word.contains("://") || word.starts_with(['.', '/', '~', '-', '@']) {
        return None;
    }
    let (host, _path) = word.split_once('/')?;
    let name = host.rsplit_once(':').map_or(host, |(name, _port)| name);
    let is_local = name == "localhost" || name == "127.0.0.1";
    let is_host =
        name.contains('.') && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    let scheme = if is_local { "http" } else { "https" };
    (is_local || is_host).then(|| format!("{scheme}://{word}"))
}

/// A program with its arguments, and the variables that stand before it.
pub(super) fn program(words: &[String], around: Surroundings<'_>) -> Result<PastedServer, Unclear> {
    let (mut words, mut cwd) = (words, None);
    if let [cd, folder, and, rest @ ..] = words
        && (cd.as_str(), and.as_str()) == ("cd", "&&")
    {
        (words, cwd) = (rest, Some(homed(folder, around)));
    }
    if let [env, next, ..] = words
        && env == "env"
        && assignment(next).is_some()
    {
        words = &words[1..];
    }
    let count = words.iter().take_while(|word| assignment(word).is_some()).count();
    let env = words[..count].iter().filter_map(|word| assignment(word)).map(|(name, text)| value(name, text));
    let env: Vec<(String, NewSecret)> = env.collect();
    let [command, args @ ..] = &words[count..] else { return Err(Unclear::NoProgram) };
    let transport = NewTransport::Stdio {
        command: homed(command, around),
        args: args.iter().map(|arg| homed(arg, around)).collect(),
        env,
        cwd,
    };
    Ok(PastedServer { name: name::of(&transport), notes: notes(&words[count..]), transport })
}

/// `NAME=value` as a shell knows it.
pub(super) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, text) = word.split_once('=')?;
    let is_start = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (is_start && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some((name, text))
}

/// A variable's value: a reference where it is one variable, and else what it says.
pub(super) fn value(name: &str, text: &str) -> (String, NewSecret) {
    let var = text
        .strip_prefix('$')
        .map(|rest| rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(rest));
    let is_name = |var: &&str| assignment(&format!("{var}=")).is_some();
    let value = match var.filter(is_name) {
        Some(var) => NewSecret::Reference { secret: Secret::Env { var: var.to_owned() } },
        None => entry::of_variable(name, text.to_owned()),
    };
    (name.to_owned(), value)
}

/// `~/x` is in the person's home directory.
fn homed(word: &str, around: Surroundings<'_>) -> String {
    match word.strip_prefix("~/") {
        Some(rest) => around.home.join(rest).to_string_lossy().into_owned(),
        None => word.to_owned(),
    }
}

/// What a shell would have done with these words, and nobody does here.
fn notes(words: &[String]) -> Vec<String> {
    // Whether it stood in quotes is not known any more: what has blanks did, and is an argument of its own.
    let is_shells = |word: &&String| {
        let is_address = word.contains("://");
        word.contains(['$', '`'])
            || !is_address && !word.contains(' ') && word.contains(['|', '&', ';', '<', '>'])
    };
    let odd: Vec<String> =
        words.iter().filter(is_shells).take(MOST_NOTED).map(|word| format!("{word:?}")).collect();
    let mut notes = Vec::new();
    if !odd.is_empty() {
        notes.push(format!("No shell runs this: the program is given {} as written", odd.join(", ")));
    }
    let command = words.first().map(String::as_str).unwrap_or_default();
    let path = Path::new(command);
    if !path.is_absolute() && !command.starts_with("~/") && path.components().count() > 1 {
        notes.push(format!("{command:?} begins in a folder that is not known here: give its whole path"));
    }
    notes
}
