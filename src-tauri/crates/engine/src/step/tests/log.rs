//! The log of decisions tells the same story as the rows, after every step.

use std::collections::{BTreeMap, BTreeSet};

use signalbox_mcp::Error;
use signalbox_model::{
    Actor, CallId, CloseReason, Decision, DecisionKind as D, InputRequest, Json, Outcome, RequestId,
    RequestState as S,
};

use super::{bench::*, disk::Disk};

/// What the log has told so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    read: usize,
    answers: BTreeMap<RequestId, Told>,
    calls: BTreeMap<CallId, Vec<D>>,
}

/// The last thing told about the answer of a question, its exact JSON, and what was told of the one before it.
#[derive(Debug, Clone)]
struct Told {
    last: D,
    json: Option<Json>,
    earlier: Option<Box<Told>>,
    /// Another answer was taken back, and this one is the last again.
    again: bool,
}

impl Log {
    /// Reads what is new, and compares with the rows it is about.
    pub(crate) fn read_on(&mut self, disk: &Disk) {
        let (mut requests, mut calls) = (BTreeSet::new(), BTreeSet::new());
        for decision in &disk.decisions[self.read..] {
            let ours = decision.json.as_ref().is_some_and(|json| json.text().starts_with(r#"{"roots""#));
            let of = decision.request.and_then(|id| disk.requests.get(&id));
            let away =
                decision.kind == D::Closed && of.is_some_and(|row| row.reason == Some(CloseReason::PutAway));
            let by_person = by_person(decision.kind) && !ours || away;
            assert_eq!(decision.by == Actor::Person, by_person, "{decision:?}");
            match decision.request {
                Some(id) => {
                    self.answer(id, decision, of.is_some_and(|row| row.hosted.is_some()));
                    requests.insert(id);
                }
                None => {
                    let call = decision.call.expect("an entry is about something");
                    self.call(call, decision.kind);
                    calls.insert(call);
                }
            }
        }
        self.read = disk.decisions.len();
        // Of large crowds only what was just told about.
        if disk.requests.len() < 50 {
            requests.extend(disk.requests.keys().copied());
        }
        if disk.calls.len() < 50 {
            calls.extend(disk.calls.keys().copied());
        }
        for id in requests {
            if let Some(row) = disk.requests.get(&id) {
                self.agrees(row);
            }
        }
        for id in calls {
            self.agrees_on_call(id, disk);
        }
    }

    fn answer(&mut self, id: RequestId, decision: &Decision, hosted: bool) {
        let told = self.answers.get(&id);
        let last = told.map(|told| told.last);
        let fits = match decision.kind {
            D::Answered => {
                matches!(
                    last,
                    None | Some(D::Undone | D::Lapsed | D::NotTaken | D::Refused | D::Unknown | D::Closed)
                )
            }
            // What certainly never left says so.
            D::Undone => last == Some(D::Answered) || last == Some(D::Sent) && decision.text.is_some(),
            D::Lapsed => last == Some(D::Answered) || last == Some(D::Sent) && decision.text.is_some(),
            // What may not have arrived goes again where the server fetches it.
            D::Sent => matches!(last, Some(D::Answered | D::Sent | D::Unknown)),
            // Of several requests that fetch it one may be lost, and another have got it.
            D::Acknowledged => matches!(last, Some(D::Sent | D::Unknown)),
            D::Refused => matches!(last, Some(D::Answered | D::Sent)),
            D::Taken => {
                matches!(last, Some(D::Answered | D::Sent | D::Acknowledged | D::NotTaken | D::Unknown))
            }
            // The last sending before a restart may be one of those that are not entered.
            D::Unknown => matches!(last, Some(D::Answered | D::Sent)) || hosted && last == Some(D::Unknown),
            D::NotTaken => matches!(last, Some(D::Acknowledged | D::Taken)),
            D::Closed => matches!(last, Some(D::Answered | D::Sent | D::NotTaken | D::Refused | D::Unknown)),
            other => panic!("{other:?} is about no answer"),
        };
        assert!(fits, "{id:?}: {:?} cannot follow {last:?}", decision.kind);
        let exact = matches!(decision.kind, D::Answered | D::Sent);
        let sent_before = matches!(last, Some(D::Sent | D::Unknown));
        let again = decision.kind == D::Sent && sent_before && decision.text.as_deref() == Some("again");
        let declined = matches!(decision.text.as_deref(), Some("decline" | "cancel"));
        assert!(decision.json.is_some() == (exact && !again) || declined, "{decision:?}");
        if decision.kind == D::Sent && !again {
            assert_eq!(told.and_then(|told| told.json.clone()), decision.json, "sent as answered");
        }
        let json = decision.json.clone().or_else(|| told.and_then(|told| told.json.clone()));
        let told = self.answers.remove(&id);
        let told = match decision.kind {
            D::Answered => {
                let stood = |told: &Told| matches!(told.last, D::NotTaken | D::Refused | D::Unknown);
                let earlier = told.filter(stood).map(Box::new);
                // A no may have no JSON: that of the answer before is none of it.
                Told { last: D::Answered, json: decision.json.clone(), earlier, again: false }
            }
            kind => match told.and_then(|told| told.earlier) {
                // The answer before it is the answer again.
                Some(earlier) if matches!(kind, D::Undone | D::Lapsed) => Told { again: true, ..*earlier },
                earlier => Told { last: kind, json, earlier, again: false },
            },
        };
        self.answers.insert(id, told);
    }

    fn call(&mut self, id: CallId, kind: D) {
        let told = self.calls.entry(id).or_default();
        let wish = told
            .iter()
            .rfind(|kind| matches!(kind, D::CancelRequested | D::CancelAcknowledged | D::CancelRefused));
        let fits = match kind {
            D::Called | D::Adopted => told.is_empty(),
            D::CancelRequested => wish != Some(&D::CancelRequested),
            D::CancelAcknowledged | D::CancelRefused => wish == Some(&D::CancelRequested),
            D::Sent => wish == Some(&D::CancelRequested),
            D::NotSent => told.first() == Some(&D::Called) && !told.contains(&D::NotSent),
            D::Unknown => !told.contains(&D::Unknown),
            D::Forgotten => true,
            other => panic!("{other:?} is about no call"),
        };
        assert!(fits, "{id:?}: {kind:?} cannot follow {told:?}");
        assert!(!told.contains(&D::Forgotten), "nothing is told of what was forgotten: {id:?} {kind:?}");
        told.push(kind);
    }

    fn agrees(&self, row: &InputRequest) {
        let told = self.answers.get(&row.id);
        let (last, again) = (told.map(|told| told.last), told.is_some_and(|told| told.again));
        let answer = row.answer.as_ref();
        let sent = answer.is_some_and(|answer| answer.sent_at.is_some());
        let taken = answer.is_some_and(|answer| answer.taken_at.is_some());
        let fits = match last {
            // It may have been said to a request that was asked anew since: to that one nothing was.
            Some(D::NotTaken | D::Refused | D::Unknown) if again && answer.is_none() => {
                matches!(row.state, S::Open | S::Closed | S::Orphaned)
            }
            None | Some(D::Undone | D::Lapsed) => {
                answer.is_none() && matches!(row.state, S::Open | S::Closed | S::Orphaned)
            }
            Some(D::Answered) => matches!(row.state, S::Held | S::Sending) && !sent,
            Some(D::Sent) => row.state == S::Sending,
            Some(D::Acknowledged) => row.state == S::Answered && sent && !taken,
            Some(D::Taken) => row.state == S::Answered && taken,
            Some(D::NotTaken) => row.state == S::NotTaken,
            Some(D::Refused) => row.state == S::Refused,
            // Of what a server fetches again and again not each sending is entered.
            Some(D::Unknown) => {
                row.state == S::Unknown || row.hosted.is_some() && row.state == S::Sending && sent
            }
            // A question that is asked again has no answer.
            Some(D::Closed) => {
                matches!(
                    (row.state, answer),
                    (S::Closed, Some(_)) | (S::Open | S::Closed | S::Orphaned, None)
                )
            }
            Some(other) => panic!("{other:?} is about no answer"),
        };
        assert!(fits, "the log says {last:?}, the row {row:?}");
    }

    fn agrees_on_call(&self, id: CallId, disk: &Disk) {
        let told = self.calls.get(&id).map_or(&[] as &[D], Vec::as_slice);
        let Some(row) = disk.calls.get(&id) else {
            assert_eq!(told.last(), Some(&D::Forgotten), "nothing vanishes but what was forgotten: {id:?}");
            return;
        };
        assert!(matches!(told.first(), Some(D::Called | D::Adopted)), "{id:?}: {told:?}");
        let of_wish =
            |kind: &&D| matches!(kind, D::CancelRequested | D::CancelAcknowledged | D::CancelRefused);
        let (wished, acknowledged) = match told.iter().rfind(of_wish) {
            None | Some(D::CancelRefused) => (false, false),
            Some(kind) => (true, *kind == D::CancelAcknowledged),
        };
        let cancel = row.cancel.as_ref();
        assert_eq!(cancel.is_some(), wished, "{told:?} {row:?}");
        assert_eq!(cancel.is_some_and(|cancel| cancel.acknowledged_at.is_some()), acknowledged, "{row:?}");
        let lost = row.note.as_ref().is_some_and(|note| note.code == NoteCode::Lost);
        let unknown =
            row.outcome == Some(Outcome::Unknown) || row.outcome == Some(Outcome::Cancelled) && lost;
        assert_eq!(told.contains(&D::Unknown), unknown, "{told:?} {row:?}");
    }

    /// What goes to the wire has been told, byte for byte. Of what a server fetches again and again, from a task that we host,
    /// not each time.
    pub(crate) fn told_before_sending(&self, request: RequestId, response: &Json, hosted: bool) {
        let told = self.answers.get(&request);
        let is_told = |last| last == D::Sent || hosted && last == D::Unknown;
        let fits = told.is_some_and(|told| is_told(told.last) && told.json.as_ref() == Some(response));
        assert!(fits, "{request:?} is sent and the log says {told:?}");
    }

    /// So has a wish to cancel.
    pub(crate) fn told_before_cancelling(&self, call: CallId) {
        let told = self.calls.get(&call).map_or(&[] as &[D], Vec::as_slice);
        let since = told.iter().rposition(|kind| *kind == D::CancelRequested).expect("it was wished");
        assert!(told[since..].contains(&D::Sent), "{call:?} is to be cancelled and the log says {told:?}");
    }

    /// So has a call.
    pub(crate) fn told_before_calling(&self, call: CallId, tool: &str, arguments: &Json, disk: &Disk) {
        assert_eq!(self.calls.get(&call).map(Vec::as_slice), Some([D::Called].as_slice()));
        let entry = disk.decisions.iter().rev().find(|entry| entry.call == Some(call));
        let entry = entry.expect("it was told");
        assert_eq!((entry.json.as_ref(), entry.text.as_deref()), (Some(arguments), Some(tool)));
    }
}

fn by_person(kind: D) -> bool {
    matches!(kind, D::Called | D::Adopted | D::Answered | D::Undone | D::CancelRequested | D::Forgotten)
}

#[test]
fn no_entry_quotes_a_task_id() {
    let mut bench = Bench::new();
    let (call, questions) = bench.asked_task(&["a"]);
    let wish = bench.task();
    let [asked, wished] = [call, wish].map(|id| bench.row(id).task.as_ref().unwrap().task_id.clone());
    let quoting = |task: &str| {
        Err(Error::Rpc { code: -1, message: format!("{task} is busy"), data: None, raw: json("{}") })
    };
    bench.answer(questions[0], 0).unwrap();
    bench.wish(bench.cancels(wish)).unwrap();
    bench.reply_update(call, quoting(&asked));
    bench.reply_cancel(wish, quoting(&wished));
    let notes = bench.disk.decisions.iter().filter_map(|entry| entry.note.as_ref());
    let texts: Vec<_> = notes.map(|note| Json::of(note).text().to_owned()).collect();
    assert_eq!(texts.iter().filter(|text| text.contains("is busy")).count(), 2, "{texts:?}");
    let quoted = texts.iter().any(|text| text.contains(&asked) || text.contains(&wished));
    assert!(!quoted, "entries leave with every export: {texts:?}");
}
