//! Lists, page by page.

use signalbox_mcp::{Error, Options};
use signalbox_model::Json;

use crate::{
    peer::{Peer, soon},
    support::{Server, ok_json, response},
};

#[tokio::test]
async fn lists_are_read_to_their_end() {
    let mut server = Server::start(|request| {
        let page = match request.body["params"].get("cursor").map(|cursor| cursor.as_str().unwrap_or("?")) {
            None => r#"{"tools":[{"name":"a","annotations":{"title":"A"}},{"title":"nameless"}],"nextCursor":""}"#,
            Some("") => {
                r#"{"tools":[{"name":"b","title":"B","inputSchema":{"type":"object"}},
                    {"name":"bad","inputSchema":{"properties":{"x":{"type":"number","x-mcp-header":"X"}}}}],"nextCursor":"2"}"#
            }
            Some(_) => r#"{"tools":[{"name":"c"}],"nextCursor":null}"#,
        };
        ok_json(&request.result(page))
    })
    .await;
    let tools = server.client(Options::default()).list_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| (tool.name.as_str(), tool.title.as_deref())).collect();
    assert_eq!(names, [("a", Some("A")), ("b", Some("B")), ("c", None)]);
    assert_eq!(tools[1].input_schema.as_ref().map(Json::text), Some(r#"{"type":"object"}"#));
    assert_eq!(server.received().len(), 3, "an empty string is a cursor");
}

#[tokio::test]
async fn lists_without_an_end_are_given_up() {
    let cases = [
        (r#"{"tools":[],"nextCursor":"again"}"#, 2, "a repeated cursor"),
        (r#"{"tools":[],"nextCursor":7}"#, 1, "a cursor that is no text"),
        (r#"{"tools":{}}"#, 1, "no list"),
        ("{}", 1, "no list at all"),
    ];
    for (page, requests, why) in cases {
        let mut server = Server::start(move |request| ok_json(&request.result(page))).await;
        let error = server.client(Options::default()).list_tools().await.expect_err(why);
        assert!(matches!(error, Error::Protocol { .. }), "{why}: {error:?}");
        assert_eq!(server.received().len(), requests, "{why}");
    }
    let mut server = Server::start(|request| {
        ok_json(&request.result(&format!(r#"{{"tools":[],"nextCursor":"{}"}}"#, request.body["id"])))
    })
    .await;
    let options = Options { page_limit: 5, ..Options::default() };
    let error = server.client(options).list_tools().await.expect_err("ever new cursors");
    assert_eq!(error.to_string(), "its list of tools has more than 5 pages");
    assert_eq!(server.received().len(), 5, "pages are bounded");
}

/// One more page of a list that has no end.
fn page(entry: &str, count: usize, cursor: &str) -> String {
    format!(r#"{{"tools":[{}],"nextCursor":"{cursor}"}}"#, vec![entry; count].join(","))
}

#[tokio::test]
async fn lists_are_bounded_in_bytes() {
    let large = format!(r#"{{"name":"t","description":"{}"}}"#, "x".repeat(1_000));
    let small = r#"{"name":"t"}"#;
    let cursor = "c".repeat(40_000);
    let cases = [
        (large.as_str(), 20, "", 4, "entries that are large"),
        (small, 100, "", 4, "entries that are many"),
        (small, 0, cursor.as_str(), 3, "cursors"),
        (large.as_str(), 200, "", 1, "one page"),
    ];
    for (entry, count, cursor, requests, why) in cases {
        let (entry, cursor) = (entry.to_owned(), cursor.to_owned());
        let mut server = Server::start(move |request| {
            let cursor = format!("{cursor}{}", request.body["id"]);
            ok_json(&request.result(&page(&entry, count, &cursor)))
        })
        .await;
        let options = Options { list_limit: 100_000, ..Options::default() };
        let error = server.client(options).list_tools().await.expect_err(why);
        assert_eq!(error.to_string(), "its list of tools has more than 100000 bytes", "{why}");
        assert_eq!(server.received().len(), requests, "{why}: no more is asked for");
    }
}

#[tokio::test]
async fn a_page_is_read_no_further_than_the_list_may_be_large() {
    let mut peer = Peer::start().await;
    let client = peer.client(Options { list_limit: 100_000, ..Options::default() });
    let listing = tokio::spawn(async move { client.list_tools().await });
    let list = peer.take("tools/list").await;
    list.bytes(&response(200, "content-type: application/json\r\n", &"x".repeat(1_000_000))).await;
    let error = soon("the end of the list", listing).await.unwrap().expect_err("too large");
    assert!(matches!(error, Error::TooMuch { .. }), "{error:?}");

    let client = peer.client(Options { list_limit: 100_000, ..Options::default() });
    let listing = tokio::spawn(async move { client.list_tools().await });
    let mut events = peer.take("tools/list").await.stream().await;
    events.write(&format!("data: {}", "x".repeat(200_000))).await;
    let error = soon("the end of the list", listing).await.unwrap().expect_err("an event without an end");
    assert!(matches!(error, Error::TooMuch { .. }), "{error:?}");
}
