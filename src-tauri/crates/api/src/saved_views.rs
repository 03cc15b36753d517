//! Saved views: what the task list shows, kept by the person under a name.
//!
//! The window keeps all of them as one preference, [`SAVED_VIEWS`]; the command reads them. It is a list such as
//! `[{"name": "failed today", "tokens": ["outcome:failed", "ended:today"], "text": "", "sort": "-ended", "group": "none",
//! "server": "s1"}]`
//!
//! - `name`: one line of at most [`LONGEST_NAME`] characters, no two the same. At most [`MOST_VIEWS`] views count.
//! - `tokens` and `text`: together, with blanks between them, the filter.
//! - `sort` and `group`: as of [`ListQuery`].
//! - `server`: the only server whose tasks it shows, where there is one.
//! - What else a window keeps with a view tells how it looks there: columns, heights. The command passes over it.
//!
//! Another version may have written it. Whatever makes no sense is as if it was not there: a view without a name, an order by a
//! key that is not known.

use serde_json::{Map, Value};
use signalbox_model::{Json, ServerId};

use crate::{ListOf, ListQuery, filter_language};

/// The name of the preference that holds them.
pub const SAVED_VIEWS: &str = "tasks.views";
/// The most views that are read.
const MOST_VIEWS: usize = 20;
/// The longest name of a view, in characters.
const LONGEST_NAME: usize = 60;
/// The most keys of an order.
const MOST_SORTS: usize = 4;

/// What the task list shows under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    /// The person's name for it.
    pub name: String,
    /// Which tasks it shows, and how they stand. A server that it is narrowed to stands in `server` alone.
    pub query: ListQuery,
    /// The only server whose tasks it shows. One that is no longer there narrows nothing.
    pub server: Option<ServerId>,
}

impl SavedView {
    /// The views that a preference holds, in the person's order.
    #[must_use]
    pub fn all(preference: Option<&Json>) -> Vec<Self> {
        let Some(Ok(Value::Array(kept))) = preference.map(Json::read) else { return Vec::new() };
        let mut views: Vec<Self> = Vec::new();
        for view in kept.iter().filter_map(Value::as_object).filter_map(Self::of) {
            if views.len() < MOST_VIEWS && views.iter().all(|other| other.name != view.name) {
                views.push(view);
            }
        }
        views
    }

    fn of(kept: &Map<String, Value>) -> Option<Self> {
        let text = |key: &str| kept.get(key).and_then(Value::as_str).unwrap_or_default();
        let name = text("name").trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return None;
        }
        let tokens = kept.get("tokens").and_then(Value::as_array);
        let tokens = tokens.into_iter().flatten().filter_map(Value::as_str);
        let filter = tokens.chain([text("text")]).collect::<Vec<_>>().join(" ");
        let language = filter_language(ListOf::Tasks);
        let is_known = |key: &str| {
            let key = key.strip_prefix('-').unwrap_or(key);
            language.sorts.iter().any(|sort| sort == key)
        };
        let sort = Some(text("sort"))
            .filter(|sort| sort.split(',').count() <= MOST_SORTS && sort.split(',').all(is_known));
        let group = Some(text("group")).filter(|group| language.groups.iter().any(|known| known == group));
        Some(Self {
            name: name.to_owned(),
            query: ListQuery {
                filter: filter.trim().to_owned(),
                within: Vec::new(),
                sort: sort.unwrap_or_default().to_owned(),
                group: group.unwrap_or_default().to_owned(),
            },
            server: text("server").parse().ok(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<SavedView> {
        SavedView::all(Some(&Json::parse(text).unwrap()))
    }

    #[test]
    fn a_view_is_read_as_the_window_keeps_it() {
        let views = all(
            r#"[{"name":"failed today","tokens":["outcome:failed","ended:today"],"text":"api","sort":"-ended,tool",
                "group":"none","server":"s3","compact":true}]"#,
        );
        let [view] = views.as_slice() else { panic!("one view: {views:?}") };
        assert_eq!(view.name, "failed today");
        assert_eq!(view.query.filter, "outcome:failed ended:today api");
        assert_eq!((view.query.sort.as_str(), view.query.group.as_str()), ("-ended,tool", "none"));
        assert_eq!(view.server, Some(ServerId(3)));
    }

    #[test]
    fn what_another_version_wrote_is_survived() {
        for odd in [
            "7",
            r#""x""#,
            "{}",
            "[7, null, []]",
            r#"[{"tokens":["a"]}]"#,
            r#"[{"name":"  "}]"#,
            r#"[{"name":7}]"#,
        ] {
            assert!(all(odd).is_empty(), "{odd}");
        }
        assert!(SavedView::all(None).is_empty());
        for sort in ["server,priority", "--started", "-", "server,,tool", "server,tool,status,started,ended"]
        {
            let views = all(&format!(
                r#"[{{"name":"odd","tokens":"x","text":9,"sort":"{sort}","group":"mood","server":7}}]"#
            ));
            let [view] = views.as_slice() else { panic!("one view: {views:?}") };
            assert_eq!(view.query, ListQuery::default(), "the desk would refuse the whole list for {sort}");
            assert_eq!(view.server, None);
        }
    }

    #[test]
    fn there_are_twenty_at_most_with_short_names_that_differ() {
        let named = |name: &str| format!(r#"{{"name":"{name}"}}"#);
        let many: Vec<String> = (0..30).map(|n| named(&format!("view {n}"))).collect();
        assert_eq!(all(&format!("[{}]", many.join(","))).len(), MOST_VIEWS);
        let long = ["ü".repeat(LONGEST_NAME), "ü".repeat(LONGEST_NAME + 1)].map(|name| named(&name));
        assert_eq!(all(&format!("[{}]", long.join(","))).len(), 1, "characters are counted, not bytes");
        assert_eq!(all(&format!("[{},{}]", named("same"), named("same"))).len(), 1);
    }
}
