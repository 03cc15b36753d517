//! What people do with the real command while the owner lives or dies: each command is a guest that takes over, goes on
//! with what it has under way, and says what became of it.

use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use signalbox_api::{ApiError, Code, Reply, Retry};
use signalbox_model::{Action, CallId, RequestId, Word};
use signalbox_tests::Machine;

use crate::evidence::What;
use crate::owner::signalbox_in;
use crate::plan::How;

/// So long (s) a command waits: as the owner it keeps the next `serve` waiting.
const TIME: &str = "6";

/// The commands of a round.
pub(crate) struct Guests {
    machine: Arc<Machine>,
    library: Option<PathBuf>,
    under_way: Arc<Mutex<Vec<Pid>>>,
}

impl Guests {
    pub(crate) fn new(machine: Arc<Machine>, library: Option<PathBuf>) -> Self {
        Self { machine, library, under_way: Arc::default() }
    }

    /// Starts a command at once. What comes of it is what it prints, as the error or the success of a desk.
    pub(crate) fn run(
        &self,
        args: &[String],
    ) -> Result<impl Future<Output = Result<Reply, ApiError>> + Send + 'static, ApiError> {
        let args: Vec<&str> =
            ["--timeout", TIME].into_iter().chain(args.iter().map(String::as_str)).collect();
        let mut command = signalbox_in(&self.machine, self.library.as_deref(), &args);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(failed)?;
        let pid = child.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
        self.listed().extend(pid);
        let under_way = Arc::clone(&self.under_way);
        Ok(async move {
            let output = child.wait_with_output().await;
            lock(&under_way).retain(|known| Some(*known) != pid);
            said(&output.map_err(failed)?)
        })
    }

    /// `kill -9` of all that are under way.
    pub(crate) fn kill(&self) {
        for pid in self.listed().iter() {
            // It may have ended just now. Nobody else has its number before it is waited for.
            let _ = kill_process(*pid, Signal::KILL);
        }
    }

    fn listed(&self) -> MutexGuard<'_, Vec<Pid>> {
        lock(&self.under_way)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(error: std::io::Error) -> ApiError {
    ApiError::new(Code::Internal, format!("a command could not be run: {error}"))
}

/// What a command said. One that was killed said nothing: nobody knows.
fn said(output: &Output) -> Result<Reply, ApiError> {
    let Some(code) = output.status.code() else {
        return Err(ApiError { retry: Retry::Never, ..ApiError::new(Code::Lost, "the command was killed") });
    };
    if code == 0 {
        return Ok(Reply::Done);
    }
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let failure = &printed["failure"];
    let read = |name: &str| failure[name].clone();
    let code = serde_json::from_value(read("code")).unwrap_or(Code::Internal);
    let retry = serde_json::from_value(read("retry")).unwrap_or(Retry::Never);
    let message = match failure["message"].as_str() {
        Some(message) => message.to_owned(),
        None => {
            format!("{} {}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
        }
    };
    Err(ApiError { retry, ..ApiError::new(code, message) })
}

/// An answer, and the arguments that give it.
pub(crate) fn answer(request: RequestId, how: How, content: Option<Value>) -> (What, Vec<String>) {
    let (action, word) = match how {
        How::Accept => (Action::Accept, "--accept"),
        How::Decline => (Action::Decline, "--decline"),
        How::Dismiss => (Action::Cancel, "--cancel"),
    };
    let mut response = json!({ "action": action.word() });
    let mut args = vec!["answer".to_owned(), request.to_string(), word.to_owned()];
    if let Some(content) = content {
        args.extend(["--content".to_owned(), content.to_string()]);
        response["content"] = content;
    }
    (What::Answer { request: request.0, response, held: false }, args)
}

pub(crate) fn undo(request: RequestId) -> (What, Vec<String>) {
    (What::Undo { request: request.0 }, vec!["undo".to_owned(), request.to_string()])
}

pub(crate) fn cancel(call: CallId) -> (What, Vec<String>) {
    (What::Cancel { call: call.0 }, vec!["cancel".to_owned(), call.to_string()])
}

pub(crate) fn forget(call: CallId) -> (What, Vec<String>) {
    (What::Forget { call: call.0 }, vec!["forget".to_owned(), call.to_string()])
}
