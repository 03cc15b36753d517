//! Hosts, by their spelling alone: nothing is looked up.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a host is this machine: an address of its loopback, `localhost`, or a name below that. The host is spelled as a
/// URL that was parsed has it: an IPv6 address in brackets, an IPv4 address with its four numbers.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        // An IPv4 address that is written as one of IPv6 leads to the same place.
        return address.parse().is_ok_and(|address: Ipv6Addr| address.to_canonical().is_loopback());
    }
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return address.is_loopback();
    }
    let name = bare_host(host);
    let top = name.rsplit('.').next().unwrap_or(name);
    top.eq_ignore_ascii_case("localhost")
}

/// A host without the dot that may end it: with the dot and without it leads to the same place.
#[must_use]
pub fn bare_host(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_by_its_spelling() {
        for here in [
            "localhost",
            "localhost.",
            "LOCALHOST",
            "a.localhost",
            "a.b.localhost.",
            "127.0.0.1",
            "127.1.2.3",
            "127.255.255.255",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
        ] {
            assert!(is_loopback(here), "{here}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_another_machine() {
        for elsewhere in [
            "",
            ".",
            "localhost.example",
            "127.0.0.1.example",
            "notlocalhost",
            "localhost..",
            "local\u{445}ost",
            "126.255.255.255",
            "128.0.0.1",
            "0.0.0.0",
            "10.0.0.1",
            "127.0.0.1.",
            "[::]",
            "[::2]",
            "[::127.0.0.1]",
            "[::ffff:10.0.0.1]",
            "[fe80::1]",
            "::1",
        ] {
            assert!(!is_loopback(elsewhere), "{elsewhere}");
        }
    }
}
