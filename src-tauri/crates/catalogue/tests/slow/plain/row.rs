//! A row in full, and what may be asked of it by name.

use std::collections::BTreeMap;

use signalbox_model::{
    Attention, Call, Health, InputRequest, Mode, Origin, Outcome, RequestState, Server, Status, Tags,
    Tracking, Wire, Word,
};

/// A question, and the task that it is of.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) request: InputRequest,
    pub(crate) call: Option<Call>,
}

/// A task, and the person's own tags of it.
#[derive(Debug, Clone)]
pub(crate) struct Tagged {
    pub(crate) call: Call,
    pub(crate) tags: Tags,
}

/// All that filters, orders and heads may ask.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) number: u32,
    /// Its short id.
    pub(crate) id: String,
    pub(crate) server: Server,
    pub(crate) tool: String,
    /// Its word for each key, and which place that has among the others.
    pub(crate) words: BTreeMap<&'static str, (usize, &'static str)>,
    pub(crate) moments: BTreeMap<&'static str, i64>,
    pub(crate) tags: Vec<String>,
    /// Where plain words are looked for, in lower case.
    pub(crate) texts: Vec<String>,
    /// Plain words that were found in its full texts alone.
    pub(crate) found: Vec<&'static str>,
}

fn placed(words: &[&'static str], word: &str) -> (usize, &'static str) {
    words.iter().copied().enumerate().find(|(_, known)| *known == word).expect("a word of this key")
}

impl Row {
    pub(crate) fn of_call(Tagged { call, tags }: &Tagged, server: &Server) -> Self {
        let tags: Vec<String> = tags.iter().map(|tag| tag.as_str().to_owned()).collect();
        let is = match (call.ended(), call.open_requests) {
            (true, _) => "ended",
            (false, 0) => "working",
            (false, _) => "needs_you",
        };
        let tracking = match server.health {
            _ if call.ended() || call.tracking == Tracking::Expired => call.tracking,
            Health::SignInNeeded { .. } => Tracking::SignInNeeded,
            _ => call.tracking,
        };
        let mut words = BTreeMap::from([
            ("is", placed(&["needs_you", "working", "ended"], is)),
            ("status", placed(Status::WORDS, call.status.word())),
            ("tracking", placed(Tracking::WORDS, tracking.word())),
            ("origin", placed(Origin::WORDS, call.origin.word())),
        ]);
        words.extend(call.outcome.map(|outcome| ("outcome", placed(Outcome::WORDS, outcome.word()))));
        words.extend(call.wire.map(|wire| ("wire", placed(Wire::WORDS, wire.word()))));
        let mut moments = BTreeMap::from([("started", call.created_at.0)]);
        moments.extend(call.ended_at.map(|at| ("ended", at.0)));
        if let Some(task) = call.task.as_ref().filter(|_| !call.ended()) {
            moments.insert("changed", task.seen_at.0);
            moments.extend(task.expires_at.map(|at| ("expires", at.0)));
        }
        let called = match call.outcome {
            Some(Outcome::Ok) => "done",
            Some(Outcome::ToolError | Outcome::ProtocolError) => "failed",
            Some(Outcome::Unknown) => "arrival unknown",
            _ => "",
        };
        let message = call.task.as_ref().and_then(|task| task.status_message.as_deref());
        let mut texts = vec![&*call.tool, &call.summary, &server.name, message.unwrap_or_default(), called];
        texts.extend(tags.iter().map(String::as_str));
        // That it is followed, or no longer is, says nothing of how a task stands.
        let amiss = words.get("tracking").filter(|(_, word)| !["live", "done"].contains(word));
        let words_said = ["is", "status", "outcome"].iter().filter_map(|key| words.get(key)).chain(amiss);
        Self {
            number: call.id.0,
            id: call.id.to_string(),
            server: server.clone(),
            tool: call.tool.clone(),
            texts: said(&texts, words_said),
            words,
            moments,
            tags,
            found: Vec::new(),
        }
    }

    pub(crate) fn of_question(Question { request, call }: &Question, server: &Server) -> Self {
        let over = matches!(request.state, RequestState::Answered | RequestState::Closed);
        let lost = request.state == RequestState::Unknown && request.closed_at.is_some();
        let is = match request.state {
            RequestState::Orphaned => "stranded",
            _ if lost => "stranded",
            _ if over => "over",
            _ => "waiting",
        };
        let words = BTreeMap::from([
            ("is", placed(&["waiting", "stranded", "over"], is)),
            ("state", placed(RequestState::WORDS, request.state.word())),
            ("mode", placed(Mode::WORDS, request.mode.word())),
            ("attention", placed(Attention::WORDS, request.attention().word())),
        ]);
        let mut moments = BTreeMap::from([("started", request.opened_at.0)]);
        moments.extend(request.closed_at.filter(|_| over).map(|at| ("ended", at.0)));
        let task = call.as_ref().and_then(|call| call.task.as_ref()).filter(|_| is == "waiting");
        moments.extend(task.and_then(|task| task.expires_at).map(|at| ("expires", at.0)));
        let called = match request.state {
            RequestState::Open => "needs you",
            RequestState::Held => "can be undone",
            RequestState::Orphaned => "no longer asked",
            RequestState::Unknown => "arrival unknown",
            _ => "",
        };
        // That it waits, or for nobody, is said by how it stands.
        let plain = |(key, (_, word)): &(&&str, &(usize, &str))| {
            **key != "attention" || ["expiring", "snoozed"].contains(word)
        };
        let words_said = words.iter().filter(plain).map(|(_, word)| word);
        let (tool, summary) = call.as_ref().map_or(("", ""), |call| (&call.tool, &call.summary));
        Self {
            number: request.id.0,
            id: request.id.to_string(),
            server: server.clone(),
            tool: tool.to_owned(),
            texts: said(&[tool, summary, &server.name, &request.message, called], words_said),
            words,
            moments,
            tags: Vec::new(),
            found: Vec::new(),
        }
    }
}

/// Texts and words, as a plain word is compared with them: a blank may be written for `_`.
fn said<'a>(texts: &[&str], words: impl Iterator<Item = &'a (usize, &'static str)>) -> Vec<String> {
    let words = words.flat_map(|(_, word)| [(*word).to_owned(), word.replace('_', " ")]);
    texts.iter().map(|text| text.to_lowercase()).chain(words).collect()
}
