//! A server's text on its way into a notification: text only, short, and nothing invisible in it.

const TITLE: usize = 100;
const BODY: usize = 300;
const BODY_LINES: usize = 4;

/// One line of at most 100 characters.
pub(crate) fn line(text: &str) -> String {
    cut(clean(text).split_whitespace().collect::<Vec<_>>().join(" "), TITLE)
}

/// At most four lines and 300 characters.
pub(crate) fn lines(text: &str) -> String {
    let clean = clean(text);
    let mut lines = clean.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut body = lines.by_ref().take(BODY_LINES).collect::<Vec<_>>().join("\n");
    if lines.next().is_some() {
        body.push_str("\n…");
    }
    cut(body, BODY)
}

/// For services that read markup in bodies.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Control characters could move the cursor or reverse the reading direction, and so pretend.
fn clean(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\n' => Some('\n'),
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => None,
            c if c.is_control() => Some(' '),
            c => Some(c),
        })
        // More than is ever shown is not worth looking at.
        .take(4 * BODY)
        .collect()
}

fn cut(text: String, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text,
        Some(_) => text.chars().take(limit - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_one_short_line() {
        assert_eq!(line("a\tb\r\n c\u{1b}[31m"), "a b c [31m");
        let long = line(&"ü".repeat(500));
        assert_eq!(long.chars().count(), TITLE);
        assert!(long.ends_with('…'), "a cut must be seen");
    }

    #[test]
    fn bodies_keep_few_lines() {
        assert_eq!(lines("a\n\n b \nc"), "a\nb\nc");
        assert_eq!(lines("1\n2\n3\n4\n5"), "1\n2\n3\n4\n…");
        assert_eq!(lines(&"x".repeat(100_000)).chars().count(), BODY);
    }

    #[test]
    fn nothing_invisible_is_left() {
        assert_eq!(line("pay \u{202e}gnp.exe\u{202c}\u{200b}"), "pay gnp.exe");
    }

    #[test]
    fn markup_is_shown_not_read() {
        assert_eq!(escape("<a href='x'>&amp;"), "&lt;a href='x'&gt;&amp;amp;");
    }
}
