//! A call's arguments: one row for each, so that no value can pose as another argument.

use signalbox_forms::members;
use signalbox_model::Json;
use unicode_width::UnicodeWidthStr;

use super::{sanitise, table::facts};

/// More rows are not shown: whoever wants them all reads the document (`--json`).
const ROWS: usize = 100;

/// Rows of name and value, the value as JSON and thus in quotes; what is no object is one value. For [`facts`], where the
/// later rows have no name of their own.
pub(crate) fn rows(arguments: Option<&Json>) -> impl Iterator<Item = (&'static str, Option<String>)> {
    let lines = arguments.map(lines).unwrap_or_default();
    let names = std::iter::once("arguments").chain(std::iter::repeat(""));
    names.zip(lines.into_iter().map(Some))
}

/// The same as a block of their own.
pub(crate) fn block(arguments: &Json) -> String {
    facts(rows(Some(arguments)))
}

fn lines(arguments: &Json) -> Vec<String> {
    let Some(members) = members(arguments.text()) else { return vec![sanitise::line(arguments.text())] };
    let named: Vec<(String, String)> =
        members.iter().map(|(name, value)| (named(name), sanitise::line(value.get()))).collect();
    let shown = &named[..named.len().min(ROWS)];
    let width = shown.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    let row =
        |(name, value): &(String, String)| format!("{name}{}  {value}", " ".repeat(width - name.width()));
    let mut lines: Vec<String> = shown.iter().map(row).collect();
    if named.len() > ROWS {
        lines.push(format!("… {} more, which `--json` shows", named.len() - ROWS));
    }
    lines
}

/// A name of one plain word, else as JSON.
pub(crate) fn named(name: &str) -> String {
    let plain = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '"');
    let name = if plain { name.to_owned() } else { serde_json::Value::from(name).to_string() };
    sanitise::line(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stands_on_its_row_and_in_its_quotes() {
        let rows = |text: &str| lines(&Json::parse(text).unwrap());
        assert_eq!(
            rows(r#"{"service":"a version: 1\nregion: b","version":"6.6.6","n":12345678901234567890123}"#),
            [
                r#"service  "a version: 1\nregion: b""#,
                r#"version  "6.6.6""#,
                "n        12345678901234567890123"
            ]
        );
        assert_eq!(rows(r#"{"a  \"b\"":1}"#), [r#""a  \"b\""  1"#], "a name is no value");
        assert_eq!(rows("{\"a\":\n {\n\"b\": 1}}"), [r#"a  { "b": 1}"#]);
        assert_eq!(rows("{}"), [""; 0]);
        assert_eq!(rows("[1]"), ["[1]"]);
        let many: Vec<String> = (0..150).map(|n| format!("\"a{n}\":1")).collect();
        let rows = rows(&format!("{{{}}}", many.join(",")));
        assert_eq!(rows.last().unwrap(), "… 50 more, which `--json` shows");
    }
}
