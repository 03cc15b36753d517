//! URLs: for a careful look, taken apart, with what their spelling alone tells; and side by side. Nothing is fetched, and no
//! name looked up.

mod scripts;

use signalbox_model::{bare_host, is_loopback};
use url::{Host, Position, Url};

use crate::{UrlView, UrlWarning};

/// What labels of a host begin with that are written in punycode.
const PUNYCODE: &str = "xn--";

/// Whether what was given for one address may go to the other: scheme, host and port are the same.
#[must_use]
pub fn have_same_origin(one: &str, other: &str) -> bool {
    let origin = |url: &str| Url::parse(url).ok().map(|url| url.origin());
    origin(one).is_some_and(|one| one.is_tuple() && Some(one) == origin(other))
}

/// The host that a URL leads to, as it is sent.
pub(crate) fn host_of(text: &str) -> Option<String> {
    host(&Url::parse(text).ok()?).map(str::to_owned)
}

/// Whether two URLs lead to the same host, whatever else differs. Those that lead to none are alike.
pub(crate) fn have_same_host(one: &str, other: &str) -> bool {
    let led = |url| host_of(url).map(|host| bare_host(&host).to_owned());
    led(one) == led(other)
}

/// The URL as received, its host set apart, and what is known of that beside the URL of the `server` that names it.
pub(crate) fn taken_apart(text: &str, server: Option<&str>) -> UrlView {
    let whole = |warning| UrlView {
        full: text.to_owned(),
        before: text.to_owned(),
        warnings: vec![warning],
        ..UrlView::default()
    };
    let Ok(url) = Url::parse(text) else { return whole(UrlWarning::Malformed) };
    let Some(host) = host(&url) else { return whole(UrlWarning::NotWeb) };
    let reads = reads(host);
    let spelled = reads.as_deref().unwrap_or(host);
    UrlView {
        full: text.to_owned(),
        // The host is shown as a browser would go to it, not as it is written.
        before: url[..Position::BeforeHost].to_owned(),
        host: host.to_owned(),
        after: url[Position::AfterHost..].to_owned(),
        web: is_web(&url),
        scripts: scripts::named(spelled),
        loopback: is_loopback(host),
        server_host: server.and_then(|server| another(host, server)),
        warnings: warnings(text, &url, host, spelled),
        reads,
    }
}

fn warnings(text: &str, url: &Url, host: &str, spelled: &str) -> Vec<UrlWarning> {
    // On this machine some things are as they are, and no cause for alarm.
    let away = !is_loopback(host);
    let is_address = matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)));
    let has_punycode = host.split('.').any(|label| label.starts_with(PUNYCODE));
    let all = [
        (UrlWarning::NotWeb, !is_web(url)),
        (UrlWarning::NotHttps, url.scheme() == "http" && away),
        (UrlWarning::UserInfo, !url.username().is_empty() || url.password().is_some()),
        (UrlWarning::Punycode, has_punycode),
        (UrlWarning::MixedScript, scripts::are_mixed(spelled)),
        (UrlWarning::IpAddress, is_address && away),
        (UrlWarning::Respelled, !has_punycode && !is_written(text, host)),
        (UrlWarning::OddPort, url.port().is_some() && away),
    ];
    all.into_iter().filter_map(|(warning, holds)| holds.then_some(warning)).collect()
}

/// Of other schemes the engine opens none either.
fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

fn host(url: &Url) -> Option<&str> {
    url.host_str().filter(|host| !host.is_empty())
}

/// How a host reads, where that differs from how it is sent.
fn reads(host: &str) -> Option<String> {
    let (reads, sound) = idna::domain_to_unicode(host);
    (sound.is_ok() && reads != host).then_some(reads)
}

/// The host of a server, where it is another one.
fn another(host: &str, server: &str) -> Option<String> {
    let server = host_of(server)?;
    let same = bare_host(&server) == bare_host(host) || (is_loopback(&server) && is_loopback(host));
    (!same).then_some(server)
}

/// Whether the host stands in the text as it is sent, in capitals or not.
fn is_written(text: &str, host: &str) -> bool {
    // As browsers read it: without line ends, and with any slashes.
    let text = text.replace(['\t', '\n', '\r'], "");
    let behind = text.split_once(':').map_or("", |(_, behind)| behind).trim_start_matches(['/', '\\']);
    let authority = behind.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let written = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    written.get(..host.len()).is_some_and(|written| written.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests;
