//! Links of ours: `signalbox://open/t12`, `signalbox://open/r7`, `signalbox://open/tasks`, `signalbox://open/inbox`,
//! `signalbox://add?name=ci&url=https%3A%2F%2F…`, `signalbox://add?command=npx%20-y%20lab-mcp`. Any page and any program can have the desktop open one. So a link only ever leads
//! the person somewhere: it adds, trusts, starts and answers nothing, and whatever is in it is shown before it is used.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{ItemRef, acts};
use thiserror::Error;
use url::Url;

/// The scheme of our links.
pub const LINK_SCHEME: &str = "signalbox";

/// No link is longer, in bytes.
const LONGEST: usize = 4 * 1024;
/// Of one that leads nowhere so much is shown, in characters.
const SHOWN: usize = 200;

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// To a task or a question.
    Open(ItemRef),
    /// To something else that the window shows.
    Show(Led),
}

impl Link {
    /// Whether a text poses as a link of ours: one that does is read as a link, and as nothing else.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        text.split_once(':').is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case(LINK_SCHEME))
    }
}

/// A place that a link can lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LedPlace {
    /// The questions that wait.
    Inbox,
    /// The list of tasks.
    Tasks,
}

impl LedPlace {
    /// Its name in a link, and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inbox => "inbox",
            Self::Tasks => "tasks",
        }
    }

    /// The place of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Inbox, Self::Tasks].into_iter().find(|place| place.name() == name)
    }

    /// The link that leads there.
    #[must_use]
    pub fn link(self) -> String {
        format!("{LINK_SCHEME}://open/{}", self.name())
    }
}

/// What a link brought to the window: where it leads, or what is to be shown before anything else.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Led {
    /// To a place.
    Place {
        /// Which one.
        place: LedPlace,
    },
    /// It offers a server: for the person to look at, and nothing else.
    Server {
        /// A web address, or a command line, as if the person had pasted it.
        text: String,
        /// What it might be called.
        name: Option<String>,
    },
    /// It leads nowhere.
    Nowhere {
        /// Its first characters.
        link: String,
        /// Why it does.
        why: String,
    },
}

impl Led {
    /// Where a link leads: to an item, or to what the window shows of it.
    pub(crate) fn by(link: &str) -> Result<ItemRef, Self> {
        match link.parse() {
            Ok(Link::Open(item)) => Ok(item),
            Ok(Link::Show(led)) => Err(led),
            Err(why) => Err(Self::nowhere(link, &why.to_string())),
        }
    }

    /// It leads nowhere.
    pub(crate) fn nowhere(link: &str, why: &str) -> Self {
        Self::Nowhere { link: link.chars().take(SHOWN).collect(), why: why.to_owned() }
    }
}

/// Why a text is no link of ours.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadLink {
    /// Another scheme, another host, parts that no link of ours has.
    #[error(
        "it is none of Signalbox's links: signalbox://open/t12, signalbox://open/r7, signalbox://add?url=…"
    )]
    Unknown,
    /// It names nothing that can be opened.
    #[error("it names neither a task, such as t12, nor a question, such as r7, nor a place: inbox, tasks")]
    NotAnItem,
    /// A server is offered in another way than a link can.
    #[error(
        "it has to name either a url, which begins with http:// or https://, or a command, once, and may have a name; nothing else"
    )]
    NotAServer,
    /// It would fill more than anybody reads.
    #[error("it is longer than 4 KiB")]
    TooLong,
    /// It would not show as it is.
    #[error("it has characters that nobody sees, or that turn others round")]
    Control,
}

impl std::str::FromStr for Link {
    type Err = BadLink;

    fn from_str(text: &str) -> Result<Self, BadLink> {
        if text.len() > LONGEST {
            return Err(BadLink::TooLong);
        }
        if text.chars().any(acts) {
            return Err(BadLink::Control);
        }
        let url = Url::parse(text).map_err(|_| BadLink::Unknown)?;
        let plain = url.username().is_empty()
            && url.password().is_none()
            && url.port().is_none()
            && url.fragment().is_none();
        if url.scheme() != LINK_SCHEME || !plain {
            return Err(BadLink::Unknown);
        }
        match (url.host_str(), url.path(), url.query()) {
            (Some("open"), path, None) => {
                let name = path.strip_prefix('/').ok_or(BadLink::NotAnItem)?;
                match LedPlace::named(name) {
                    Some(place) => Ok(Self::Show(Led::Place { place })),
                    None => name.parse().map(Self::Open).map_err(|_| BadLink::NotAnItem),
                }
            }
            (Some("add"), "" | "/", Some(_)) => offered(&url).map(Self::Show),
            _ => Err(BadLink::Unknown),
        }
    }
}

