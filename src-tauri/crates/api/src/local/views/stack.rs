//! A stack of open questions, with what tells them apart.

use std::collections::HashSet;

use signalbox_catalogue::{NarrowRequest, Query};
use signalbox_engine::asks;
use signalbox_forms::members;
use signalbox_model::{Alike, Call, Identity, InputRequest, Json, PayloadKind, RequestId, beginning};
use signalbox_store::{ReadError, Reads};

use super::{About, PAGE_BYTES, Servers, Sight, all_servers, call_of, task::sound};
use crate::{
    ApiError, Code, RequestRow, Stack, StackColumn, Stacked, ViewData,
    error::read_failed,
    local::{Local, kept, rows, stacks::MOST_STACKED, tools},
};

/// So much of a value is shown, in bytes.
const LONGEST_VALUE: usize = 1024;
/// So many arguments stand side by side.
const MOST_COLUMNS: usize = 12;

impl Local {
    /// `now` is a transaction that can be read by now.
    pub(super) async fn stack(&self, id: RequestId, now: u64) -> Result<Sight, ApiError> {
        let catalogue = self.begun();
        let all = Query::default();
        catalogue.completed::<NarrowRequest>(&all).await.map_err(|error| read_failed(&error))?;
        let found = tokio::task::spawn_blocking(move || catalogue.stack_of(id, MOST_STACKED)).await;
        let found = found.map_err(|_| ApiError::new(Code::Internal, "Reading a stack panicked"))?;
        let (ids, more) = found.map_err(|error| read_failed(&error))?;
        let stack = if ids.is_empty() {
            None
        } else {
            self.read_at_once(move |reads| stack(reads, &ids, more)).await?
        };
        Ok(Sight::by_shape(About::Stack, now, ViewData::Stack { stack: stack.map(Box::new) }))
    }
}

/// What a question has in common with those that are like it; none where it is like no other.
pub(in crate::local) fn alike(
    reads: &Reads,
    request: &InputRequest,
    call: Option<&Call>,
) -> Result<Option<Alike>, ReadError> {
    let alone = match request.identity {
        Identity::Round { call, n, .. } => reads.members(call, n)?.len() == 1,
        Identity::Task { .. } | Identity::Wire { .. } => true,
    };
    Ok(Alike::of(request, call.map_or("", |call| &call.tool), alone))
}

/// A question as far as it can differ from one that is like it.
struct Member {
    stacked: Stacked,
    message: String,
    arguments: Option<Json>,
}

/// Those of these questions that are like the first one. None where that is like none of them.
fn stack(reads: &Reads, ids: &[RequestId], more: u32) -> Result<Option<Stack>, ReadError> {
    let servers = all_servers(reads)?;
    let (mut found, mut common, mut bytes) = (Vec::new(), None, 0);
    let mut left = ids.len();
    for id in ids {
        left -= 1;
        let Some((request, _)) = reads.request(*id)? else { continue };
        let (call, _) = call_of(reads, &request)?;
        let Some(now) = alike(reads, &request, call.as_ref())? else {
            if found.is_empty() {
                return Ok(None);
            }
            continue;
        };
        if *common.get_or_insert_with(|| now.clone()) != now {
            continue;
        }
        let member = member(reads, request, call.as_ref(), &servers)?;
        bytes += member.message.len() + member.arguments.as_ref().map_or(0, |json| json.text().len());
        found.push(member);
        if bytes >= PAGE_BYTES {
            break;
        }
    }
    let Some(common) = common.filter(|_| found.len() > 1) else { return Ok(None) };
    let destructive = tools::says_destructive(reads, common.server, &common.tool)?;
    let columns = columns(&found);
    let questions = found.into_iter().map(|member| filled(member, &columns)).collect();
    Ok(Some(Stack { questions, more: more.saturating_add(rows::count(left as u64)), columns, destructive }))
}

fn member(
    reads: &Reads,
    request: InputRequest,
    call: Option<&Call>,
    servers: &Servers,
) -> Result<Member, ReadError> {
    let server = servers.get(&request.server).map(|(server, _)| server);
    let arguments = match request.call {
        // One whose arguments are damaged is shown as one without them.
        Some(call) => sound(reads.payload(call, PayloadKind::Arguments))?.unwrap_or_default(),
        None => None,
    };
    let message = kept::message(&request.raw, &request.message);
    let asks = asks(&request.raw).to_string();
    let row = RequestRow {
        message: beginning(&message, LONGEST_VALUE).into_owned(),
        ..rows::request(&(&request).into(), call, server)
    };
    Ok(Member { stacked: Stacked { row, asks, values: Vec::new() }, message, arguments })
}

/// What differs: the message, and of the arguments those that are not the same in all of them.
fn columns(all: &[Member]) -> Vec<StackColumn> {
    let [first, others @ ..] = all else { return Vec::new() };
    let mut columns = Vec::new();
    if others.iter().any(|other| other.message != first.message) {
        columns.push(StackColumn::Message);
    }
    if others.iter().all(|other| text(other) == text(first)) {
        return columns;
    }
    let (mut names, mut known) = (Vec::new(), HashSet::new());
    for member in all {
        let Some(named) = named(member) else {
            columns.push(StackColumn::Arguments);
            return columns;
        };
        names.extend(named.into_iter().map(|(name, _)| name).filter(|name| known.insert(name.clone())));
    }
    let differs = |name: &String| others.iter().any(|other| value(other, name) != value(first, name));
    names.retain(differs);
    if names.is_empty() || names.len() > MOST_COLUMNS {
        // They are spelled in another way, say.
        columns.push(StackColumn::Arguments);
    } else {
        columns.extend(names.into_iter().map(|name| StackColumn::Argument { name }));
    }
    columns
}

