//! What a server says in `WWW-Authenticate`.

/// Longer headers are not read.
const LONGEST: usize = 16 * 1024;
const MOST_SCOPES: usize = 64;

/// The `Bearer` challenge of a `WWW-Authenticate` header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Challenge {
    /// Where the server's metadata is, as given: it may be relative.
    pub resource_metadata: Option<String>,
    /// The scopes that it wants.
    pub scopes: Vec<String>,
    /// Its error code, such as `invalid_token`.
    pub error: Option<String>,
}

impl Challenge {
    /// Reads a header, or several joined by commas. None when none of the challenges in it is `Bearer`.
    #[must_use]
    pub fn parse(www_authenticate: &str) -> Option<Self> {
        if www_authenticate.len() > LONGEST {
            return None;
        }
        let mut rest = Rest(www_authenticate);
        let mut found: Option<Self> = None;
        let mut bearer = false;
        loop {
            rest.skip(|c| c == ',' || c.is_ascii_whitespace());
            let name = rest.take(is_token);
            if name.is_empty() {
                // What is no token ends the reading: what came before stands.
                return found;
            }
            rest.skip(|c| c == ' ' || c == '\t');
            if !rest.eat('=') {
                // Of several the first that says something counts.
                if found.as_ref().is_some_and(|found| *found != Self::default()) {
                    return found;
                }
                bearer = name.eq_ignore_ascii_case("bearer");
                if bearer {
                    found = Some(Self::default());
                }
                continue;
            }
            rest.skip(|c| c == ' ' || c == '\t' || c == '=');
            let value = rest.value();
            if let (true, Some(found)) = (bearer, found.as_mut()) {
                found.set(name, value);
            }
        }
    }

    /// Whether the token was good, but not for this.
    #[must_use]
    pub fn wants_more(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }

    fn set(&mut self, name: &str, value: String) {
        match name.to_ascii_lowercase().as_str() {
            "resource_metadata" => self.resource_metadata = Some(value),
            "scope" => {
                let scopes = value.split_ascii_whitespace().filter(|scope| scope.chars().all(is_scope));
                self.scopes = scopes.take(MOST_SCOPES).map(str::to_owned).collect();
            }
            "error" => self.error = Some(value),
            _ => {}
        }
    }

    /// As a header that holds nothing else.
    pub(super) fn header(&self) -> String {
        let mut header = String::from("Bearer");
        let mut put = |name: &str, value: &str| {
            let separator = if header.len() == "Bearer".len() { ' ' } else { ',' };
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            header.push_str(&format!("{separator}{name}=\"{value}\""));
        };
        if let Some(url) = &self.resource_metadata {
            put("resource_metadata", url);
        }
        if !self.scopes.is_empty() {
            put("scope", &self.scopes.join(" "));
        }
        header
    }
}

/// What of the header is not read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip(&mut self, which: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(which);
    }

    fn take(&mut self, which: impl Fn(char) -> bool) -> &'a str {
        let end = self.0.find(|c| !which(c)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    fn eat(&mut self, c: char) -> bool {
        self.0.strip_prefix(c).map(|rest| self.0 = rest).is_some()
    }

    /// A quoted string, or what stands until the next separator.
    fn value(&mut self) -> String {
        if !self.eat('"') {
            return self.take(|c| c != ',' && !c.is_ascii_whitespace()).to_owned();
        }
        let mut value = String::new();
        let mut escaped = false;
        let mut chars = self.0.char_indices();
        for (at, c) in chars.by_ref() {
            match c {
                _ if escaped => {
                    value.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.0 = &self.0[at + 1..];
                    return value;
                }
                _ => value.push(c),
            }
        }
        self.0 = "";
        value
    }
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}

/// As RFC 6749 has it: anything else could end the quotation it is put in.
fn is_scope(c: char) -> bool {
    matches!(c, '!' | '#'..='[' | ']'..='~')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scopes(header: &str) -> Vec<String> {
        Challenge::parse(header).expect("a Bearer challenge").scopes
    }

    #[test]
    fn the_bearer_challenge_is_found_among_others() {
        let header = r#"Basic realm="scope=\"no\", Bearer", Negotiate YWJj==, bearer realm=x, error="insufficient_scope" , scope = "a b", resource_metadata="https://h/.well-known/x?scope=z", DPoP algs="ES256", scope="c""#;
        let challenge = Challenge::parse(header).unwrap();
        assert_eq!(
            challenge.scopes,
            ["a", "b"],
            "neither the realm's text nor another scheme's scope counts"
        );
        assert_eq!(challenge.resource_metadata.as_deref(), Some("https://h/.well-known/x?scope=z"));
        assert!(challenge.wants_more());
    }

    #[test]
    fn odd_headers_give_what_can_be_read() {
        assert_eq!(Challenge::parse("Bearer"), Some(Challenge::default()));
        assert_eq!(
            Challenge::parse("Bearer, Bearer scope=x").unwrap().scopes,
            ["x"],
            "one with content wins"
        );
        assert_eq!(scopes("Bearer scope=\"a b"), ["a", "b"], "an open quotation ends with the header");
        assert_eq!(scopes("Bearer scope=\"ok b\\\"ad\""), ["ok"], "no scope can break out of a quotation");
        for none in [
            "",
            "Basic realm=\"Bearer\"",
            "\u{1f512}",
            "=",
            ",,,",
            &format!("Bearer {}", "x".repeat(LONGEST)),
        ] {
            assert_eq!(Challenge::parse(none), None, "{none:.20}");
        }
    }

    #[test]
    fn a_challenge_written_again_reads_the_same() {
        let challenge = Challenge {
            resource_metadata: Some("https://h/\"quoted\\".into()),
            scopes: vec!["a".into(), "b:c/d".into()],
            error: None,
        };
        assert_eq!(Challenge::parse(&challenge.header()), Some(challenge));
    }
}
