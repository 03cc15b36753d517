//! `@modelcontextprotocol/server` 2.x (npm) over both transports: the modern wire, with tasks by hand.

use serde_json::{Value, json};
use signalbox_mcp::{
    CallOptions, CallReply, Client, Connection, FoundServer, Meaning, QuestionView, Remembered, RoundAnswers,
    SubscriptionFilter, TaskView,
};
use signalbox_model::{Json, Mode, Status};
use signalbox_tests::soon;

use super::{client, raw, said, value};
use crate::kit::{Foreign, Http, Kind, Transport};

const BOTH: [Transport; 2] = [Transport::Stdio, Transport::Http];

struct Modern {
    foreign: Foreign,
    http: Option<Http>,
    client: Client,
    found: FoundServer,
}

async fn modern(transport: Transport) -> Modern {
    let foreign = Foreign::new(Kind::Script);
    let http = match transport {
        Transport::Http => Some(foreign.listen().await),
        Transport::Stdio => None,
    };
    let client = client(http.as_ref().map_or_else(|| foreign.endpoint(), Http::endpoint));
    match soon("a connection", client.connect(Remembered::default())).await.unwrap() {
        Connection::Modern(found) => Modern { foreign, http, client, found },
        Connection::Legacy { found, .. } => panic!("a server of the modern wire: {found:?}"),
    }
}

impl Modern {
    async fn called(&self, tool: &str, round: Option<RoundAnswers>) -> signalbox_mcp::Called {
        let options = CallOptions { round, ..CallOptions::default() };
        soon(tool, self.client.call_tool(tool, &raw(&json!({})), options)).await.unwrap()
    }

    async fn call(&self, tool: &str) -> String {
        match self.called(tool, None).await.reply {
            CallReply::Task(task) => task.task_id.unwrap(),
            other => panic!("{other:?}"),
        }
    }

    async fn task(&self, id: &str) -> TaskView {
        TaskView::read(&soon("a look", self.client.get_task(id)).await.unwrap())
    }

    async fn answer(&self, id: &str, key: &str, answer: Value) {
        let responses = [(key.to_owned(), raw(&answer))];
        soon("an answer", self.client.update_task(id, &responses)).await.unwrap();
    }
}

fn result_of(task: &TaskView) -> String {
    said(task.result.as_ref().unwrap_or_else(|| panic!("{task:?}")))
}

#[tokio::test]
async fn it_is_found_to_be_modern_with_its_tools() {
    for transport in BOTH {
        let server = modern(transport).await;
        assert_eq!(server.found.server.protocol_version, "2026-07-28");
        assert!(server.found.server.tasks, "{:?}", server.found);
        let tools = server.client.list_tools().await.unwrap();
        assert!(tools.iter().any(|tool| tool.name == "approve_both"), "{tools:?}");
        let at_once = server.called("at_once", None).await;
        assert_eq!((at_once.reply, said(&at_once.raw)), (CallReply::Complete, "here it is".to_owned()));
    }
}

#[tokio::test]
async fn a_created_task_carries_an_empty_content_too() {
    let server = modern(Transport::Http).await;
    let called = server.called("slow", None).await;
    assert_eq!(value(&called.raw)["content"], json!([]), "the package adds it");
    let CallReply::Task(task) = called.reply else { panic!("{called:?}") };
    assert_eq!((task.status, task.status_message.as_deref()), (Status::Working, Some("digging")));
}

#[tokio::test]
async fn a_slow_task_is_followed_to_its_result() {
    for transport in BOTH {
        let server = modern(transport).await;
        let id = server.call("slow").await;
        assert_eq!(server.task(&id).await.status, Status::Working);
        server.called("go_on", None).await;
        let task = server.task(&id).await;
        assert_eq!((task.status, result_of(&task)), (Status::Completed, "found it".to_owned()));
    }
}

