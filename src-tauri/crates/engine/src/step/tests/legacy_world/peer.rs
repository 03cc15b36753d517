//! A server of the legacy wire as it is: its tasks, what it has asked and what it got for an answer. It is the truth that
//! the engine's rows are held against, and knows nothing of them.

use std::collections::{BTreeMap, BTreeSet};

use signalbox_mcp::{Channel, QuestionView, ServerAsk, ServerRequest, SessionReply, TaskWish};
use signalbox_model::Json;

use super::super::{bench::json, legacy::state};

/// A task as the server has it.
#[derive(Debug, Default, Clone)]
pub(super) struct Theirs {
    /// It says that it needs input.
    pub(super) needs: bool,
    pub(super) message: u8,
    pub(super) end: Option<u8>,
    pub(super) ttl_ms: Option<u32>,
    /// The server has forgotten it.
    pub(super) gone: bool,
}

impl Theirs {
    /// What `tasks/get` shows; none where the server does not know the task.
    pub(super) fn shown(&self) -> Option<Json> {
        let status = match self.end {
            Some(0) => "completed",
            Some(1 | 2) => "failed",
            Some(_) => "cancelled",
            None if self.needs => "input_required",
            None => "working",
        };
        let ttl = self.ttl_ms.map_or("null".to_owned(), |ms| ms.to_string());
        let message = self.message;
        let shown = state(status, &format!(r#","statusMessage":"Q{message}""#));
        (!self.gone).then(|| json(&shown.text().replace(r#""ttl":null"#, &format!(r#""ttl":{ttl}"#))))
    }

    /// What `tasks/result` gives: the result, or the code of an error; none while the request is held.
    pub(super) fn result(&self) -> Option<Result<Json, i64>> {
        if self.gone {
            return Some(Err(-32602));
        }
        Some(match self.end? {
            0 => Ok(json(r#"{"content":[]}"#)),
            1 => Ok(json(r#"{"content":[],"isError":true}"#)),
            2 => Err(-32000),
            _ => Ok(json(r#"{"_meta":{}}"#)),
        })
    }
}

/// Who waits for the answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// The server, by the request that it sent, or for the task that it was given for it.
    Waits,
    /// Nobody: it has the answer, or a refusal.
    Answered,
    /// Nobody: it was withdrawn, and we were told.
    Withdrawn,
    /// Nobody: the server asked again under another id, or its session is over.
    Gone,
}

/// What the server has asked.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// What tells this question from all others.
    pub(super) words: String,
    pub(super) request: ServerRequest,
    pub(super) stands: Stands,
    /// The connection on which it came is gone, and we were told.
    pub(super) stranded: bool,
    /// Something went out to its request.
    pub(super) replied_to: bool,
    /// The session in which it was asked.
    session: u32,
    /// The server's word for the task that asks.
    pub(super) task: Option<String>,
}

/// A task that we host, as the server knows it.
#[derive(Debug, Clone, Default)]
pub(super) struct Ours {
    /// The place of its question.
    pub(super) asked: usize,
    /// The result that was delivered, and of which we know it.
    pub(super) delivered: Option<String>,
}

/// What a request of the server waits for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Waits {
    Answer(usize),
    /// The task for the answer.
    Created(usize),
    Fetch(String),
    /// The status of a task that we host; and whether it had the result when it asked.
    Status(String, bool),
    Other,
}

/// Who a question is made for.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub(super) words: String,
    pub(super) task: Option<String>,
    /// It says whose it is.
    pub(super) says: bool,
    pub(super) sampling: bool,
    pub(super) url: bool,
    /// It wants a task for the answer, for so long.
    pub(super) hosted: Option<Option<u32>>,
    pub(super) channel: Channel,
}

#[derive(Debug, Default)]
pub(super) struct Peer {
    /// The session that it would go on with.
    pub(super) session: u32,
    pub(super) tasks: BTreeMap<String, Theirs>,
    pub(super) asked: Vec<Asked>,
    pub(super) ours: BTreeMap<String, Ours>,
    /// Its requests that wait, by their ids.
    pub(super) waits: BTreeMap<String, Waits>,
    /// What it got, by the number that each answer says.
    pub(super) heard: BTreeSet<u32>,
    /// Its requests to which a reply has come of which we were not told that it came.
    untold: BTreeSet<String>,
    /// Which task of ours was last fetched by which id.
    fetched: BTreeMap<String, String>,
    last_rpc: u32,
}

impl Peer {
    /// A new id, or the last one again.
    pub(super) fn id(&mut self, again: bool) -> String {
        if !again || self.last_rpc == 0 {
            self.last_rpc += 1;
        }
        self.last_rpc.to_string()
    }

    pub(super) fn last_id(&self) -> String {
        self.last_rpc.to_string()
    }

    /// Asks a question under this id.
    pub(super) fn ask(&mut self, rpc: String, wish: &Wish) -> usize {
        let request = question(&rpc, wish);
        let at = self.asked.len();
        self.overwrite(&rpc);
        // The same asked once more is the same question to a client that was away.
        let same = self.asked.iter_mut().filter(|asked| asked.words == wish.words);
        same.filter(|asked| asked.stands == Stands::Waits).for_each(|asked| asked.stands = Stands::Gone);
        let waits = if request.as_task.is_some() { Waits::Created(at) } else { Waits::Answer(at) };
        self.waits.insert(rpc, waits);
        self.asked.push(Asked {
            words: wish.words.clone(),
            request,
            stands: Stands::Waits,
            stranded: false,
            replied_to: false,
            session: self.session,
            task: wish.task.clone(),
        });
        at
    }

    /// An id is used for something else: what waited by it waits no more.
    pub(super) fn overwrite(&mut self, rpc: &str) {
        match self.waits.remove(rpc) {
            Some(Waits::Answer(at) | Waits::Created(at)) => self.asked[at].stands = Stands::Gone,
            Some(Waits::Fetch(_) | Waits::Status(..) | Waits::Other) | None => {}
        }
    }

    /// It has given a request up, and nobody was told.
    pub(super) fn wants_no_more(&mut self, rpc: String) {
        self.untold.insert(rpc);
    }

    /// Its memory of sessions is gone, and its tasks may be.
    pub(super) fn forget(&mut self, tasks_too: bool) {
        self.session += 1;
        self.waits.clear();
        self.untold.clear();
        self.ours.clear();
        self.last_rpc = 0;
        self.asked.iter_mut().for_each(|asked| asked.stands = Stands::Gone);
        if tasks_too {
            self.tasks.values_mut().for_each(|task| task.gone = true);
        }
    }

    /// We know that the connection is gone on which all of these came.
    pub(super) fn strand(&mut self) {
        self.asked.iter_mut().for_each(|asked| asked.stranded = true);
    }

    /// A reply of ours has come. Says which answer of a person it brought, and to what.
    pub(super) fn takes(&mut self, rpc: &str, reply: &SessionReply) -> Option<(u32, usize)> {
        self.fetched.remove(rpc);
        let text = match reply {
            SessionReply::Result(json) => json.text(),
            SessionReply::Error { .. } => "",
        };
        let Some(waits) = self.waits.remove(rpc) else {
            // Another decision of a person, who could not know that the one before it had arrived.
            assert!(self.untold.contains(rpc), "nobody waits by the id {rpc} for {reply:?}");
            self.heard.extend(said_in(text));
            return None;
        };
        self.untold.insert(rpc.to_owned());
        let at = match waits {
            Waits::Answer(at) => {
                self.asked[at].stands = match self.asked[at].stands {
                    Stands::Waits => Stands::Answered,
                    other => other,
                };
                at
            }
            Waits::Created(at) => {
                match word(text, "taskId") {
                    Some(id) => {
                        let known = self.ours.entry(id.to_owned()).or_default();
                        known.asked = at;
                    }
                    None => self.asked[at].stands = Stands::Answered,
                }
                return None;
            }
            Waits::Fetch(id) => {
                self.fetched.insert(rpc.to_owned(), id.clone());
                let ours = self.ours.get_mut(&id)?;
                if !text.is_empty() && self.asked[ours.asked].stands == Stands::Waits {
                    self.asked[ours.asked].stands = Stands::Answered;
                }
                let same = ours.delivered.as_ref().is_none_or(|before| text.is_empty() || before == text);
                assert!(same, "the result of {id} was {:?} and is {text}", ours.delivered);
                ours.asked
            }
            Waits::Status(id, had_it) => {
                let back = had_it && word(text, "status") == Some("working");
                assert!(!back, "{id} is fetched and works again");
                return None;
            }
            Waits::Other => return None,
        };
        let said = said_in(text)?;
        self.heard.insert(said);
        Some((said, at))
    }

    /// We know that it has this result of a task that we host.
    pub(super) fn delivered(&mut self, rpc: &str, reply: &SessionReply) {
        self.untold.remove(rpc);
        if let (Some(id), SessionReply::Result(json)) = (self.fetched.get(rpc), reply)
            && let Some(ours) = self.ours.get_mut(id)
        {
            ours.delivered = Some(json.text().to_owned());
        }
    }

    /// Whether the server waits for an answer to this question, on a connection of which we know nothing bad.
    pub(super) fn waits_for(&self, asked: &Asked) -> bool {
        asked.stands == Stands::Waits && !asked.stranded && asked.session == self.session
    }
}

/// The number that an answer says.
pub(super) fn said_in(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("said ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// What tells a question from others, as its request has it.
pub(super) fn words_in(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("\"Q")?;
    rest.split('"').next().map(|rest| format!("Q{rest}"))
}

/// The text of a member.
fn word<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!(r#""{name}":""#))?;
    rest.split('"').next()
}

fn question(rpc: &str, wish: &Wish) -> ServerRequest {
    let Wish { words, task, says, sampling, url, hosted, channel } = wish;
    let task = task.as_ref().filter(|_| *says);
    let mut params = match (sampling, url) {
        (true, _) => {
            format!(
                r#""maxTokens":5,"messages":[{{"role":"user","content":{{"type":"text","text":"{words}"}}}}]"#
            )
        }
        (_, true) => {
            format!(r#""mode":"url","message":"{words}","url":"https://a.example/","elicitationId":"e""#)
        }
        _ => format!(r#""message":"{words}","requestedSchema":{{"type":"object"}}"#),
    };
    if let Some(ttl) = hosted {
        let ttl = ttl.map_or(String::new(), |ms| format!(r#""ttl":{ms}"#));
        params.push_str(&format!(r#","task":{{{ttl}}}"#));
    }
    if let Some(task) = task {
        params.push_str(&format!(
            r#","_meta":{{"io.modelcontextprotocol/related-task":{{"taskId":"{task}"}}}}"#
        ));
    }
    let method = if *sampling { "sampling/createMessage" } else { "elicitation/create" };
    let raw = json(&format!(r#"{{"jsonrpc":"2.0","id":{rpc},"method":"{method}","params":{{{params}}}}}"#));
    ServerRequest {
        id: rpc.to_owned(),
        ask: if *sampling { ServerAsk::Sampling } else { ServerAsk::Elicitation(QuestionView::read(&raw)) },
        related_task: task.cloned(),
        as_task: hosted.map(|ttl| TaskWish { ttl_ms: ttl.map(i64::from) }),
        channel: channel.clone(),
        raw,
    }
}
