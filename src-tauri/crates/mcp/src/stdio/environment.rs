//! What a program is given of our own environment: what programs need to find their way on this machine, and nothing
//! that may have been set for somebody else. What its configuration gives it comes on top of that, and is not decided
//! here.
//!
//! What is kept back for other servers is read from the store before each start of a program. While it cannot be read
//! no program is started.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
};

/// What the official SDKs give every program.
const UNIX: [&str; 6] = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
/// The same on Windows, where names have no case.
const WINDOWS: [&str; 12] = [
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
];
/// Language, time, session, and who is trusted on the network.
const MORE: [&str; 8] = [
    "LANG",
    "TZ",
    "TMPDIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "SSH_AUTH_SOCK",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "NODE_EXTRA_CA_CERTS",
];
/// Families of names.
const FAMILIES: [&str; 3] = ["LC_", "XDG_", "SSL_CERT_"];
/// URLs, which may have a password in them.
const PROXIES: [&str; 3] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
/// No URL, but hosts.
const NO_PROXY: &str = "NO_PROXY";

/// What a program gets of variables of ours, with what is kept back from it: names that are meant for others. The
/// fixed list of the SDKs is given to every program whoever else names one of it: without a `PATH` hardly any starts,
/// and nobody keeps a secret there.
#[must_use]
pub fn inherited(
    ours: impl IntoIterator<Item = (OsString, OsString)>,
    kept_back: &BTreeSet<String>,
) -> Vec<(OsString, OsString)> {
    inherited_on(cfg!(windows), ours, kept_back)
}

fn inherited_on(
    windows: bool,
    ours: impl IntoIterator<Item = (OsString, OsString)>,
    kept_back: &BTreeSet<String>,
) -> Vec<(OsString, OsString)> {
    let cased = |name: &str| if windows { name.to_uppercase() } else { name.to_owned() };
    let kept_back: BTreeSet<String> = kept_back.iter().map(|name| cased(name)).collect();
    let passed = |(name, value): (OsString, OsString)| {
        let known = cased(name.to_str()?);
        let value = match kind(windows, &known)? {
            Kind::Always => value,
            _ if kept_back.contains(&known) => return None,
            Kind::AsItIs => value,
            Kind::Proxy => without_userinfo(value.to_str()?)?.into(),
        };
        (!is_function(&value)).then_some((name, value))
    };
    ours.into_iter().filter_map(passed).collect()
}

/// How a variable passes.
enum Kind {
    /// It passes, whatever other servers name it.
    Always,
    /// It passes, unless another server's configuration names it.
    AsItIs,
    /// The same, but without the name and password that a proxy's address may hold.
    Proxy,
}

/// How a variable of this name passes; none: it does not.
fn kind(windows: bool, name: &str) -> Option<Kind> {
    let fixed: &[&str] = if windows { &WINDOWS } else { &UNIX };
    // Programs know the names of proxies in capitals and in small letters, and mixed ones not at all.
    let capitals = name.to_uppercase();
    let is_proxy_name = name == capitals || name == name.to_lowercase();
    let is_no_proxy = is_proxy_name && capitals == NO_PROXY;
    let is_of_family = FAMILIES.iter().any(|family| name.starts_with(family));
    if fixed.contains(&name) {
        Some(Kind::Always)
    } else if is_proxy_name && PROXIES.contains(&capitals.as_str()) {
        Some(Kind::Proxy)
    } else {
        (MORE.contains(&name) || is_of_family || is_no_proxy).then_some(Kind::AsItIs)
    }
}

/// Whether the value of a variable is a shell function, which some shells run when they read it (Shellshock). None passes.
#[must_use]
pub fn is_function(value: &OsStr) -> bool {
    value.as_encoded_bytes().starts_with(b"()")
}

