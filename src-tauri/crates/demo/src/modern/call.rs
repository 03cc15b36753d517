//! `tools/call` on the modern wire: a task where the client can follow one, otherwise a result, asked for in rounds.

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::client::Client;
use super::{Success, WAITING, response, responses};
use crate::calls::{Call, Origin};
use crate::dispatch::Pending;
use crate::faults::Hits;
use crate::journal::{JournalEntry, NotTaken};
use crate::protocol::{Message, Refusal, notification};
use crate::script::{Object, State, Told};
use crate::tools::{Support, Tool};
use crate::work::Wanted;
use crate::{Demo, DemoWire};

/// The end of every `requestState`: what a careless client would trim, escape or normalise.
const STATE_END: &str = ".\u{e9}\u{65}\u{301}\u{1f682}\\\"/+=%0A\t ";
/// The `requestState` of a round that asks nothing.
const COME_BACK: &str = "come back at once";

impl Demo {
    pub(super) async fn call(
        &self,
        id: &Value,
        message: &Message,
        client: Client,
        hits: &Hits,
    ) -> Result<Success, Refusal> {
        let (tool, arguments) = match Self::wanted(&message.params)? {
            Wanted::Call(tool, arguments) => (tool, arguments),
            Wanted::Problems(result) => return Ok(Success::Result(result)),
        };
        if tool.tasks != Support::Forbidden && !client.tasks {
            // Who cannot follow a task gets the end at once, if nothing must be asked or waited for.
            return match self.straight_end(tool, &arguments) {
                Some(State::Completed(result)) => Ok(Success::Result(result)),
                Some(State::Failed(error)) => Err(Refusal::Scripted(error)),
                _ => Err(client.needs_tasks().err().unwrap_or(Refusal::UnknownTask)),
            };
        }
        let told = Told { arguments: &arguments, answers: &[] };
        tool.asks().try_for_each(|(_, request)| client.needs(&request(&told)))?;
        if tool.tasks != Support::Forbidden {
            return self.create_task(tool, arguments, hits).map(Success::Result);
        }
        let state = message.params["requestState"].as_str().filter(|state| *state != COME_BACK);
        if hits.sends_back() && message.params["requestState"].is_null() {
            let round = json!({ "resultType": "input_required", "requestState": COME_BACK });
            return Ok(Success::Result(round));
        }
        let call = self.plain_call(tool, arguments, &message.params, state, hits)?;
        match message.progress_token() {
            Some(token) => {
                let (out, messages) = mpsc::channel(WAITING);
                let task = tell(self.clone(), call, tool, id.clone(), message.clone(), token.clone(), out);
                tokio::spawn(task);
                Ok(Success::Stream(messages))
            }
            None => {
                let state = self.play(&call, tool, |_| {}).await;
                self.played(&call, state).map(Success::Result)
            }
        }
    }

    fn create_task(&self, tool: &'static Tool, arguments: Object, hits: &Hits) -> Result<Value, Refusal> {
        let call = self.begin(tool, arguments, Origin::default(), None, hits)?;
        let (mut task, _) = self.modern_view(&call, tool);
        // Only `tasks/get` carries what goes with a status.
        for member in ["inputRequests", "result", "error"] {
            task.remove(member);
        }
        task.insert("resultType".into(), "task".into());
        Ok(task.into())
    }

    /// The call that this request begins, or goes on with. Only calls that ask are put on record.
    fn plain_call(
        &self,
        tool: &'static Tool,
        arguments: Object,
        params: &Value,
        state: Option<&str>,
        hits: &Hits,
    ) -> Result<Call, Refusal> {
        let begin = |arguments| {
            let origin = Origin { wire: DemoWire::Modern, plain: true, ..Origin::default() };
            if tool.asks().next().is_none() {
                return Ok(Call::passing(tool.name, arguments, origin, self.now_ms()));
            }
            self.begin(tool, arguments, origin, None, &Hits::default())
        };
        let answered = !params["inputResponses"].is_null();
        let call = match state {
            Some(state) => self.retried(tool, &arguments, state)?,
            None if answered => {
                self.journal().write(|at| JournalEntry::Retried {
                    at,
                    call: None,
                    state: None,
                    exact: false,
                });
                begin(arguments)?
            }
            None => return begin(arguments),
        };
        let responses = responses(params)?;
        if hits.loses_update() {
            for (key, response) in responses {
                self.not_taken(&call.id, key, response, NotTaken::Lost);
            }
        } else {
            self.take(&call, tool, responses)?;
        }
        Ok(self.call_on_record(&call.id).map_or(call, |(call, _)| call))
    }

    /// The call whose `requestState` this is, byte for byte, if the request is the same, too.
    fn retried(&self, tool: &Tool, arguments: &Object, state: &str) -> Result<Call, Refusal> {
        let id = state.split('.').next().unwrap_or_default();
        let call = self.call_on_record(id).map(|(call, _)| call).filter(|call| call.origin.plain);
        let exact = call.as_ref().is_some_and(|call| {
            let given_out = (0..=call.answers.len()).any(|answers| request_state(call, answers) == state);
            given_out && call.tool == tool.name && call.arguments == *arguments
        });
        let (known, state) = (call.as_ref().map(|call| call.id.clone()), Some(state.to_owned()));
        self.journal().write(|at| JournalEntry::Retried { at, call: known, state, exact });
        let ours = call.filter(|_| exact);
        ours.ok_or_else(|| Refusal::Params("requestState is unknown, expired or of another request".into()))
    }

    /// The result of a plain call that came to its end, or to questions.
    fn played(&self, call: &Call, state: State) -> Result<Value, Refusal> {
        match state {
            State::InputRequired(requests) => {
                let state = request_state(call, call.answers.len());
                let keys = requests.keys().cloned().collect();
                let (id, sent) = (call.id.clone(), state.clone());
                self.journal().write(|at| JournalEntry::Round { at, call: id, state: sent, keys });
                Ok(
                    json!({ "resultType": "input_required", "inputRequests": requests, "requestState": state }),
                )
            }
            state => state.result(),
        }
    }
}

fn request_state(call: &Call, answers: usize) -> String {
    format!("{}.{answers}{STATE_END}", call.id)
}

/// Play a plain call with progress on a stream, which ends with the response.
async fn tell(
    demo: Demo,
    call: Call,
    tool: &'static Tool,
    id: Value,
    message: Message,
    token: Value,
    out: mpsc::Sender<Value>,
) {
    let pending = Pending::new(&demo, &message);
    let mut told = None;
    let play = demo.play(&call, tool, |scene| {
        if let Some((n, of)) = scene.progress.filter(|progress| told.replace(*progress) != Some(*progress)) {
            let params =
                json!({ "progressToken": token, "progress": n, "total": of, "message": scene.message });
            // A reader too slow for progress gets on without.
            let _ = out.try_send(notification("notifications/progress", params));
        }
    });
    let state = tokio::select! {
        state = play => state,
        () = out.closed() => return,
    };
    pending.answered();
    let body = match demo.played(&call, state) {
        Ok(result) => response(&id, result),
        Err(refusal) => refusal.response(Some(&id)),
    };
    // Nobody left to read it is no failure.
    let _ = out.send(body).await;
}
