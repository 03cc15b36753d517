//! What holds for all schemas and contents. Called by the fuzz target (`tests/fuzz`), and on its seeds by the tests;
//! no part of the program.

use serde_json::{Map, Value};

use crate::{FormSpec, MAX_SUBSCHEMAS, Verdict, check_output, form_spec, validate};

/// Reads bytes as a schema and, in the last line, content for it.
///
/// # Panics
/// Where something does not hold.
pub fn schema(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (schema, content) = text.rsplit_once('\n').unwrap_or((&text, "{}"));
    let spec = form_spec(schema);
    assert!(spec.fields.len() <= MAX_SUBSCHEMAS && (spec.fallback.is_none() || spec.fields.is_empty()));
    no_default_is_wrong(schema, &spec);
    for field in &spec.fields {
        let _ = field.parse_text(content);
    }
    let refused = validate(schema, content);
    let exact = crate::json::read(content).is_ok_and(|content| content.is_object());
    match check_output(schema, content) {
        Verdict::Valid if exact => assert_eq!(refused, Ok(()), "the form refuses what the schema allows"),
        Verdict::Invalid { errors } if exact => assert!(refused.is_err(), "nobody told {errors:?}"),
        _ => {}
    }
}

/// A person who changes nothing sends what fits.
fn no_default_is_wrong(schema: &str, spec: &FormSpec) {
    let default = |text: &String| serde_json::from_str::<Value>(text).expect("a default is JSON");
    let defaults = spec.fields.iter().filter_map(|f| Some((f.name.clone(), default(f.default.as_ref()?))));
    let defaults = Value::Object(Map::from_iter(defaults)).to_string();
    for error in validate(schema, &defaults).err().unwrap_or_default() {
        let shown = |name: &String| spec.fields.iter().any(|f| f.name == *name && f.default.is_some());
        let mut place = String::new();
        error.field.as_ref().inspect(|name| crate::json::push(&mut place, name));
        let wrong = error.path == place && error.field.as_ref().is_some_and(shown);
        assert!(!wrong, "a default is offered that is refused: {error:?}");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn hold_on_the_seeds() {
        let folder = format!("{}/../../../tests/fuzz/seeds/schema", env!("CARGO_MANIFEST_DIR"));
        let seeds: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
        assert!(seeds.len() > 5, "the seeds are where they are expected");
        for seed in seeds {
            super::schema(&std::fs::read(seed.unwrap().path()).unwrap());
        }
    }
}