/// A proxy without who we are to it. None where what is left could still be that.
fn without_userinfo(url: &str) -> Option<String> {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), url),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    // A password with a slash in it ends the authority too early.
    let left = format!("{scheme}{host}{path}");
    (!left.contains('@')).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(windows: bool, name: &str, value: &str, kept_back: &[&str]) -> Option<String> {
        let kept_back = kept_back.iter().map(|&name| name.to_owned()).collect();
        let given = inherited_on(windows, [(name.into(), value.into())], &kept_back);
        given.into_iter().next().map(|(given, value)| {
            assert_eq!(given, name, "a name is given as it is");
            value.into_string().expect("the table is text")
        })
    }

    #[test]
    fn what_passes() {
        let as_it_is = [
            "HOME",
            "LOGNAME",
            "PATH",
            "SHELL",
            "TERM",
            "USER",
            "LANG",
            "LC_ALL",
            "LC_TIME",
            "TZ",
            "TMPDIR",
            "XDG_RUNTIME_DIR",
            "XDG_DATA_HOME",
            "DBUS_SESSION_BUS_ADDRESS",
            "SSH_AUTH_SOCK",
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "NODE_EXTRA_CA_CERTS",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "NO_PROXY",
            "http_proxy",
            "https_proxy",
            "all_proxy",
            "no_proxy",
        ];
        for name in as_it_is {
            assert_eq!(one(false, name, "some value", &[]).as_deref(), Some("some value"), "{name}");
            assert_eq!(one(false, name, "() { :; }; rm x", &[]), None, "{name}: no function passes");
        }
        let none = [
            "SECRET_OF_OTHER",
            "AWS_SECRET_ACCESS_KEY",
            "GITHUB_TOKEN",
            "CREDENTIALS_DIRECTORY",
            "SIGNALBOX_HOME",
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "NODE_OPTIONS",
            "NODE_PATH",
            "PYTHONPATH",
            "VIRTUAL_ENV",
            "MY_HOME",
            "HOMEDRIVE",
            "PATHEXT",
            "home",
            "Path",
            "lang",
            "LC",
            "XDG",
            "Http_Proxy",
            "FTP_PROXY",
            "HTTP_PROXY_PASSWORD",
            "BASH_FUNC_x%%",
            "",
        ];
        for name in none {
            assert_eq!(one(false, name, "some value", &[]), None, "{name}");
        }
    }

    #[test]
    fn what_passes_where_names_have_no_case() {
        for name in ["SystemRoot", "Path", "PATHEXT", "appdata", "UserProfile", "TEMP", "Http_Proxy", "Tz"] {
            assert_eq!(one(true, name, "x", &[]).as_deref(), Some("x"), "{name}");
        }
        for name in ["HOME", "SHELL", "Secret"] {
            assert_eq!(one(true, name, "x", &[]), None, "{name}");
        }
        assert_eq!(one(true, "Lc_Token", "x", &["LC_TOKEN"]), None);
        assert_eq!(one(true, "LC_TOKEN", "x", &["Lc_Token"]), None);
    }

    #[test]
    fn what_is_meant_for_another_does_not_pass() {
        for name in ["LC_TOKEN", "XDG_TOKEN", "TZ", "SSH_AUTH_SOCK", "HTTPS_PROXY", "no_proxy", "SSL_CERT_X"]
        {
            assert_eq!(one(false, name, "x", &[name]), None, "{name}");
            assert_eq!(one(false, name, "x", &["OTHER"]).as_deref(), Some("x"), "{name}");
        }
        assert_eq!(
            one(false, "https_proxy", "x", &["HTTPS_PROXY"]).as_deref(),
            Some("x"),
            "another variable"
        );
        for name in UNIX {
            assert_eq!(one(false, name, "x", &[name]).as_deref(), Some("x"), "{name}: nothing runs without");
        }
    }

    #[test]
    fn a_proxy_passes_without_who_we_are_to_it() {
        let cases = [
            ("http://proxy.example:3128", Some("http://proxy.example:3128")),
            ("http://me:hunter2@proxy.example:3128/", Some("http://proxy.example:3128/")),
            ("http://me@proxy.example", Some("http://proxy.example")),
            ("socks5h://me:p%40ss@[::1]:1080", Some("socks5h://[::1]:1080")),
            ("me:hunter2@proxy.example:3128", Some("proxy.example:3128")),
            ("http://me:hun@ter2@proxy.example", Some("http://proxy.example")),
            ("http://me:hun/ter2@proxy.example", None),
            ("http://me:hun?ter2@proxy.example", None),
            ("http://me:hun#ter2@proxy.example", None),
            ("http://me://hunter2@proxy.example", None),
            ("proxy.example:3128", Some("proxy.example:3128")),
            ("", Some("")),
        ];
        for (value, given) in cases {
            for name in ["HTTP_PROXY", "https_proxy", "ALL_PROXY"] {
                assert_eq!(one(false, name, value, &[]).as_deref(), given, "{name}={value}");
            }
        }
        assert_eq!(one(false, "NO_PROXY", "a@b,c", &[]).as_deref(), Some("a@b,c"), "hosts are no URL");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_text_passes_where_nothing_is_read_in_it() {
        use std::os::unix::ffi::OsStringExt as _;
        let odd = || OsString::from_vec(vec![b'/', 0xff]);
        let ours = [("HOME".into(), odd()), ("HTTP_PROXY".into(), odd()), (odd(), "x".into())];
        assert_eq!(inherited_on(false, ours, &BTreeSet::new()), [("HOME".into(), odd())]);
    }
}
