//! More is committed at once than is remembered by number: all rows are read anew.

use super::*;

/// As many settings as it takes: nothing else of the store is less work.
pub(super) fn flood() -> Vec<Write> {
    let setting = |n| Write::PutSetting { key: format!("flood.{n}"), value: Json::of(&()) };
    (0..=65_536).map(setting).collect()
}

#[test]
fn a_list_is_whole_again_only_with_all_that_was_committed() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    commit(&store, vec![server(1, "ci")]);
    let catalogue = Catalogue::default();
    runtime().block_on(async {
        catalogue.begin(store.reads(), store.news());
        whole(&catalogue).await;
        let mut writes = flood();
        writes.push(put(call(1, 1, "deploy", None)));
        commit(&store, writes);
        let usual = catalogue.tasks(&ListQuery::default()).unwrap();
        // Whoever follows had no turn yet.
        let first = catalogue.window::<NarrowTask>(&usual, 0, 500, None).unwrap();
        assert!(first.ids.is_empty() && !first.complete, "what is behind must not call itself whole");
        assert_eq!(whole_window::<NarrowTask>(&catalogue, &usual).await.ids, [CallId(1)]);
    });
}

#[test]
fn the_list_as_it_always_is_comes_out_of_the_index_until_then() {
    let dir = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let (desk, submit) =
            desk_and_submit(dir.path(), crate::OwnerKind::Command, vec![server(1, "ci")]).await;
        whole(&desk.begun()).await;
        let mut writes = flood();
        writes.push(put(call(1, 1, "deploy", None)));
        hand_in(submit, writes).recv().unwrap().unwrap();
        let usual = look::Tasks { query: ListQuery::default(), offset: 0, limit: 10 };
        let page = desk.see(usual).await.unwrap();
        assert_eq!((numbers(&page), page.complete), (vec![1], true), "a command looks once");
    });
}
