//! The four formats of the restricted schema, really checked.

use crate::spec::TextFormat;

impl TextFormat {
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "email" => Some(Self::Email),
            "uri" => Some(Self::Uri),
            "date" => Some(Self::Date),
            "date-time" => Some(Self::DateTime),
            _ => None,
        }
    }

    pub(crate) fn holds(self, text: &str) -> bool {
        match self {
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::Date => is_date(text),
            Self::DateTime => is_date_time(text),
        }
    }

    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Email => "Not an e-mail address",
            Self::Uri => "Not an absolute URI, like https://example.com/",
            Self::Date => "Not a date, like 2026-01-31",
            Self::DateTime => "Not a date and time with offset, like 2026-01-31T09:00:00Z",
        }
    }
}

/// RFC 5321 `Dot-string@domain`. Quoted local parts and address literals are refused: no mail form takes them.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let atom = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
    };
    let label = |part: &str| {
        (1..=63).contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    local.len() <= 64 && text.len() <= 254 && local.split('.').all(atom) && domain.split('.').all(label)
}

fn is_uri(text: &str) -> bool {
    // The WHATWG parser repairs what RFC 3986 forbids (spaces, backslashes), so characters are judged first.
    let legal = |b: u8| b.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&b);
    let escapes = text
        .split('%')
        .skip(1)
        .all(|rest| rest.as_bytes().get(..2).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)));
    text.bytes().all(legal) && escapes && text.matches('#').count() <= 1 && url::Url::parse(text).is_ok()
}

fn is_date(text: &str) -> bool {
    shaped(text, b"0000-00-00") && text.parse::<jiff::civil::Date>().is_ok()
}

fn is_date_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let Some((time, rest)) = rest.split_at_checked(9) else { return false };
    if !is_date(date) || !time.starts_with(['T', 't']) || !shaped(&time[1..], b"00:00:00") {
        return false;
    }
    let offset = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if offset.len() == fraction.len() {
                return false;
            }
            offset
        }
        None => rest,
    };
    let offset_holds = matches!(offset, "Z" | "z")
        || (offset.starts_with(['+', '-'])
            && shaped(&offset[1..], b"00:00")
            && &offset[1..3] < "24"
            && &offset[4..6] < "60");
    offset_holds && &time[1..3] < "24" && &time[4..6] < "60" && &time[7..9] <= "60"
}

/// Same length, digits where the shape has `0`, the same character elsewhere.
fn shaped(text: &str, shape: &[u8]) -> bool {
    text.len() == shape.len()
        && text.bytes().zip(shape).all(|(b, s)| if *s == b'0' { b.is_ascii_digit() } else { b == *s })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_accept_and_refuse() {
        use TextFormat::{Date, DateTime, Email, Uri};
        for (format, good, bad) in [
            (
                Email,
                vec!["a@b.example", "first.last+tag@sub-domain.example", "o'neil@localhost"],
                vec![
                    "", "a", "a@", "@b", "a b@c.d", "a@b@c", "a@-b.c", "a..b@c.d", "a@b..c", "ä@b.c",
                    "a@b.c\n",
                ],
            ),
            (
                Uri,
                vec![
                    "https://example.com/a?b=c#d",
                    "urn:isbn:0451450523",
                    "mailto:a@b.c",
                    "http://[::1]:8080/%20",
                ],
                vec![
                    "",
                    "example.com",
                    "/a",
                    "https://",
                    "http://a b",
                    "http://a/%zz",
                    "http://a\\b",
                    "a://ä",
                    "x:#a#b",
                ],
            ),
            (
                Date,
                vec!["2026-01-31", "2024-02-29"],
                vec!["", "2026-02-29", "2026-1-3", "20260131", "2026-01-31T00", "２026-01-31"],
            ),
            (
                DateTime,
                vec!["2026-01-31T09:00:00Z", "2026-01-31t09:00:00.123456789+02:00", "2016-12-31T23:59:60Z"],
                vec![
                    "",
                    "2026-01-31",
                    "2026-01-31T09:00:00",
                    "2026-01-31 09:00:00Z",
                    "2026-01-31T24:00:00Z",
                    "2026-01-31T09:60:00Z",
                    "2026-01-31T09:00:00.Z",
                    "2026-01-31T09:00:00+0200",
                    "2026-01-31T09:00:00+25:00",
                    "2026-01-31T09:00:00Zä",
                    "2026-01-31Tä9:00:00Z",
                    "2026-01-31T09:00:00+",
                ],
            ),
        ] {
            for text in good {
                assert!(format.holds(text), "{text:?} is a {format:?}");
            }
            for text in bad {
                assert!(!format.holds(text), "{text:?} is no {format:?}");
            }
        }
    }
}
