//! The paths that a text of Rust names, as far as rules about them need it: `use` trees are taken apart.

/// A path as it is written, from its first segment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// The line in which it ends, from 1.
    pub(super) line: usize,
    pub(super) segments: Vec<String>,
    /// By what name it is known here: its last segment, or what stands behind `as`.
    pub(super) name: String,
}

/// A statement, from its keyword to its semicolon.
#[derive(Debug)]
pub(super) struct Statement<'a> {
    pub(super) text: &'a str,
    /// It is there in tests only.
    pub(super) of_tests: bool,
}

/// The statements at the level of the file that begin with this word, behind what says how visible they are.
pub(super) fn statements<'a>(text: &'a str, word: &str) -> Vec<Statement<'a>> {
    let (mut found, mut at, mut of_tests) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let behind = line.strip_prefix("pub").map_or(line, |public| {
            let within = public.strip_prefix('(').and_then(|within| within.split_once(')'));
            within.map_or(public, |(_, behind)| behind).trim_start()
        });
        if let Some(begins) = behind.strip_prefix(word)
            && begins.starts_with(' ')
        {
            let from = at + (line.len() - begins.len());
            let length = text[from..].find(';').unwrap_or(text.len() - from);
            found.push(Statement { text: &text[from..from + length], of_tests });
        }
        of_tests = line.trim() == "#[cfg(test)]";
        at += line.len();
    }
    found
}

/// Every path of a text that is more than one word, and each of a tree by itself. Comments are left out.
pub(super) fn paths(text: &str) -> Vec<Path> {
    let tokens = tokens(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        at = if is_word(tokens[at].1) { tree(&tokens, at, &mut Vec::new(), &mut found) } else { at + 1 };
    }
    found.retain(|path| path.segments.len() > 1);
    found
}

/// Takes apart what begins at `at`; comes back with where it ends.
fn tree(tokens: &[(usize, &str)], mut at: usize, before: &mut Vec<String>, found: &mut Vec<Path>) -> usize {
    let (depth, mut line) = (before.len(), tokens[at].0);
    let token = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    while is_word(token(at)) || token(at) == "*" {
        line = tokens[at].0;
        before.push(token(at).to_owned());
        at += 1;
        if token(at) != "::" {
            break;
        }
        at += 1;
        if token(at) == "{" {
            at += 1;
            while !matches!(token(at), "}" | "") {
                let begins = is_word(token(at)) || token(at) == "*";
                at = if begins { tree(tokens, at, before, found) } else { at + 1 };
            }
            before.truncate(depth);
            return at + 1;
        }
    }
    let mut name = before.last().cloned().unwrap_or_default();
    if token(at) == "as" {
        name = token(at + 1).to_owned();
        at += 2;
    }
    found.push(Path { line, segments: before.clone(), name });
    before.truncate(depth);
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Words, `::` and single signs, each with its line.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut all = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let mut rest = text.split("//").next().unwrap_or_default();
        while let Some(first) = rest.chars().next() {
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = match word {
                0 if rest.starts_with("::") => 2,
                0 => first.len_utf8(),
                word => word,
            };
            if !first.is_whitespace() {
                all.push((line + 1, &rest[..length]));
            }
            rest = &rest[length..];
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        paths(text)
            .iter()
            .map(|path| format!("{}:{}={}", path.line, path.segments.join("::"), path.name))
            .collect()
    }

    #[test]
    fn each_path_of_a_tree_is_found() {
        let text = "use a::{b, // not::this\n c::{d as e, *}, self};\nf(a::g(), h::<i::J>());";
        let all = ["1:a::b=b", "2:a::c::d=e", "2:a::c::*=*", "2:a::self=self", "3:a::g=g", "3:i::J=J"];
        assert_eq!(named(text), all);
    }

    #[test]
    fn statements_are_found_with_whether_they_are_of_tests() {
        let text =
            "pub(in a::b) use c::d;\n    use inner;\n#[cfg(test)]\nuse {\n e,\n f};\npub use g;\nused();\n";
        let found = statements(text, "use");
        let found: Vec<_> = found.iter().map(|found| (found.text.trim(), found.of_tests)).collect();
        assert_eq!(found, [("c::d", false), ("{\n e,\n f}", true), ("g", false)]);
    }
}
