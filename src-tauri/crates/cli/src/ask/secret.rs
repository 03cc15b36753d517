//! Secrets that a server asks for in a form: said before they are typed, hidden while they are, and confirmed before they go.

use signalbox_api::RequestDetail;
use signalbox_forms::{Field, FormSpec, replaced, secrets};
use signalbox_model::Json;

use crate::console::Console;
use crate::no_echo::NoEcho;
use crate::text::sanitise;

/// What stands where a secret stands.
const HIDDEN: &str = "\"••••\"";

/// What is said at a field that asks for a secret, of a question or of a tool.
pub(super) const SAID: &str = match NoEcho::POSSIBLE {
    true => "a secret: what you type is not shown",
    false => "a secret: what you type is shown",
};

/// What is said of a question that asks for secrets, before they are typed; none where it asks for none.
pub(super) fn notice(form: &FormSpec) -> Option<&'static str> {
    form.secret.then_some(
        "It asks for a secret. A server must ask for such things on a page of its own, not in a form. What you type is kept only \
         until it is delivered.",
    )
}

/// What is said of secrets that are in an answer; none where there are none.
pub(crate) fn warning(detail: &RequestDetail, content: &Json) -> Option<String> {
    let found = secrets(detail.schema_text(), content.text());
    if found.is_empty() {
        return None;
    }
    let fields = detail.form.as_ref().map(|form| form.fields.as_slice()).unwrap_or_default();
    let mut names: Vec<String> = found.iter().map(|one| named(fields, &one.path)).collect();
    names.dedup();
    let (server, names) = (sanitise::line(&detail.row.server_name), names.join(", "));
    Some(format!(
        "{server} asks for a secret in a form: {names}. By the MCP specification a server must ask for such things on a page of \
         its own, so give it only to a server that you trust with it."
    ))
}

/// A field's label, where a path leads into one.
fn named(fields: &[Field], path: &str) -> String {
    let top = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let name = top.replace("~1", "/").replace("~0", "~");
    let label = fields.iter().find(|field| field.name == name).map(|field| field.label.as_str());
    sanitise::line(label.unwrap_or(&name))
}

/// Whether an answer is to be sent: one with secrets is shown without them, with who gets it, and confirmed.
pub(crate) async fn is_confirmed(console: &Console, detail: &RequestDetail, content: &Json) -> bool {
    let Some(warning) = warning(detail, content) else { return true };
    let found = secrets(detail.schema_text(), content.text());
    let shown = replaced(content.text(), &found, HIDDEN);
    let (server, place) = (sanitise::line(&detail.row.server_name), sanitise::line(&detail.place));
    console.block(&format!("\n{server} at {place} would get:\n  {}\n{warning}", sanitise::line(&shown)));
    console.confirms("Send it? [y/N] ").await
}
