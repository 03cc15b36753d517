//! What is told of two results.

use super::{text::indented, *};

fn told(old: &str, new: &str) -> Vec<(DiffSide, String)> {
    compare(old, new).0.into_iter().map(|line| (line.of, line.text)).collect()
}

#[test]
fn equal_results_have_no_lines() {
    assert_eq!(told("a\nb\n", "a\nb\n"), []);
    assert_eq!(told("", ""), []);
}

#[test]
fn a_change_is_told_with_what_stands_around_it() {
    use DiffSide::{Both, Earlier, Gap, Later};
    let lines: Vec<String> = (0..30).map(|n| n.to_string()).collect();
    let old = lines.join("\n");
    let new = old.replace("\n5\n", "\nfive\n").replace("\n25\n", "\n25\nmore\n");
    let of = told(&old, &new);
    let sides: Vec<_> = of.iter().map(|(side, _)| *side).collect();
    let first = [Both, Both, Both, Earlier, Later, Both, Both, Both];
    assert_eq!(sides[..8], first, "{of:?}");
    assert_eq!(sides[8], Gap);
    assert_eq!(of[3..5], [(Earlier, "5".to_owned()), (Later, "five".to_owned())]);
    assert!(of.contains(&(Later, "more".to_owned())), "{of:?}");
}

#[test]
fn json_has_a_line_for_each_member_and_no_number_is_read() {
    let text = indented(r#"{"a":12345678901234567890123.0, "b":[ ],"c":[1,{"d":"x, \"y\": {"}]}"#);
    let expected = "{\n  \"a\": 12345678901234567890123.0,\n  \"b\": [],\n  \"c\": [\n    1,\n    {\n      \"d\": \"x, \\\"y\\\": {\"\n    }\n  ]\n}\n";
    assert_eq!(text, expected);
}

#[test]
fn what_is_nested_deeply_takes_no_square_of_its_length() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(indented(&deep).len() < 2_000_000, "{}", indented(&deep).len());
}

#[test]
fn very_long_and_very_different_results_are_told_within_bounds() {
    let long = |word: &str| (0..50_000).map(|n| format!("{word} {n}\n")).collect::<String>();
    let (lines, left_out) = compare(&long("a"), &long("b"));
    assert_eq!(lines.len(), MOST_LINES);
    assert_eq!(lines.len() + left_out as usize, 100_000, "what is not told is counted");
    let (lines, _) = compare(&"x".repeat(LONGEST), "");
    assert!(lines[0].text.len() <= LONGEST_LINE, "{}", lines[0].text.len());
}

#[test]
fn what_has_no_lines_differs_by_its_digest() {
    let image = |data: &str| {
        Json::parse(format!(
            r#"{{"content":[{{"type":"image","data":"{data}"}},{{"type":"text","text":"same"}}]}}"#
        ))
        .unwrap()
    };
    let (old, new) = (text::of_result(&image("aaaa")), text::of_result(&image("bbbb")));
    let of = told(&old, &new);
    assert_eq!(of.len(), 3, "{of:?}");
    assert!(of[0].1.starts_with("(image, ") && of[0].1 != of[1].1, "{of:?}");
}
