//! One property's schema seen through its references, `allOf`, and the `null` branch that only makes it optional.

use serde_json::{Map, Value};

use crate::MAX_DEPTH;
use crate::schema::pointer_of;
use crate::spec::Why;

/// Layers of keywords, the nearest first. Layers are looked up, never merged: the validator knows the exact rules, the
/// form only needs what to show.
pub(crate) struct View<'a> {
    layers: Vec<&'a Map<String, Value>>,
    /// The non-null branches of `anyOf` / `oneOf`, where there are several.
    pub(crate) branches: Vec<&'a Value>,
    /// A `null` branch was seen.
    pub(crate) nullable: bool,
    /// Why the property cannot be shown whatever its keywords say.
    pub(crate) obstacle: Option<Why>,
}

impl<'a> View<'a> {
    pub(crate) fn of(root: &'a Value, node: &'a Value) -> Self {
        let mut view = Self { layers: Vec::new(), branches: Vec::new(), nullable: false, obstacle: None };
        view.add(root, node, Why::TooDeep);
        view
    }

    fn add(&mut self, root: &'a Value, node: &'a Value, when_endless: Why) {
        let Some(map) = node.as_object() else { return };
        if self.layers.len() >= MAX_DEPTH {
            self.obstacle = Some(when_endless);
            return;
        }
        self.layers.push(map);
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            match pointer_of(reference).and_then(|pointer| root.pointer(&pointer)) {
                Some(target) => self.add(root, target, Why::Reference),
                None => self.obstacle = Some(Why::Reference),
            }
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            parts.iter().for_each(|part| self.add(root, part, when_endless));
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(all)) = map.get(keyword) else { continue };
            let branches: Vec<_> = all.iter().filter(|branch| !is_null(branch)).collect();
            self.nullable |= branches.len() < all.len();
            match branches[..] {
                // A lone constant is still an option with its title.
                [one] if one.get("const").is_none() => self.add(root, one, when_endless),
                _ => self.branches.extend(branches),
            }
        }
    }

    pub(crate) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.layers.iter().find_map(|layer| layer.get(keyword))
    }

    pub(crate) fn all(&self, keyword: &'a str) -> impl Iterator<Item = &'a Value> {
        self.layers.iter().filter_map(move |layer| layer.get(keyword))
    }

    pub(crate) fn text(&self, keyword: &str) -> Option<&'a str> {
        self.get(keyword)?.as_str().filter(|text| !text.trim().is_empty())
    }

    /// The declared types without `null`; whether `null` was among them.
    pub(crate) fn types(&self) -> (Vec<&'a str>, bool) {
        let names: Vec<_> = match self.get("type") {
            Some(Value::String(name)) => vec![name.as_str()],
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let null = names.contains(&"null");
        (names.into_iter().filter(|name| *name != "null").collect(), null)
    }
}

fn is_null(branch: &Value) -> bool {
    branch.get("type").is_some_and(|name| name == "null") || branch.get("const").is_some_and(Value::is_null)
}
