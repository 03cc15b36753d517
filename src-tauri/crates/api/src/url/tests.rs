use super::*;

fn view(text: &str) -> UrlView {
    taken_apart(text, None)
}

#[test]
fn the_host_stands_apart() {
    let view = view("https://signing.example.com/a?b=1#c");
    assert_eq!(
        (view.before.as_str(), view.host.as_str(), view.after.as_str()),
        ("https://", "signing.example.com", "/a?b=1#c")
    );
    assert_eq!((view.web, view.reads, view.scripts), (true, None, Vec::<String>::new()));
    assert_eq!(view.warnings, []);
}

#[test]
fn tricks_are_named() {
    use UrlWarning::{
        IpAddress, Malformed, MixedScript, NotHttps, NotWeb, OddPort, Punycode, Respelled, UserInfo,
    };
    let cases: [(&str, &[UrlWarning], &str); 21] = [
        ("http://example.com/", &[NotHttps], "example.com"),
        ("https://bank.com@evil.example/", &[UserInfo], "evil.example"),
        ("https://localhost@evil.example", &[UserInfo], "evil.example"),
        ("https://user:pw@evil.example/", &[UserInfo], "evil.example"),
        ("https://xn--pypal-4ve.com/", &[Punycode, MixedScript], "xn--pypal-4ve.com"),
        ("https://p\u{430}ypal.com/", &[Punycode, MixedScript], "xn--pypal-4ve.com"),
        ("https://b\u{fc}cher.example/", &[Punycode], "xn--bcher-kva.example"),
        ("https://203.0.113.7/", &[IpAddress], "203.0.113.7"),
        ("https://[2001:db8::1]:8443/x", &[IpAddress, OddPort], "[2001:db8::1]"),
        ("https://0xcb.0.0x71.7/", &[IpAddress, Respelled], "203.0.113.7"),
        ("https://\u{ff45}vil.example/?evil.example", &[Respelled], "evil.example"),
        ("https://%65vil.example/", &[Respelled], "evil.example"),
        ("https:\\\\EVIL.example\\x", &[], "evil.example"),
        ("ssh://host:23/", &[NotWeb, OddPort], "host"),
        ("file://host/share", &[NotWeb], "host"),
        ("javascript:alert(1)", &[NotWeb], ""),
        ("data:text/html,<script>1</script>", &[NotWeb], ""),
        ("file:///etc/passwd", &[NotWeb], ""),
        ("https://evil.\u{202e}example/", &[Malformed], ""),
        ("https://xn--99999999.example/", &[Malformed], ""),
        ("not a url", &[Malformed], ""),
    ];
    for (text, warnings, host) in cases {
        let view = view(text);
        assert_eq!((view.warnings.as_slice(), view.host.as_str()), (warnings, host), "{text}");
        assert_eq!(view.full, text, "the text as received must stay");
        let opens = !warnings.contains(&NotWeb) && !warnings.contains(&Malformed);
        assert_eq!(view.web, opens, "{text}");
        assert_eq!(host_of(text).unwrap_or_default(), host, "{text}");
    }
}

#[test]
fn a_host_is_said_as_it_is_sent_and_as_it_reads_with_its_scripts() {
    let cases: [(&str, Option<&str>, &[&str]); 8] = [
        ("xn--pypal-4ve.com", Some("p\u{430}ypal.com"), &["Latin", "Cyrillic"]),
        ("xn--bcher-kva.example", Some("b\u{fc}cher.example"), &[]),
        ("xn--e1afmkfd.example", Some("\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}.example"), &["Cyrillic"]),
        ("xn--fsqu00a.example", Some("\u{4f8b}\u{5b50}.example"), &["Han"]),
        ("xn--5dbqzzl.example", Some("\u{5e2}\u{5d1}\u{5e8}\u{5d9}\u{5ea}.example"), &["Hebrew"]),
        ("signing-2.example.com", None, &[]),
        ("203.0.113.7", None, &[]),
        ("[2001:db8::1]", None, &[]),
    ];
    for (host, reads, scripts) in cases {
        let view = view(&format!("https://{host}/"));
        assert_eq!((view.host.as_str(), view.reads.as_deref()), (host, reads));
        assert_eq!(view.scripts, scripts, "{host}");
    }
}

#[test]
fn scripts_that_are_written_together_are_not_mixed() {
    for host in [
        "\u{65e5}\u{672c}\u{3054}\u{30ab}a.example",
        "\u{d55c}\u{6f22}a.example",
        "\u{43f}\u{440}.com",
        "a1-b",
    ] {
        assert!(!scripts::are_mixed(host), "{host}");
    }
    for host in ["p\u{430}y.com", "\u{3b1}\u{430}.example", "\u{d55c}\u{3054}.example"] {
        assert!(scripts::are_mixed(host), "{host}");
    }
}

#[test]
fn this_machine_is_no_cause_for_alarm() {
    for here in
        ["http://127.0.0.1:3000/", "http://[::1]:81/x", "http://localhost:8080/", "http://app.localhost./"]
    {
        let view = view(here);
        assert_eq!((view.warnings.as_slice(), view.loopback), ([].as_slice(), true), "{here}");
    }
    let hides = view("http://bank.com@localhost/").warnings;
    assert_eq!(hides, [UrlWarning::UserInfo], "what hides the host does so here too");
    let near = view("http://localhost.example/");
    assert_eq!(near.warnings, [UrlWarning::NotHttps], "a name that only begins like it");
    assert!(!near.loopback);
}

#[test]
fn another_host_than_the_servers_is_named() {
    let beside = |page: &str, server| taken_apart(page, Some(server)).server_host;
    assert_eq!(beside("https://a.example/", "https://b.example/mcp").as_deref(), Some("b.example"));
    assert_eq!(beside("https://a.example/", "https://sub.a.example/mcp").as_deref(), Some("sub.a.example"));
    assert_eq!(beside("https://a.example/", "https://a.example:8443/mcp"), None, "whatever the port");
    assert_eq!(beside("https://a.example./", "https://A.example/mcp"), None, "whatever the spelling");
    assert_eq!(beside("http://localhost/", "http://127.0.0.1:9/mcp"), None, "both are this machine");
    assert_eq!(beside("javascript:alert(1)", "https://b.example/mcp"), None, "what leads nowhere has none");
    assert_eq!(view("https://a.example/").server_host, None, "a program has no host");
}

#[test]
fn only_the_host_makes_it_the_same_host() {
    let page = "https://evil.example/a?n=1";
    for same in ["https://evil.example/a?n=2", "http://u@EVIL.example.:81/b#c", "https://%65vil.example"] {
        assert!(have_same_host(page, same), "{same}");
    }
    for other in ["https://evil.example.org/a?n=1", "https://www.evil.example/", "data:,x"] {
        assert!(!have_same_host(page, other), "{other}");
    }
    assert!(have_same_host("data:,x", "data:,y"), "what leads nowhere is alike");
}

#[test]
fn what_is_long_is_taken_apart_too() {
    let long = format!("https://a.example/{}", "x".repeat(64 * 1024));
    let view = view(&long);
    assert_eq!((view.host.as_str(), view.after.len()), ("a.example", long.len() - "https://a.example".len()));
}
