//! Subscriptions of the modern wire.

use serde_json::json;
use signalbox_mcp::{Client, Error, Meaning, Options, Pushed, Subscription, SubscriptionFilter, TaskView};
use signalbox_model::Status;

use crate::peer::{Peer, soon};

fn wanted(ids: &[&str], tools: bool) -> SubscriptionFilter {
    SubscriptionFilter {
        task_ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        tools_list_changed: tools,
    }
}

fn listening(
    client: &Client,
    wanted: SubscriptionFilter,
) -> tokio::task::JoinHandle<Result<Subscription, Error>> {
    let client = client.clone();
    tokio::spawn(async move { client.listen(&wanted).await })
}

fn meta(id: &str) -> String {
    format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#)
}

fn acknowledged(id: &str, granted: &str) -> String {
    let method = "notifications/subscriptions/acknowledged";
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"notifications":{granted},{}}}}}"#, meta(id))
}

fn task(id: &str, task: &str, status: &str) -> String {
    format!(
        r#"{{"method":"notifications/tasks","params":{{"taskId":"{task}","status":"{status}",{}}}}}"#,
        meta(id)
    )
}

fn status(pushed: Option<Pushed>) -> (String, Status) {
    match pushed {
        Some(Pushed::Task { task_id, raw }) => (task_id, TaskView::read(&raw).status),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn over_http_only_what_is_granted_comes() {
    let mut peer = Peer::start().await;
    let client = peer.client(Options::default());
    let listening = listening(&client, wanted(&["a", "b", "c"], true));
    let listen = peer.take("subscriptions/listen").await;
    assert_eq!(listen.header("mcp-method"), Some("subscriptions/listen"));
    let filter = json!({"taskIds": ["a", "b", "c"], "toolsListChanged": true});
    assert_eq!(listen.request.body["params"]["notifications"], filter);
    let id = listen.request.body["id"].to_string();
    let end = listen.request.result("{\"resultType\":\"complete\"}");
    let mut stream = listen.stream().await;
    stream.message(&task(&id, "a", "failed")).await;
    stream.message(&acknowledged("77", r#"{"taskIds":["c"]}"#)).await;
    stream.message(&acknowledged(&id, r#"{"taskIds":["b","a","z",7],"toolsListChanged":true}"#)).await;
    let mut subscription = soon("the acknowledgement", listening).await.unwrap().unwrap();
    assert_eq!(*subscription.granted(), wanted(&["a", "b"], true), "of what was wanted alone");

    for message in [
        task(&id, "c", "working"),
        task(&id, "z", "working"),
        task("77", "a", "failed"),
        "{nope".into(),
        r#"{"method":"notifications/tasks"}"#.into(),
        r#"{"id":5,"method":"notifications/tasks","params":{"taskId":"a"}}"#.into(),
        r#"{"method":"notifications/message"}"#.into(),
        r#"{"id":99,"result":{}}"#.into(),
    ] {
        stream.message(&message).await;
    }
    stream.message(&task(&id, "a", "working")).await;
    stream.message(r#"{"method":"notifications/tasks","params":{"taskId":"b","status":"paused"}}"#).await;
    stream
        .message(&format!(r#"{{"method":"notifications/tools/list_changed","params":{{{}}}}}"#, meta(&id)))
        .await;
    stream.message(&task(&format!("\"{id}\""), "a", "completed")).await;
    assert_eq!(status(subscription.next().await), ("a".into(), Status::Working));
    assert_eq!(
        status(subscription.next().await),
        ("b".into(), Status::Unknown),
        "on a stream of its own no id is needed"
    );
    assert_eq!(subscription.next().await, Some(Pushed::ToolsListChanged));
    assert_eq!(
        status(subscription.next().await),
        ("a".into(), Status::Completed),
        "an id as text is one, too"
    );
    stream.message(&end).await;
    assert_eq!(subscription.next().await, Some(Pushed::Ended));
    assert_eq!(subscription.next().await, None);
    assert_eq!(subscription.next().await, None, "for good");
}

#[tokio::test]
async fn over_http_an_end_says_how_it_came() {
    let mut peer = Peer::start().await;
    let client = peer.client(Options::default());
    for (last, ended) in [(None, "Cut(Lost"), (Some(r#"{"error":{"code":-32603,"message":"x"}}"#), "Cut(Rpc")]
    {
        let listening = listening(&client, wanted(&["a"], false));
        let listen = peer.take("subscriptions/listen").await;
        let id = listen.request.body["id"].to_string();
        let mut stream = listen.stream().await;
        stream.message(&acknowledged(&id, "{}")).await;
        let mut subscription = listening.await.unwrap().unwrap();
        assert_eq!(*subscription.granted(), SubscriptionFilter::default(), "nothing is granted");
        if let Some(last) = last {
            stream.message(last).await;
        }
        drop(stream);
        let pushed = soon("the end", subscription.next()).await.unwrap();
        assert!(format!("{pushed:?}").starts_with(ended), "{pushed:?}");
        assert_eq!(subscription.next().await, None);
    }
    let listening = listening(&client, wanted(&["a"], false));
    let listen = peer.take("subscriptions/listen").await;
    let id = listen.request.body["id"].to_string();
    let mut stream = listen.stream().await;
    stream.message(&acknowledged(&id, "{}")).await;
    drop(listening.await.unwrap().unwrap());
    stream.left().await;
}

#[tokio::test]
async fn a_refusal_is_an_error() {
    let mut peer = Peer::start().await;
    let client = peer.client(Options::default());
    let refused = listening(&client, wanted(&["a"], false));
    let listen = peer.take("subscriptions/listen").await;
    let body = listen.request.error(r#"{"code":-32601,"message":"Method not found"}"#);
    listen.status(404, &body).await;
    assert_eq!(refused.await.unwrap().err().unwrap().meaning(), Some(Meaning::MethodNotFound));

    let ended = listening(&client, wanted(&["a"], false));
    peer.take("subscriptions/listen").await.result("{}").await;
    assert!(matches!(ended.await.unwrap(), Err(Error::Protocol { .. })), "an end before the beginning");

    let silent =
        peer.client(Options { request_timeout: std::time::Duration::from_millis(50), ..Options::default() });
    let silent = listening(&silent, wanted(&["a"], false));
    assert_eq!(
        silent.await.unwrap().err(),
        Some(Error::Timeout { ms: 50 }),
        "no acknowledgement, no subscription"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn over_stdio_each_has_its_own() {
    use crate::pipe::Pipe;
    let options =
        Options { event_limit: 3, event_patience: std::time::Duration::from_millis(1), ..Options::default() };
    let (mut pipe, client) = Pipe::start(options);
    let first = listening(&client, wanted(&["a", "b"], false));
    let listen = pipe.take("subscriptions/listen").await;
    let one = listen["id"].to_string();
    let second = listening(&client, wanted(&["b"], false));
    let listen = pipe.take("subscriptions/listen").await;
    let two = listen["id"].to_string();
    pipe.say(&acknowledged(&two, r#"{"taskIds":["b"]}"#)).await;
    pipe.say(&acknowledged(&one, r#"{"taskIds":["a","b"]}"#)).await;
    let mut first = soon("the acknowledgement", first).await.unwrap().unwrap();
    let mut second = soon("the acknowledgement", second).await.unwrap().unwrap();
    for message in [
        task(&one, "b", "working"),
        task(&two, "b", "completed"),
        r#"{"method":"notifications/tasks","params":{"taskId":"a"}}"#.into(),
    ] {
        pipe.say(&message).await;
    }
    pipe.result(&json!({"id": listen["id"]}), "{}").await;
    assert_eq!(status(first.next().await), ("b".into(), Status::Working));
    assert_eq!(status(second.next().await), ("b".into(), Status::Completed));
    assert_eq!(second.next().await, Some(Pushed::Ended));

    for _ in 0..6 {
        pipe.say(&task(&one, "a", "working")).await;
    }
    let looking = {
        let client = client.clone();
        tokio::spawn(async move { client.get_task("a").await })
    };
    let get = pipe.take("tasks/get").await;
    pipe.result(&get, "{}").await;
    soon("an answer behind the flood", looking).await.unwrap().unwrap();
    for _ in 0..3 {
        assert_eq!(status(first.next().await), ("a".into(), Status::Working));
    }
    assert_eq!(first.next().await, Some(Pushed::Missed(3)));

    drop(first);
    let notice = pipe.take("notifications/cancelled").await;
    assert_eq!(notice["params"]["requestId"].to_string(), one, "the server is told");
    let third = listening(&client, wanted(&["a"], false));
    let listen = pipe.take("subscriptions/listen").await;
    pipe.say(&acknowledged(&listen["id"].to_string(), "{}")).await;
    let mut third = third.await.unwrap().unwrap();
    drop(pipe);
    assert!(matches!(soon("the end", third.next()).await, Some(Pushed::Cut(Error::Exited { .. }))));
}
