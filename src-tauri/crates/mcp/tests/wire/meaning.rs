//! What errors of known codes ask of the caller, over either wire.

use signalbox_mcp::{Error, Meaning, Options, QuestionView};
use signalbox_model::Mode;

use crate::support::{Server, response};

async fn error(error: &'static str) -> Error {
    let server = Server::start(move |request| {
        response(400, "content-type: application/json\r\n", &request.error(error))
    })
    .await;
    server.client(Options::default()).get_task("t").await.expect_err(error)
}

#[tokio::test]
async fn codes_have_meanings() {
    let supported = |versions: &[&str]| {
        Some(Meaning::UnsupportedVersion { supported: versions.iter().map(|v| (*v).to_owned()).collect() })
    };
    let cases = [
        (r#"{"code":-32020,"message":"h"}"#, Some(Meaning::HeaderMismatch)),
        (r#"{"code":-32021,"message":"c"}"#, Some(Meaning::MissingCapability { required: None })),
        (r#"{"code":-32003,"message":"c","data":7}"#, Some(Meaning::MissingCapability { required: None })),
        (r#"{"code":-32022,"message":"v","data":{"supported":["a",1,"b"]}}"#, supported(&["a", "b"])),
        (r#"{"code":-32022,"message":"v","data":{"supported":"a"}}"#, supported(&[])),
        (r#"{"code":-32601,"message":"m"}"#, Some(Meaning::MethodNotFound)),
        (r#"{"code":-32602,"message":"p"}"#, Some(Meaning::InvalidParams)),
        (r#"{"code":-32042,"message":"u"}"#, Some(Meaning::UrlElicitationRequired { questions: Vec::new() })),
        (r#"{"code":-32603,"message":"i"}"#, None),
        (r#"{"code":1,"message":"x"}"#, None),
    ];
    for (text, meaning) in cases {
        assert_eq!(error(text).await.meaning(), meaning, "{text}");
    }
    let required =
        error(r#"{"code":-32021,"message":"c","data":{"requiredCapabilities":{"sampling":{} }}}"#).await;
    let Some(Meaning::MissingCapability { required: Some(required) }) = required.meaning() else {
        panic!("{required:?}")
    };
    assert_eq!(required.text(), r#"{"sampling":{} }"#, "as received");
    assert_eq!(Error::Closed.meaning(), None);
}

#[tokio::test]
async fn urls_that_have_to_be_visited_are_questions() {
    let error = error(
        r#"{"code":-32042,"message":"sign in","data":{"elicitations":[
            {"mode":"url","elicitationId":"e","url":"https://example.com/a","message":"Sign"},7]}}"#,
    )
    .await;
    let Some(Meaning::UrlElicitationRequired { questions }) = error.meaning() else { panic!("{error:?}") };
    let views: Vec<_> = questions.iter().map(QuestionView::read).collect();
    assert_eq!(
        (views[0].mode, views[0].url.as_deref(), views[0].message.as_str()),
        (Mode::Url, Some("https://example.com/a"), "Sign")
    );
    assert_eq!(views.len(), 2, "what is illegible is a question all the same");
}
