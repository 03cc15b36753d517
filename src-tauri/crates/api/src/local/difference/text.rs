//! A result as text that can be compared line by line.

use std::fmt::Write;

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use signalbox_mcp as mcp;
use signalbox_model::Json;

/// The texts of a result, what else is in it by its kind and digest, and its structured content.
pub(super) fn of_result(result: &Json) -> String {
    let view = mcp::ToolResult::read(result);
    let mut text = if view.is_error { "(the tool says that it failed)\n".to_owned() } else { String::new() };
    for part in &view.content {
        match part.text() {
            Some(said) if part.kind == "text" => text.push_str(&said),
            _ => text.push_str(&by_digest(&part.kind, part.raw)),
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    if let Some(structured) = view.structured {
        text.push_str(&indented(structured.get()));
    }
    text
}

/// What has no lines: two that differ read differently.
fn by_digest(kind: &str, raw: &RawValue) -> String {
    let digest = Sha256::digest(raw.get());
    let mut line = format!("({kind}, {} bytes, sha256 ", raw.get().len());
    for byte in &digest[..8] {
        let _ = write!(line, "{byte:02x}");
    }
    line + ")"
}

/// Valid JSON with a line for each member and element. Every other byte stays as it came: no number is read.
pub(super) fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut chars = json.chars().peekable();
    while let Some(char) = chars.next() {
        if in_string {
            text.push(char);
            (in_string, escaped) = (escaped || char != '"', !escaped && char == '\\');
            continue;
        }
        match char {
            ' ' | '\n' | '\r' | '\t' => {}
            '{' | '[' => {
                depth += 1;
                text.push(char);
                while chars.next_if(|next| next.is_ascii_whitespace()).is_some() {}
                if let Some(close) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    depth -= 1;
                    text.push(close);
                } else {
                    line(&mut text, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut text, depth);
                text.push(char);
            }
            ',' => {
                text.push(char);
                line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ => {
                in_string = char == '"';
                text.push(char);
            }
        }
    }
    text.push('\n');
    text
}

/// Begins a line. What is nested deeply is not set in further: it would take the square of its length.
fn line(text: &mut String, depth: usize) {
    const DEEPEST: usize = 32;
    text.push('\n');
    for _ in 0..depth.min(DEEPEST) {
        text.push_str("  ");
    }
}
