//! Links of ours: `signalbox://open/t12`, `signalbox://open/r7`, `signalbox://add?name=ci&url=https%3A%2F%2F…`,
//! `signalbox://add?command=npx%20-y%20lab-mcp`. Any page and any program can have the desktop open one. So a link only ever leads
//! the person somewhere: it adds, trusts, starts and answers nothing, and whatever is in it is shown before it is used.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::ItemRef;
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
    /// To the form for a new server.
    Add(Offered),
}

/// A server that a link offers: for the person to look at, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// A web address, or a command line, as if the person had pasted it.
    pub text: String,
    /// What it might be called.
    pub name: Option<String>,
}

/// What a link brought that the window shows before anything else.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Led {
    /// It offers a server.
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
            Ok(Link::Add(Offered { text, name })) => Err(Self::Server { text, name }),
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
    #[error("it names neither a task, such as t12, nor a question, such as r7")]
    NotAnItem,
    /// A server is offered in another way than a link can.
    #[error(
        "it has to name either a url, which begins with http:// or https://, or a command, once, and may have a name"
    )]
    NotAServer,
    /// It would fill more than anybody reads.
    #[error("it is longer than 4 KiB")]
    TooLong,
    /// It would not show as it is.
    #[error("it has control characters")]
    Control,
}

impl std::str::FromStr for Link {
    type Err = BadLink;

    fn from_str(text: &str) -> Result<Self, BadLink> {
        if text.len() > LONGEST {
            return Err(BadLink::TooLong);
        }
        if text.chars().any(char::is_control) {
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
                let item = path.strip_prefix('/').ok_or(BadLink::NotAnItem)?;
                item.parse().map(Self::Open).map_err(|_| BadLink::NotAnItem)
            }
            (Some("add"), "" | "/", Some(_)) => offered(&url).map(Self::Add),
            _ => Err(BadLink::Unknown),
        }
    }
}

fn offered(url: &Url) -> Result<Offered, BadLink> {
    let (mut text, mut name) = (None, None);
    for (key, value) in url.query_pairs() {
        if value.chars().any(char::is_control) {
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
    Ok(Offered { text: text.ok_or(BadLink::NotAServer)?, name })
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
        Ok(Link::Add(Offered { text: text.to_owned(), name: name.map(str::to_owned) }))
    }

    #[test]
    fn a_link_leads_to_a_task_or_a_question() {
        assert_eq!(link("signalbox://open/t12"), Ok(Link::Open(ItemRef::Call(CallId(12)))));
        assert_eq!(link("SIGNALBOX://open/r7"), Ok(Link::Open(ItemRef::Request(RequestId(7)))));
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
        let cases: [(&str, BadLink); 22] = [
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
