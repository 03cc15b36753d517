//! A task server on rmcp's own task manager, over Streamable HTTP.

use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ContentBlock,
    CreateTaskResult, GetTaskParams, GetTaskResult, InputRequest, InputRequests, InputRequiredResult,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    UpdateTaskParams,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};
use signalbox_tests::soon;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

/// What runs while the test looks at it.
#[derive(Clone)]
pub(crate) struct Foreign {
    tasks: TaskManager,
    /// `slow` works until this is true.
    go_on: watch::Sender<bool>,
}

/// A running server; dropping it ends it, its connections and its tasks.
pub(crate) struct Served {
    pub(crate) url: String,
    address: SocketAddr,
    json_responses: bool,
    go_on: watch::Sender<bool>,
    runtime: Option<Runtime>,
}

impl Served {
    /// Lets `slow` come to its end.
    pub(crate) fn go_on(&self) {
        self.go_on.send_replace(true);
    }

    /// Dies, and another one listens where it did.
    pub(crate) async fn again(self) -> Self {
        let (address, json_responses) = (self.address, self.json_responses);
        drop(self);
        serve_at(address, json_responses).await
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

pub(crate) async fn serve(json_responses: bool) -> Served {
    serve_at(SocketAddr::from(([127, 0, 0, 1], 0)), json_responses).await
}

async fn serve_at(address: SocketAddr, json_responses: bool) -> Served {
    let go_on = watch::Sender::new(false);
    let foreign = Foreign { tasks: TaskManager::new(), go_on: go_on.clone() };
    let mut config = StreamableHttpServerConfig::default();
    config.json_response = json_responses;
    config.legacy_session_mode = !json_responses;
    let service: StreamableHttpService<Foreign, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(foreign.clone()), Arc::default(), config);
    let router = axum::Router::new().nest_service("/mcp", service);
    // The port of one that died a moment ago is free once its runtime let go of it.
    let listener = soon("the port", async {
        loop {
            match TcpListener::bind(address).await {
                Ok(listener) => break listener,
                Err(_) => tokio::task::yield_now().await,
            }
        }
    });
    let listener = listener.await;
    let address = listener.local_addr().unwrap();
    let listener = listener.into_std().unwrap();
    // A runtime of its own, so that its connections die with it.
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.spawn(async move { axum::serve(TcpListener::from_std(listener).unwrap(), router).await });
    Served { url: format!("http://{address}/mcp"), address, json_responses, go_on, runtime: Some(runtime) }
}

impl Foreign {
    async fn slow(self, task: TaskContext) -> Result<CallToolResult, TaskExit> {
        task.set_status_message("digging");
        let mut go_on = self.go_on.subscribe();
        tokio::select! {
            _ = go_on.wait_for(|go_on| *go_on) => Ok(said("found it")),
            () = task.cancelled() => Err(TaskExit::Cancelled),
        }
    }

    async fn approve(task: TaskContext) -> Result<CallToolResult, TaskExit> {
        let response = task.request_input("release", form()).await?;
        Ok(said(response.to_string()))
    }

    /// A plain call that asks, in one round.
    fn confirm(request: &CallToolRequestParams) -> CallToolResponse {
        let Some(responses) = &request.input_responses else {
            let state = Some(STATE.to_owned());
            let requests = InputRequests::from_iter([("release".to_owned(), form())]);
            return InputRequiredResult::new(Some(requests), state).into();
        };
        assert_eq!(request.request_state.as_deref(), Some(STATE), "it comes back as it was");
        said(serde_json::to_string(responses).unwrap()).into()
    }
}

/// Odd, as states are allowed to be.
const STATE: &str = "{\"a\":1e400} \\u0000 ü\t";

fn form() -> InputRequest {
    let form = json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": "Release to everybody?",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "percent": { "type": "integer", "title": "Share", "minimum": 1, "maximum": 100 },
                    "note": { "type": "string", "maxLength": 20 },
                },
                "required": ["percent"],
            },
        },
    });
    serde_json::from_value(form).unwrap()
}

fn said(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn object(value: Value) -> JsonObject {
    serde_json::from_value(value).unwrap()
}

impl ServerHandler for Foreign {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tasks().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &'static str| Tool::new(name, "", object(json!({ "type": "object" })));
        Ok(ListToolsResult::with_all_items(
            ["slow", "approve", "fail", "at_once", "confirm"].map(tool).to_vec(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        assert!(
            context.client_capabilities().is_some_and(|client| client.supports_tasks()),
            "every request must say that we can follow tasks"
        );
        let options = TaskOptions::new().with_poll_interval_ms(10);
        let foreign = self.clone();
        let task = match request.name.as_ref() {
            "at_once" => return Ok(said("here it is").into()),
            "confirm" => return Ok(Self::confirm(&request)),
            "slow" => self.tasks.spawn(options, |task| Box::pin(foreign.slow(task))),
            "approve" => self.tasks.spawn(options, |task| Box::pin(Self::approve(task))),
            "fail" => self.tasks.spawn(options, |_| {
                Box::pin(async { Err(TaskExit::Error(ErrorData::internal_error("it broke", None))) })
            }),
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        };
        Ok(CallToolResponse::Task(CreateTaskResult::new(task)))
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}
