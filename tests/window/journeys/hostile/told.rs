//! The corpus in the fields that a server fills seldom: what can be chosen, addresses, what tasks end with, and what it
//! says of itself. Which strings are told is said by the number that a person gave to the tool.

use std::iter;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use url::Url;

use super::said::{STRINGS, count, nth};

/// So many characters of a text have room where many stand in one field.
const SHORT: usize = 150;
/// So long is what is shown of a name and version, in characters.
const SHOWN: usize = 380;

/// What a server is called, and its version: all strings, as many at once as are shown.
pub(super) static CLAIMS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
    let mut claims: Vec<Vec<String>> = Vec::new();
    for text in STRINGS.iter().map(|text| short(text)) {
        let length =
            |claim: &Vec<String>| claim.iter().map(|text| text.encode_utf16().count() + 1).sum::<usize>();
        match claims.last_mut().filter(|claim| length(claim) + text.encode_utf16().count() < SHOWN) {
            Some(claim) => claim.push(text),
            None => claims.push(vec![text]),
        }
    }
    claims
        .iter()
        .map(|claim| [0, 1].map(|half| claim[half * claim.len() / 2..(half + 1) * claim.len() / 2].join(" ")))
        .collect()
});

/// What names the nth strings, for people and for the tool.
pub(super) fn part(n: usize) -> String {
    format!("part-{n:02}")
}

/// The first number in a text that names a part.
fn number(text: &Value) -> usize {
    let text = text.as_str().unwrap_or_default();
    let digits = text.split(|letter: char| !letter.is_ascii_digit()).find(|digits| !digits.is_empty());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("{text:?} names no part"))
}

fn short(text: &str) -> String {
    text.chars().take(SHORT).collect()
}

/// The nth strings below a title, a line each.
fn lines(title: &str, n: usize, told: impl Fn(&str) -> String) -> String {
    nth(n).fold(format!("{title} {}", part(n)), |all, text| format!("{all}\n{}", told(text)))
}

/// The nth strings, each by its own name.
fn by_name(n: usize) -> Value {
    nth(n).map(|text| (text.clone(), json!(text))).collect::<Map<_, _>>().into()
}

/// Has a form offer the strings, one in each field.
pub(super) fn offer_to_choose(message: &mut Value) {
    let Some(params) = message.pointer_mut("/result/inputRequests/approval/params") else { return };
    let n = number(&params["message"]);
    let fields = nth(n).enumerate().map(|(place, text)| {
        let options =
            json!([{ "const": text, "title": text }, { "const": "other", "title": format!("other {text}") }]);
        let field = match place % 2 {
            0 => json!({ "type": "string", "oneOf": options }),
            _ => json!({ "type": "array", "items": { "anyOf": options } }),
        };
        (format!("field {place}"), field)
    });
    let properties: Map<String, Value> = fields.collect();
    params["message"] = format!("Options {}", part(n)).into();
    params["requestedSchema"] = json!({ "type": "object", "properties": properties });
}

/// Has a page stand at an address of the strings: those that can be a name are one of its host. The last is no address.
pub(super) fn lead_to_pages(message: &mut Value) {
    let Some(params) = message.pointer_mut("/result/inputRequests/signature/params") else { return };
    let n = number(&params["message"]);
    let told: Vec<String> = nth(n % count()).map(|text| short(text)).collect();
    let host = |text: &&String| {
        Url::parse(&format!("https://{text}.example.com/")).is_ok_and(|url| url.path() == "/")
    };
    let names: String = told.iter().filter(host).map(|text| format!("{text}.")).collect();
    let strings = told.concat();
    let address = format!("https://ada@{names}example.com:8443/{strings}?{strings}#{strings}");
    params["message"] = format!("Page {}", part(n)).into();
    params["url"] = if n == count() { strings } else { address }.into();
}

/// Has a build end with the strings: as its result, by turns a good one and the tool's error, or as an error of the
/// protocol.
pub(super) fn end_badly(message: &mut Value) {
    let task = &mut message["result"];
    let Some(result) = task.get_mut("result") else { return };
    let told = number(&result["content"][0]["text"]);
    let n = told % count();
    if told == n {
        let text = json!({ "type": "text", "text": lines("Result", n, str::to_owned) });
        let others = nth(n).map(|text| json!({ "type": text, "text": text }));
        *result = json!({
            "content": iter::once(text).chain(others).collect::<Vec<_>>(),
            "structuredContent": by_name(n),
            "isError": n % 2 == 1,
        });
    } else {
        let error = json!({ "code": -32_603, "message": lines("Error", n, short), "data": by_name(n) });
        task["status"] = "failed".into();
        task["error"] = error;
        drop(task.as_object_mut().and_then(|task| task.remove("result")));
    }
}

/// What a server says of itself: something else each time.
pub(super) fn pose_as_another(message: &mut Value) {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let n = ASKED.fetch_add(1, Ordering::Relaxed) % CLAIMS.len();
    let [name, version] = &CLAIMS[n];
    let result = &mut message["result"];
    result["_meta"]["io.modelcontextprotocol/serverInfo"] =
        json!({ "name": format!("Claim {} {name}", part(n)), "version": version });
    result["capabilities"]["experimental"] = by_name(n % count());
}
