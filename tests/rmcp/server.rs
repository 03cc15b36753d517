//! A task server on rmcp's own task manager, over Streamable HTTP.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ContentBlock,
    CreateTaskResult, GetTaskParams, GetTaskResult, InputRequest, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, UpdateTaskParams,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::watch;

/// What runs while the test looks at it.
#[derive(Clone)]
pub(crate) struct Foreign {
    tasks: TaskManager,
    /// `slow` works until this is true.
    go_on: watch::Sender<bool>,
}

/// A running server; gone with the test's runtime.
pub(crate) struct Served {
    pub(crate) url: String,
    go_on: watch::Sender<bool>,
}

impl Served {
    /// Lets `slow` come to its end.
    pub(crate) fn go_on(&self) {
        self.go_on.send_replace(true);
    }
}

pub(crate) async fn serve(json_responses: bool) -> Served {
    let go_on = watch::Sender::new(false);
    let foreign = Foreign { tasks: TaskManager::new(), go_on: go_on.clone() };
    let mut config = StreamableHttpServerConfig::default();
    config.json_response = json_responses;
    config.legacy_session_mode = !json_responses;
    let service: StreamableHttpService<Foreign, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(foreign.clone()), Arc::default(), config);
    let router = axum::Router::new().nest_service("/mcp", service);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    Served { url, go_on }
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
        let form: InputRequest = serde_json::from_value(form).unwrap();
        let response = task.request_input("release", form).await?;
        Ok(said(response.to_string()))
    }
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
        Ok(ListToolsResult::with_all_items(["slow", "approve", "fail", "at_once"].map(tool).to_vec()))
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