fn offered(url: &Url) -> Result<Led, BadLink> {
    let (mut text, mut name) = (None, None);
    for (key, value) in url.query_pairs() {
        if value.chars().any(acts) {
            return Err(BadLink::Control);
        }
        let value = value.trim().to_owned();
        let place = match key.as_ref() {
            "url" if is_web(&value) => &mut text,
            "command" if !is_address(&value) => &mut text,
            "name" => &mut name,
            _ => return Err(BadLink::NotAServer),
        };
        if value.is_empty() || place.replace(value).is_some() {
            return Err(BadLink::NotAServer);
        }
    }
    Ok(Led::Server { text: text.ok_or(BadLink::NotAServer)?, name })
}

/// Whether it is a web address that can be asked.
fn is_web(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Whether it would be read as an address where it poses as a command line.
fn is_address(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|first| first.contains("://"))
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, RequestId};

    use super::*;

    fn link(text: &str) -> Result<Link, BadLink> {
        text.parse()
    }

    fn offer(text: &str, name: Option<&str>) -> Result<Link, BadLink> {
        Ok(Link::Show(Led::Server { text: text.to_owned(), name: name.map(str::to_owned) }))
    }

    #[test]
    fn a_link_leads_to_a_task_or_a_question() {
        assert_eq!(link("signalbox://open/t12"), Ok(Link::Open(ItemRef::Call(CallId(12)))));
        assert_eq!(link("SIGNALBOX://open/r7"), Ok(Link::Open(ItemRef::Request(RequestId(7)))));
    }

    #[test]
    fn a_link_leads_to_a_place() {
        for place in [LedPlace::Inbox, LedPlace::Tasks] {
            assert_eq!(link(&place.link()), Ok(Link::Show(Led::Place { place })));
        }
        assert_eq!(
            link("signalbox://open/settings"),
            Err(BadLink::NotAnItem),
            "nothing is changed by a link"
        );
    }

    #[test]
    fn what_poses_as_a_link_is_read_as_one() {
        for (text, is_meant) in [
            ("SignalBox:rubbish", true),
            ("signalbox://open/t1", true),
            ("t1", false),
            ("signalboxes:x", false),
        ] {
            assert_eq!(Link::is_meant(text), is_meant, "{text}");
        }
    }

    #[test]
    fn a_link_offers_a_server() {
        let url = "https://ci.example.com/mcp?a=1";
        assert_eq!(
            link("signalbox://add?name=ci&url=https%3A%2F%2Fci.example.com%2Fmcp%3Fa%3D1"),
            offer(url, Some("ci"))
        );
        assert_eq!(link("signalbox://add/?command=npx%20-y%20lab-mcp"), offer("npx -y lab-mcp", None));
    }

    #[test]
    fn whatever_else_it_says_it_is_none() {
        let cases: [(&str, BadLink); 23] = [
            ("", BadLink::Unknown),
            ("t12", BadLink::Unknown),
            ("https://open/t12", BadLink::Unknown),
            ("signalbox:open/t12", BadLink::Unknown),
            ("signalbox://answer/r7", BadLink::Unknown),
            ("signalbox://open/t12?accept=1", BadLink::Unknown),
            ("signalbox://open/t12#x", BadLink::Unknown),
            ("signalbox://me@open/t12", BadLink::Unknown),
            ("signalbox://open:1/t12", BadLink::Unknown),
            ("signalbox://open", BadLink::NotAnItem),
            ("signalbox://open/s1", BadLink::NotAnItem),
            ("signalbox://open/t1/../t2/x", BadLink::NotAnItem),
            ("signalbox://open/t1%00", BadLink::NotAnItem),
            ("signalbox://open/<script>alert(1)</script>", BadLink::NotAnItem),
            ("signalbox://add", BadLink::Unknown),
            ("signalbox://add?name=ci", BadLink::NotAServer),
            ("signalbox://add?url=javascript%3Aalert(1)", BadLink::NotAServer),
            ("signalbox://add?url=file%3A%2F%2F%2Fetc%2Fpasswd", BadLink::NotAServer),
            ("signalbox://add?url=http%3A%2F%2Fa&url=http%3A%2F%2Fb", BadLink::NotAServer),
            ("signalbox://add?command=a&trust=yes", BadLink::NotAServer),
            ("signalbox://add?command=https%3A%2F%2Fa", BadLink::NotAServer),
            ("signalbox://add?command=a%0Ab", BadLink::Control),
            ("signalbox://add?name=x%E2%80%AEevil&url=http%3A%2F%2Fa", BadLink::Control),
        ];
        for (text, why) in cases {
            assert_eq!(link(text), Err(why), "{text:?}");
        }
        assert_eq!(link("signalbox://open/t1\n"), Err(BadLink::Control));
        let Err(Led::Nowhere { link: shown, .. }) = Led::by(&"x".repeat(9_000)) else {
            panic!("it is no link")
        };
        assert_eq!(shown.len(), SHOWN, "what anybody sends is not kept whole");
        let long = format!("signalbox://add?command={}", "a".repeat(5_000));
        assert_eq!(link(&long), Err(BadLink::TooLong));
    }
}
