//! Lists, page by page.

use signalbox_mcp::{Error, Options};
use signalbox_model::Json;

use crate::support::{Server, ok_json};

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
    assert!(matches!(error, Error::Protocol { .. }), "{error:?}");
    assert_eq!(server.received().len(), 5, "pages are bounded");
}