#[tokio::test]
async fn several_questions_are_answered_one_by_one() {
    for transport in BOTH {
        let server = modern(transport).await;
        let id = server.call("approve_both").await;
        let keys =
            |task: &TaskView| task.input_requests.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&server.task(&id).await), ["release", "sure"]);
        server.answer(&id, "sure", json!({"action": "decline"})).await;
        let task = server.task(&id).await;
        assert_eq!((task.status, keys(&task)), (Status::InputRequired, vec!["release".to_owned()]));
        server.answer(&id, "release", json!({"action": "accept", "content": {"percent": 25}})).await;
        let task = server.task(&id).await;
        let heard: Value = serde_json::from_str(&result_of(&task)).unwrap();
        let expected = json!({
            "sure": {"action": "decline"},
            "release": {"action": "accept", "content": {"percent": 25}},
        });
        assert_eq!(heard, expected);
        assert_eq!(server.foreign.journal.count("tasks/update"), 2);
    }
}

#[tokio::test]
async fn a_url_and_a_sampling_request_are_asked_inside_tasks() {
    let server = modern(Transport::Http).await;
    let task = server.task(&server.call("visit").await).await;
    let question = QuestionView::read(&task.input_requests[0].1);
    assert_eq!(
        (question.mode, question.url.as_deref()),
        (Mode::Url, Some("https://example.com/connect?state=1"))
    );
    let task = server.task(&server.call("sample").await).await;
    assert_eq!(QuestionView::read(&task.input_requests[0].1).method, "sampling/createMessage");
}

#[tokio::test]
async fn failures_and_wishes_to_cancel() {
    for transport in BOTH {
        let server = modern(transport).await;
        let task = server.task(&server.call("fail").await).await;
        assert_eq!((task.status, task.error.unwrap().message), (Status::Failed, "it broke".to_owned()));
        let task = server.task(&server.call("refuse").await).await;
        assert_eq!((task.status, result_of(&task)), (Status::Completed, "not today".to_owned()));
        let id = server.call("approve").await;
        server.client.cancel_task(&id).await.unwrap();
        assert_eq!(server.task(&id).await.status, Status::Cancelled);
        let unknown = server.client.get_task("nobody's").await.expect_err("it knows no such task");
        assert_eq!(unknown.meaning(), Some(Meaning::InvalidParams), "{unknown:?}");
    }
}

#[tokio::test]
async fn a_plain_call_asks_in_rounds_and_its_state_comes_back_as_it_was() {
    for transport in BOTH {
        let server = modern(transport).await;
        let mut round = None;
        let answers: [(&str, Json); 2] = [
            ("release", raw(&json!({"action": "accept", "content": {"percent": 25}}))),
            ("sure", raw(&json!({"action": "decline"}))),
        ];
        for (key, answer) in answers {
            let called = server.called("confirm", round).await;
            let CallReply::InputRequired { request_state, input_requests } = called.reply else {
                panic!("{called:?}")
            };
            assert_eq!(input_requests.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), [key]);
            assert!(request_state.is_some(), "signed by the package, so any other would be refused");
            round = Some(RoundAnswers { request_state, input_responses: vec![(key.to_owned(), answer)] });
        }
        let called = server.called("confirm", round).await;
        let heard: Value = serde_json::from_str(&said(&called.raw)).unwrap();
        assert_eq!(heard["known"], json!({"round": 2, "first": "accept"}));
        assert_eq!(heard["answers"], json!({"sure": {"action": "decline"}}));
    }
}

#[tokio::test]
async fn it_grants_no_subscription_to_tasks() {
    for transport in BOTH {
        let server = modern(transport).await;
        let id = server.call("slow").await;
        let wanted = SubscriptionFilter { task_ids: vec![id], ..SubscriptionFilter::default() };
        let subscription = soon("the acknowledgement", server.client.listen(&wanted)).await.unwrap();
        assert_eq!(
            subscription.granted(),
            &SubscriptionFilter::default(),
            "it knows no subscription to tasks"
        );
    }
}

#[tokio::test]
async fn its_restart_costs_nothing() {
    let mut server = modern(Transport::Http).await;
    let id = server.call("approve").await;
    let port = server.http.take().unwrap().kill().await;
    server.http = Some(server.foreign.listen_at(port).await);
    assert_eq!(server.task(&id).await.status, Status::InputRequired, "no session went with it");
    server.answer(&id, "release", json!({"action": "decline"})).await;
    assert_eq!(server.task(&id).await.status, Status::Completed);
}
