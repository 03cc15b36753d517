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
    // On this machine that is how things are, and no cause for alarm.
    let here = is_loopback(&host);
    if url.scheme() != "https" && !here {
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
        Host::Ipv4(_) | Host::Ipv6(_) if here => {}
        Host::Ipv4(_) | Host::Ipv6(_) => warnings.push(UrlWarning::IpAddress),
    }
    // What a person reads is the text as received: characters there may look like others.
    let authority = text.split_once("://").map_or("", |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    if !authority.is_ascii() {
        warnings.push(UrlWarning::MixedScript);
    }
    if url.port().is_some() && !here {
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

/// Whether it is this machine, for whoever opens the page.
fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
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
            ("https://203.0.113.7/", &[IpAddress], "203.0.113.7"),
            ("https://[2001:db8::1]:8443/x", &[IpAddress, OddPort], "[2001:db8::1]"),
            ("javascript:alert(1)", &[Malformed], ""),
            ("not a url", &[Malformed], ""),
        ];
        for (text, warnings, host) in cases {
            let view = taken_apart(text);
            assert_eq!((view.warnings.as_slice(), view.host.as_str()), (warnings, host), "{text}");
            assert_eq!(view.full, text, "the text as received must stay");
        }
    }

    #[test]
    fn this_machine_is_no_cause_for_alarm() {
        for here in [
            "http://127.0.0.1:3000/",
            "http://[::1]:81/x",
            "http://localhost:8080/",
            "http://app.localhost./",
        ] {
            assert_eq!(taken_apart(here).warnings, [], "{here}");
        }
        let hides = taken_apart("http://bank.com@localhost/").warnings;
        assert_eq!(hides, [UrlWarning::UserInfo], "what hides the host does so here too");
        let near = taken_apart("http://localhost.example/").warnings;
        assert_eq!(near, [UrlWarning::NotHttps], "a name that only begins like it");
    }
}
