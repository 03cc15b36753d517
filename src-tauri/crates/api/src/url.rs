//! URLs: for a careful look, taken apart, with what to be wary of; and side by side. Never fetched.

use url::{Host, Url};

use crate::{UrlView, UrlWarning};

/// Whether what was given for one address may go to the other: scheme, host and port are the same.
#[must_use]
pub fn have_same_origin(one: &str, other: &str) -> bool {
    let origin = |url: &str| Url::parse(url).ok().map(|url| url.origin());
    origin(one).is_some_and(|one| one.is_tuple() && Some(one) == origin(other))
}

/// The URL as received, its host set apart, and warnings.
pub(crate) fn taken_apart(text: &str) -> UrlView {
    let malformed = || UrlView {
        full: text.to_owned(),
        before: text.to_owned(),
        host: String::new(),
        after: String::new(),
        warnings: vec![UrlWarning::Malformed],
    };
    let Ok(url) = Url::parse(text) else { return malformed() };
    let Some(host) = url.host() else { return malformed() };
    let mut warnings = Vec::new();
    if url.scheme() != "https" {
        warnings.push(UrlWarning::NotHttps);
    }
    if !url.username().is_empty() || url.password().is_some() {
        warnings.push(UrlWarning::UserInfo);
    }
    match &host {
        Host::Domain(name) => {
            if name.split('.').any(|label| label.starts_with("xn--")) {
                warnings.push(UrlWarning::Punycode);
            }
        }
        Host::Ipv4(_) | Host::Ipv6(_) => warnings.push(UrlWarning::IpAddress),
    }
    // What a person reads is the text as received: characters there may look like others.
    let authority = text.split_once("://").map_or("", |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    if !authority.is_ascii() {
        warnings.push(UrlWarning::MixedScript);
    }
    if url.port().is_some() {
        warnings.push(UrlWarning::OddPort);
    }
    // The host is shown as a browser would go to it, not as it is written.
    let shown = host.to_string();
    let normal = url.as_str();
    let before_len = normal.find("://").map_or(0, |at| at + 3);
    let credentials = normal[before_len..]
        .split(['/', '?', '#'])
        .next()
        .unwrap_or_default()
        .rfind('@')
        .map_or(0, |at| at + 1);
    let start = before_len + credentials;
    let end = (start + shown.len()).min(normal.len());
    UrlView {
        full: text.to_owned(),
        before: normal[..start].to_owned(),
        host: shown,
        after: normal[end..].to_owned(),
        warnings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_stands_apart() {
        let view = taken_apart("https://signing.example.com/a?b=1#c");
        assert_eq!(
            (view.before.as_str(), view.host.as_str(), view.after.as_str()),
            ("https://", "signing.example.com", "/a?b=1#c")
        );
        assert_eq!(view.warnings, []);
    }

    #[test]
    fn tricks_are_named() {
        use UrlWarning::{IpAddress, Malformed, MixedScript, NotHttps, OddPort, Punycode, UserInfo};
        let cases: [(&str, &[UrlWarning], &str); 9] = [
            ("http://example.com/", &[NotHttps], "example.com"),
            ("https://bank.com@evil.example/", &[UserInfo], "evil.example"),
            ("https://user:pw@evil.example/", &[UserInfo], "evil.example"),
            ("https://xn--pypal-4ve.com/", &[Punycode], "xn--pypal-4ve.com"),
            ("https://p\u{430}ypal.com/", &[Punycode, MixedScript], "xn--pypal-4ve.com"),
            ("https://127.0.0.1/", &[IpAddress], "127.0.0.1"),
            ("https://[::1]:8443/x", &[IpAddress, OddPort], "[::1]"),
            ("javascript:alert(1)", &[Malformed], ""),
            ("not a url", &[Malformed], ""),
        ];
        for (text, warnings, host) in cases {
            let view = taken_apart(text);
            assert_eq!((view.warnings.as_slice(), view.host.as_str()), (warnings, host), "{text}");
            assert_eq!(view.full, text, "the text as received must stay");
        }
    }
}
