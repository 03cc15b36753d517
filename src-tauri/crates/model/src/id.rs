//! Short ids for people: `t12` a call (and its task), `r3` an input request, `s1` a server.
//!
//! Numbers are handed out in order, never reused, and unique within one data directory.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

/// The text is not a short id of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an id of this kind: expected {expected} and a number")]
pub struct BadId {
    /// The letter ids of this kind begin with.
    pub expected: char,
}

macro_rules! short_id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(type = "string"))]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $letter, self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                text.strip_prefix($letter)
                    .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
                    .and_then(|digits| digits.parse().ok())
                    .map($name)
                    .ok_or(BadId { expected: $letter })
            }
        }
    };
}

short_id!(
    /// A server the person registered.
    ServerId,
    's'
);
short_id!(
    /// A call: the root of everything; also names its task.
    CallId,
    't'
);
short_id!(
    /// An input request.
    RequestId,
    'r'
);

/// Something a notification, a link or a focus can point at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
pub enum ItemRef {
    /// A call and its task.
    Call(CallId),
    /// An input request.
    Request(RequestId),
}

impl fmt::Display for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(id) => id.fmt(f),
            Self::Request(id) => id.fmt(f),
        }
    }
}

impl FromStr for ItemRef {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        text.parse().map(Self::Call).or_else(|_| text.parse().map(Self::Request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back_what_they_print() {
        assert_eq!("t12".parse(), Ok(CallId(12)));
        assert_eq!(CallId(12).to_string(), "t12");
        assert_eq!("r7".parse(), Ok(ItemRef::Request(RequestId(7))));
        let json = serde_json::to_string(&ServerId(3)).unwrap();
        assert_eq!(json, r#""s3""#, "ids are strings on every boundary");
        assert_eq!(serde_json::from_str::<ServerId>(&json).unwrap(), ServerId(3));
    }

    #[test]
    fn other_text_is_no_id() {
        for text in ["", "t", "12", "r12", "t-1", "t+1", "t99999999999", "t1 "] {
            assert!(text.parse::<CallId>().is_err(), "{text:?} must not name a call");
        }
    }
}
