//! A connection that stands, and requests on whichever wire it speaks.

use std::sync::Arc;

use signalbox_mcp as mcp;
use signalbox_model::{Json, Obstacle};
use tokio::sync::Semaphore;

/// A server that has said on this connection what it is. Every request shares it: what a server says of itself can be
/// large.
pub(crate) struct Connected {
    pub(crate) client: mcp::Client,
    pub(crate) found: mcp::FoundServer,
    /// What is asked on the legacy wire is asked in here.
    pub(crate) session: Option<mcp::Session>,
    /// Our name for this connection.
    pub(crate) link: u64,
    pub(crate) permits: Permits,
}

/// Requests at one server at the same time, in three classes: one that is held open never delays a short one.
#[derive(Clone)]
pub(crate) struct Permits {
    /// Everything that is answered soon. Polls have a narrower limit of their own.
    pub(crate) short: Arc<Semaphore>,
    /// `tools/call`, which a server may hold open while its tool works. `tasks/result` has limits of its own.
    pub(crate) held: Arc<Semaphore>,
    /// `subscriptions/listen`: a stream, and the one that takes its place.
    pub(crate) streams: Arc<Semaphore>,
}

impl Default for Permits {
    fn default() -> Self {
        Self {
            short: Arc::new(Semaphore::new(16)),
            held: Arc::new(Semaphore::new(32)),
            streams: Arc::new(Semaphore::new(2)),
        }
    }
}

/// Requests, on whichever wire.
impl Connected {
    pub(crate) async fn list_tools(&self) -> Result<Vec<mcp::Tool>, mcp::Error> {
        match &self.session {
            Some(session) => session.list_tools().await,
            None => self.client.list_tools().await,
        }
    }

    /// None where it lists none: the modern wire has no such request.
    pub(crate) async fn list_tasks(&self) -> Result<Option<mcp::TaskList>, mcp::Error> {
        match &self.session {
            Some(session) if self.found.lists_tasks => session.list_tasks().await.map(Some),
            _ => Ok(None),
        }
    }

    pub(crate) async fn read_resource(&self, uri: &str) -> Result<Json, mcp::Error> {
        match &self.session {
            Some(session) => session.read_resource(uri).await,
            None => self.client.read_resource(uri).await,
        }
    }

    pub(crate) async fn call_tool(
        &self,
        tool: &str,
        arguments: &Json,
        options: mcp::CallOptions,
    ) -> Result<mcp::Called, mcp::Error> {
        match &self.session {
            Some(session) => session.call_tool(tool, arguments, options).await,
            None => self.client.call_tool(tool, arguments, options).await,
        }
    }

    pub(crate) async fn get_task(&self, task_id: &str) -> Result<Json, mcp::Error> {
        match &self.session {
            Some(session) => session.get_task(task_id).await,
            None => self.client.get_task(task_id).await,
        }
    }

    pub(crate) async fn cancel_task(&self, task_id: &str) -> Result<Json, mcp::Error> {
        match &self.session {
            Some(session) => session.cancel_task(task_id).await,
            None => self.client.cancel_task(task_id).await,
        }
    }

    /// `tasks/update`, which the legacy wire has not: the server speaks another wire than when it asked.
    pub(crate) async fn update_task(
        &self,
        task_id: &str,
        responses: &[(String, Json)],
    ) -> Result<Json, mcp::Error> {
        match &self.session {
            Some(_) => Err(another_wire()),
            None => self.client.update_task(task_id, responses).await,
        }
    }

    /// `tasks/result`, which the modern wire has not.
    pub(crate) async fn task_result(&self, task_id: &str) -> Result<Json, mcp::Error> {
        match &self.session {
            Some(session) => session.task_result(task_id, None).await,
            None => Err(another_wire()),
        }
    }
}

fn another_wire() -> mcp::Error {
    let why = Obstacle::OtherWire.into();
    mcp::Error::Unreachable { stage: mcp::Stage::Discover, why, retry_after: None }
}
