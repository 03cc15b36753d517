//! A name that a server's address suggests. The person may say another.

use url::Host;

use crate::NewTransport;

/// Parts of names that say nothing of what a server is for.
const EMPTY_WORDS: [&str; 7] = ["mcp", "server", "modelcontextprotocol", "www", "api", "servers", "latest"];
/// Programs that start others: the name is that of what they start.
const STARTERS: [&str; 16] = [
    "npx", "bunx", "uvx", "pipx", "uv", "npm", "pnpm", "yarn", "dlx", "exec", "run", "node", "python",
    "python3", "deno", "docker",
];

/// The name, or nothing.
pub(super) fn of(transport: &NewTransport) -> String {
    match transport {
        NewTransport::Http { url, .. } => of_url(url),
        NewTransport::Stdio { command, args, .. } => of_words(command, args),
    }
}

fn of_url(url: &str) -> String {
    match url::Url::parse(url).as_ref().map(url::Url::host) {
        Ok(Some(Host::Domain(domain))) => {
            let labels: Vec<&str> = domain.split('.').collect();
            let telling = &labels[..labels.len().saturating_sub(1).max(1)];
            let name = telling.iter().find(|label| !EMPTY_WORDS.contains(label));
            name.map(|name| (*name).to_owned()).unwrap_or_default()
        }
        Ok(Some(Host::Ipv4(ip))) => ip.to_string(),
        _ => String::new(),
    }
}

fn of_words(command: &str, args: &[String]) -> String {
    let words = [command].into_iter().chain(args.iter().map(String::as_str));
    let telling = words.filter(|word| !word.starts_with('-')).map(stem);
    telling
        .filter(|word| !STARTERS.contains(&word.as_str()))
        .map(|word| plain(&word))
        .next()
        .unwrap_or_default()
}

/// The last part of a path or package, without version and ending.
fn stem(word: &str) -> String {
    let last = word.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    let last = last.split(['@', ':']).find(|part| !part.is_empty()).unwrap_or_default();
    let endings = [".js", ".mjs", ".ts", ".py", ".exe", ".cmd", ".jar"];
    endings.iter().find_map(|ending| last.strip_suffix(ending)).unwrap_or(last).to_lowercase()
}

/// `mcp-server-git` is `git`.
fn plain(word: &str) -> String {
    let parts = word.split(['-', '_']).filter(|part| !part.is_empty() && !EMPTY_WORDS.contains(part));
    let name = parts.collect::<Vec<_>>().join("-");
    let name = if name.is_empty() { word } else { &name };
    let is_sound = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if is_sound { name.chars().take(40).collect() } else { String::new() }
}
