//! The page that a question names (URL mode): what is known of its address, what to be wary of, and what became of it.

use signalbox_api::{RequestDetail, RequestRow, UrlView, UrlWarning};
use signalbox_model::{Action, Timestamp};

use super::{sanitise, time};

/// So often a call may ask for a page at one host before whoever agrees once more has to say so twice.
const OFTEN: usize = 2;
/// So many of the times before are told.
const TOLD: usize = 3;

/// Whether Signalbox opens it: a web address.
pub(crate) fn opens(detail: &RequestDetail) -> bool {
    detail.url.as_ref().is_some_and(|url| url.web)
}

/// All that is known of its address, a line for each.
pub(crate) fn facts(detail: &RequestDetail) -> Vec<String> {
    let Some(url) = &detail.url else { return Vec::new() };
    let mut said = Vec::new();
    if !url.host.is_empty() {
        said.push(format!("its host is {}", host(url)));
    }
    if !url.scripts.is_empty() {
        said.push(format!("the letters of its host are {}", sanitise::line(&url.scripts.join(", "))));
    }
    if url.loopback {
        said.push("it is on this machine".to_owned());
    }
    if let Some(server) = &url.server_host {
        said.push(format!("its host is not the server's, which is {}", sanitise::line(server)));
    }
    let wary = url.warnings.iter().map(|wary| warning(*wary).to_owned()).chain(asked_again(detail));
    said.extend(wary.map(|wary| format!("beware: {wary}")));
    said
}

/// Its host as it is sent, and as it reads.
pub(crate) fn host(url: &UrlView) -> String {
    let reads = url.reads.as_ref().map(|reads| format!(", which reads {}", sanitise::line(reads)));
    format!("{}{}", sanitise::line(&url.host), reads.unwrap_or_default())
}

/// The host that was agreed to. None where nothing was.
pub(crate) fn agreed_to(detail: &RequestDetail) -> Option<String> {
    let url = detail.url.as_ref().filter(|url| !url.host.is_empty() && accepted(&detail.row))?;
    Some(host(url))
}

/// What became of its page: whether it was opened, and when.
pub(crate) fn opened(detail: &RequestDetail, now: Timestamp) -> Option<String> {
    let unopened =
        || (detail.url.is_some() && accepted(&detail.row)).then(|| "was not opened by Signalbox".to_owned());
    visit(&detail.row).map(|(how, at)| format!("{how} {}", time::both(at, now))).or_else(unopened)
}

fn accepted(row: &RequestRow) -> bool {
    row.answer.as_ref().is_some_and(|answer| answer.action == Action::Accept)
}

/// What is known of its page, and since when: after a crash nobody can tell whether the browser came up.
pub(crate) fn visit(row: &RequestRow) -> Option<(&'static str, Timestamp)> {
    let may_be = row.visiting_at.map(|at| ("may have been opened", at));
    may_be.or(row.visited_at.map(|at| ("was opened", at)))
}

/// That its task asks for a page at that host again. None the first time.
fn asked_again(detail: &RequestDetail) -> Option<String> {
    let before = &detail.asked_before;
    let times: Vec<String> = before.iter().rev().take(TOLD).rev().map(ToString::to_string).collect();
    (!before.is_empty()).then(|| {
        let n = before.len() + 1;
        format!("this task has asked for a page at this host {n} times; before at {}", times.join(", "))
    })
}

/// The same where that was so often that agreeing once more is worth a second thought.
pub(crate) fn asked_too_often(detail: &RequestDetail) -> Option<String> {
    asked_again(detail).filter(|_| detail.asked_before.len() >= OFTEN)
}

/// What to be wary of, in words.
fn warning(warning: UrlWarning) -> &'static str {
    match warning {
        UrlWarning::Malformed => "it is not a URL that a browser understands",
        UrlWarning::NotWeb => "it is no web address (http or https), and Signalbox does not open it",
        UrlWarning::NotHttps => "the connection would not be encrypted",
        UrlWarning::UserInfo => "a user name stands before the host and can hide the real host",
        UrlWarning::Punycode => "its host has letters beyond ASCII and may imitate another host",
        UrlWarning::MixedScript => "its host mixes letters of several scripts in one name",
        UrlWarning::IpAddress => "its host is an IP address, not a name",
        UrlWarning::Respelled => "its host is sent in another spelling than this one",
        UrlWarning::OddPort => "it names another port than the usual one",
    }
}
