//! What a model would be asked, for a person who answers in its place.

use signalbox_model::{SamplingPart, SamplingView};

use super::sanitise;

/// All of it, a line each, every text by the line.
pub(crate) fn lines(view: &SamplingView) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(system) = &view.system_prompt {
        said(&mut lines, "system", system);
    }
    for message in &view.messages {
        let role = if message.role.is_empty() { "?".to_owned() } else { sanitise::line(&message.role) };
        for part in &message.parts {
            match part {
                SamplingPart::Text { text } => said(&mut lines, &role, text),
                SamplingPart::Media { r#type, mime_type, bytes } => {
                    let mime = mime_type.as_deref().unwrap_or("type not said");
                    let size =
                        bytes.map_or_else(|| "not legible".to_owned(), |bytes| format!("{bytes} bytes"));
                    lines.push(format!("[{role}] ({type}: {}, {size}; not shown)", sanitise::line(mime)));
                }
                SamplingPart::Other { json } => {
                    lines.push(format!("[{role}] {}", sanitise::line(json.text())))
                }
            }
        }
    }
    let one = |text: &Option<String>| text.as_deref().map(sanitise::line);
    let several = |texts: &[String]| {
        let quoted: Vec<String> = texts.iter().map(|text| sanitise::line(&format!("{text:?}"))).collect();
        (!quoted.is_empty()).then(|| quoted.join(", "))
    };
    let wishes = [
        ("at most, in tokens", one(&view.max_tokens)),
        ("temperature", one(&view.temperature)),
        ("ends at", several(&view.stop_sequences)),
        ("wants a model like", several(&view.model_hints)),
        ("cost matters", one(&view.cost_priority)),
        ("speed matters", one(&view.speed_priority)),
        ("intelligence matters", one(&view.intelligence_priority)),
        ("wants the context of", one(&view.include_context)),
        ("offers the tools", several(&view.tools)),
    ];
    for (name, value) in wishes {
        lines.extend(value.map(|value| format!("({name}: {value})")));
    }
    if view.cut {
        lines.push(
            "(There is more than is shown: `signalbox show --json` has the request as received.)".to_owned(),
        );
    }
    lines
}

fn said(lines: &mut Vec<String>, role: &str, text: &str) {
    let text = sanitise::lines(text);
    let mut each = text.lines();
    lines.push(format!("[{role}] {}", each.next().unwrap_or_default()));
    lines.extend(each.map(|line| format!("  {line}")));
}