fn text(member: &Member) -> Option<&str> {
    member.arguments.as_ref().map(Json::text)
}

/// Name and value of each argument. None where they cannot be told apart by their names.
fn named(member: &Member) -> Option<Vec<(String, &str)>> {
    let Some(text) = text(member) else { return Some(Vec::new()) };
    let named = members(text)?;
    let names: HashSet<&String> = named.iter().map(|(name, _)| name).collect();
    (names.len() == named.len())
        .then(|| named.iter().map(|(name, value)| (name.clone(), value.get())).collect())
}

fn value<'a>(member: &'a Member, name: &str) -> Option<&'a str> {
    named(member)?.into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

fn filled(member: Member, columns: &[StackColumn]) -> Stacked {
    let shown = |text: &str| beginning(text, LONGEST_VALUE).into_owned();
    let values = columns.iter().map(|column| match column {
        StackColumn::Message => Some(shown(&member.message)),
        StackColumn::Argument { name } => value(&member, name).map(shown),
        StackColumn::Arguments => text(&member).map(shown),
    });
    let values = values.collect();
    Stacked { values, ..member.stacked }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, ServerId, Timestamp};

    use super::*;

    fn asked(message: &str, arguments: Option<&str>) -> Member {
        let identity = Identity::Task { call: CallId(1), key: "k".to_owned() };
        let request = InputRequest::new(RequestId(1), ServerId(1), identity, Timestamp(0));
        let row = rows::request(&(&request).into(), None, None);
        let arguments = arguments.map(|text| Json::parse(text).unwrap());
        let stacked = Stacked { row, asks: asks(&request.raw).to_string(), values: Vec::new() };
        Member { stacked, message: message.to_owned(), arguments }
    }

    fn differ(all: Vec<Member>) -> (Vec<StackColumn>, Vec<Vec<Option<String>>>) {
        let columns = columns(&all);
        let values = all.into_iter().map(|member| filled(member, &columns).values).collect();
        (columns, values)
    }

    fn argument(name: &str) -> StackColumn {
        StackColumn::Argument { name: name.to_owned() }
    }

    #[test]
    fn only_what_differs_is_a_column() {
        let one = asked("Deploy?", Some(r#"{"service":"a","region":"eu","n":1}"#));
        let two = asked("Deploy?", Some(r#"{"region":"eu","service":"b","n":1.0}"#));
        let three = asked("Deploy?", Some(r#"{"service":"a","region":"eu","n":1,"dry":true}"#));
        let (columns, values) = differ(vec![one, two, three]);
        assert_eq!(columns, [argument("service"), argument("n"), argument("dry")], "numbers byte for byte");
        let of = |texts: [Option<&str>; 3]| texts.map(|text| text.map(str::to_owned)).to_vec();
        assert_eq!(
            values,
            [
                of([Some(r#""a""#), Some("1"), None]),
                of([Some(r#""b""#), Some("1.0"), None]),
                of([Some(r#""a""#), Some("1"), Some("true")]),
            ]
        );
    }

    #[test]
    fn what_differs_in_nothing_has_no_column() {
        assert_eq!(differ(vec![asked("a", Some("{}")), asked("a", Some("{}"))]).0, []);
        assert_eq!(differ(vec![asked("a", None), asked("b", None)]).0, [StackColumn::Message]);
    }

    #[test]
    fn arguments_that_cannot_stand_side_by_side_are_one_column() {
        let many = |value: u32| {
            let each: Vec<String> = (0..=MOST_COLUMNS).map(|n| format!("\"a{n}\":{value}")).collect();
            format!("{{{}}}", each.join(","))
        };
        for (one, two) in [
            ("[1]".to_owned(), "[2]".to_owned()),
            (r#"{"a":1,"a":2}"#.to_owned(), r#"{"a":1,"a":3}"#.to_owned()),
            ("{}".to_owned(), "{ }".to_owned()),
            (many(1), many(2)),
        ] {
            let (columns, values) = differ(vec![asked("", Some(&one)), asked("", Some(&two))]);
            assert_eq!(columns, [StackColumn::Arguments], "{one}");
            assert_eq!(values[1], [Some(two)]);
        }
    }

    #[test]
    fn a_long_value_is_cut_and_says_so() {
        let long = |end: &str| format!(r#"{{"text":"{}{end}"}}"#, "x".repeat(LONGEST_VALUE));
        let (columns, values) = differ(vec![asked("", Some(&long("a"))), asked("", Some(&long("b")))]);
        assert_eq!(columns, [argument("text")], "they differ, though not in what is shown");
        assert!(
            values
                .iter()
                .flatten()
                .flatten()
                .all(|value| value.ends_with('…') && value.len() <= LONGEST_VALUE)
        );
    }
}
