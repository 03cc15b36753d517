//! `inbox` and `answer`.

use std::time::Duration;

use signalbox_api::{
    ApiError, Code, Desk, DeskExt as _, InboxTab, RequestDetail, RequestList, Said, command, open_page,
    tomorrow,
};
use signalbox_model::{
    Action, Identity, ItemRef, Json, Mode, No, RequestId, RequestState, Snooze, Timestamp,
};

use super::{
    Context,
    careful::{caution, destroys, once, once_more, possible},
    content::{accepted, confirmed},
    follow::HOLD,
};
use crate::args::{Answer, Inbox, Tab, Until};
use crate::exit::{Exit, Failure};
use crate::{ask, docs, input, look, text};

/// How many questions `inbox --all` lists where nobody says.
const MOST_OF_ALL: u32 = 1_000;

/// Runs `inbox`.
pub(super) async fn inbox(context: &Context<'_>, args: &Inbox) -> Result<Exit, Failure> {
    if context.owns() {
        context.refresh(look::live(context.desk, String::new()).await?).await;
    }
    if let Some(after) = args.after {
        // That there is none behind a question that there is not would be untrue.
        look::request(context.desk, after).await?;
    }
    let most = args.limit.unwrap_or(MOST_OF_ALL);
    let (list, most) = match (args.tab, args.all) {
        (Some(shown), _) => (RequestList::Tab { tab: tab(shown) }, most),
        (None, true) if args.filter.is_some() => (RequestList::All { after: None }, most),
        (None, true) => (RequestList::All { after: args.after }, most),
        (None, false) => (RequestList::Waiting, u32::MAX),
    };
    let filter = args.filter.as_deref().unwrap_or_default();
    let (entries, more) = look::requests(context.desk, list, filter, most, false).await?;
    if context.console.json {
        let requests = entries.into_iter().map(docs::Request::brief).collect();
        let requests_more = Some(more).filter(|more| *more > 0);
        context.console.document(&docs::Requests { requests, requests_more })?;
    } else {
        let none = match args.tab {
            _ if !filter.is_empty() => Some("No question matches this filter."),
            tab => tab.map(|_| "No question is on this tab."),
        };
        let rows: Vec<_> = entries.into_iter().map(|entry| entry.row).collect();
        context.console.text(&text::request::inbox(&rows, none, context.console))?;
        if let Some(last) = rows.last().filter(|_| more > 0) {
            // Behind a filter nobody can go on from where a list ended.
            context.console.say(&match args.filter {
                None if args.tab.is_none() => {
                    format!("{more} more: `signalbox inbox --all --after {}`", last.id)
                }
                _ => format!("{more} more: give a larger --limit, or filter further"),
            });
        }
    }
    Ok(Exit::Done)
}

/// `answer`: done means that the server acknowledged it.
pub(super) async fn run(context: &Context<'_>, args: &Answer) -> Result<Exit, Failure> {
    let action = action(args);
    let given = match &args.content {
        Some(content) => Some(input::object("--content", content).await?),
        None => None,
    };
    let detail = look::request(context.desk, args.request).await?;
    if args.open && detail.row.mode != Mode::Url {
        return Err(Failure::usage(format!("{} asks for no page: answer it with --accept", detail.row.id)));
    }
    // A page that was agreed to can be opened again: the desk knows how long.
    if !args.open {
        possible(&detail, action, args.again, context.console.now())?;
    }
    notable(&detail, args)?;
    once(&detail, args.again)?;
    once_more(context, &detail, action, args.again).await?;
    if args.same {
        return super::together::run(context, &detail, action, given, args).await;
    }
    let no = detail.ways.decline.filter(|_| action != Action::Accept);
    let is_given = given.is_some();
    let content = match action {
        Action::Accept => accepted(context, &detail, given).await?,
        Action::Decline | Action::Cancel => None,
    };
    if is_given {
        warn(context, args, &detail, content.as_ref()).await?;
    }
    // Where a page was agreed to before, nothing goes out: it is opened once more.
    if !(args.open && detail.ways.settled.is_some()) {
        destroys(context, &detail, action, args.destructive).await?;
    }
    let said = Said { action, content };
    match args.open {
        true => open(context, &detail, args.note.clone()).await?,
        false => send(context.desk, &detail, said.clone(), args.note.clone()).await?,
    }
    report(context, args, said, no).await
}

/// What is to be said to the question.
fn action(args: &Answer) -> Action {
    match (args.accept, args.decline) {
        _ if args.open => Action::Accept,
        (true, _) => Action::Accept,
        (_, true) => Action::Decline,
        _ => Action::Cancel,
    }
}

/// Refuses a note beside what is no decision: it would be kept nowhere.
fn notable(detail: &RequestDetail, args: &Answer) -> Result<(), Failure> {
    if !args.open || args.note.is_none() {
        return Ok(());
    }
    let id = detail.row.id;
    let why = if detail.ways.settled.is_some() {
        "it is answered already, and opening its page once more is no decision"
    } else if detail.round.as_ref().is_some_and(|round| round.paged) {
        "opening its page does not answer it yet. Once you are done there, give the note with --accept"
    } else {
        return Ok(());
    };
    Err(Failure::usage(format!("{id} takes no note now: {why}")))
}

/// Says what of the content is not checked here, and that a secret goes out with it, which the person at the terminal confirms.
async fn warn(
    context: &Context<'_>,
    args: &Answer,
    detail: &RequestDetail,
    content: Option<&Json>,
) -> Result<(), Failure> {
    let console = context.console;
    if let Some(unchecked) = text::request::unchecked(detail) {
        console.say(&format!("{} {unchecked}", text::request::UNCHECKED));
    }
    let Some(content) = content else { return Ok(()) };
    let Some(warning) = ask::secret::warning(detail, content) else { return Ok(()) };
    if !console.has_person() {
        console.say(&warning);
    }
    if args.content.as_ref().is_some_and(|content| content.starts_with('{')) {
        console.say("This secret is in the history of your shell, too.");
    }
    if console.has_person() { confirmed(console, detail, content).await } else { Ok(()) }
}

/// Tells what became of what was said. `no` is what declining means here, if it was declined or dismissed.
async fn report(context: &Context<'_>, args: &Answer, said: Said, no: Option<No>) -> Result<Exit, Failure> {
    let mut detail = look::request(context.desk, args.request).await?;
    let kept = text::ways::kept(&detail);
    let of_round = matches!(detail.identity, Identity::Round { .. });
    if of_round && kept.is_none() && detail.row.answer.is_some() {
        // It goes out with its call, and the tool may work for hours.
        context.desk.act(command::Settle { item: ItemRef::Request(args.request), said: Some(said) }).await?;
        detail = look::request(context.desk, args.request).await?;
    }
    if let Some(kept) = &kept {
        context.console.say(&format!("{kept} `signalbox undo {}` takes it back.", detail.row.id));
    }
    if context.console.json {
        context.console.document(&docs::Request::alone(&detail))?;
    } else {
        let line = text::request::change(&detail.row, context.console.paint());
        let how = match detail.row.state {
            RequestState::Sending if kept.is_some() => "The answer is kept.".to_owned(),
            RequestState::Sending => {
                "The call is made again by itself until the page is done; `show` tries at once.".to_owned()
            }
            RequestState::Open if args.open => {
                "The page is open. Once you are done there, `answer … --accept` makes the call again."
                    .to_owned()
            }
            _ => text::ways::after_no(no.unwrap_or(No::Told), &detail),
        };
        context.console.text(&format!("{how}\n{line}\n"))?;
    }
    Ok(Exit::Done)
}

/// `undo`: nothing of the answer has left, and nothing will.
pub(super) async fn undo(context: &Context<'_>, request: RequestId) -> Result<Exit, Failure> {
    let Some(answer) = look::request(context.desk, request).await?.row.answer else {
        let message = format!("{request} has no answer: there is nothing to take back");
        return Err(ApiError::new(Code::AlreadyClosed, message).into());
    };
    context.desk.act(command::Undo { request, decided_at: answer.decided_at }).await?;
    let but = if answer.masked.is_empty() { "" } else { text::request::BUT_SECRETS };
    let what = format!("Taken back: nothing of it was sent. What was said is kept as a draft{but}.");
    told(context, request, &what).await
}

/// Runs `put-away`.
pub(super) async fn put_away(context: &Context<'_>, request: RequestId) -> Result<Exit, Failure> {
    context.desk.act(command::PutAway { request }).await?;
    told(context, request, "Put away. If the server asks again, that is a new question.").await
}

/// Runs `snooze`.
pub(super) async fn snooze(context: &Context<'_>, request: RequestId, until: Until) -> Result<Exit, Failure> {
    let now = context.console.now();
    let until = match until {
        Until::After(ms) => Some(Snooze::At { at: now.plus_ms(ms) }),
        Until::Tomorrow => Some(Snooze::At { at: tomorrow(now) }),
        Until::As(until) => Some(until),
        Until::Off => None,
    };
    context.desk.act(command::Snooze { request, until }).await?;
    let row = look::request(context.desk, request).await?.row;
    let what = match row.snoozed {
        Some(until) => format!("Snoozed: {}.", text::request::snoozed(until, row.returns_at, now)),
        None => "It waits for you again.".to_owned(),
    };
    told(context, request, &what).await
}

/// The tab that is meant.
fn tab(tab: Tab) -> InboxTab {
    match tab {
        Tab::NeedsYou => InboxTab::NeedsYou,
        Tab::Expiring => InboxTab::Expiring,
        Tab::Snoozed => InboxTab::Snoozed,
        Tab::Answered => InboxTab::Answered,
    }
}

async fn told(context: &Context<'_>, request: RequestId, what: &str) -> Result<Exit, Failure> {
    let detail = look::request(context.desk, request).await?;
    if context.console.json {
        context.console.document(&docs::Request::alone(&detail))?;
    } else {
        let line = text::request::change(&detail.row, context.console.paint());
        context.console.text(&format!("{what}\n{line}\n"))?;
    }
    Ok(Exit::Done)
}

/// Opens its page, as it was read here.
async fn open(context: &Context<'_>, detail: &RequestDetail, remark: Option<String>) -> Result<(), ApiError> {
    let asks = Some(detail.asks.clone());
    open_page(context.desk, detail.row.id, seen(detail), remark, asks, context.browser).await
}

/// When the last answer was decided that is known here.
fn seen(detail: &RequestDetail) -> Option<Timestamp> {
    detail.row.answer.as_ref().map(|answer| answer.decided_at)
}

async fn send(
    desk: &dyn Desk,
    detail: &RequestDetail,
    Said { action, content }: Said,
    remark: Option<String>,
) -> Result<(), ApiError> {
    let (request, seen, asks) = (detail.row.id, seen(detail), Some(detail.asks.clone()));
    desk.act(command::Answer { request, action, content, hold_ms: 0, seen, remark, asks }).await
}

/// How asking in the middle of a call went.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Answered, or over by other means: whatever is open next may be asked.
    Settled,
    /// The person wants to answer later.
    Later,
    /// The input has ended.
    Nobody,
}

/// Puts a question to the person at the terminal and delivers the answer. A question that closes meanwhile is dropped.
pub(super) async fn interactively(context: &Context<'_>, request: RequestId) -> Result<Asked, Failure> {
    let mut note = None;
    loop {
        let detail = look::request(context.desk, request).await?;
        if detail.ways.settled.is_some() {
            return Ok(Asked::Settled);
        }
        let decision = tokio::select! {
            decision = ask::decide(context.console, &detail, &mut note) => decision,
            state = settled(context.desk, request) => {
                let how = text::words(&state?);
                context.console.block(&format!("\n{request} is {how} now: no answer is needed here."));
                // What is half typed belongs to the old question, not to the next one.
                return Ok(match context.console.line("Press Enter to go on. ").await {
                    Some(_) => Asked::Settled,
                    None => Asked::Nobody,
                });
            }
        };
        let caution = if decision.agrees() { caution(context, &detail).await } else { None };
        let done = match decision {
            ask::Decision::Answer(..) | ask::Decision::Open
                if !ask::is_wanted(context.console, &detail, &decision, caution.as_deref()).await =>
            {
                return Ok(Asked::Later);
            }
            ask::Decision::Answer(action, content) => {
                send(context.desk, &detail, Said { action, content }, note.clone()).await
            }
            ask::Decision::Open => open(context, &detail, note.clone()).await,
            ask::Decision::Later => return Ok(Asked::Later),
            ask::Decision::Nobody => return Ok(Asked::Nobody),
        };
        match done {
            // A page before a call is asked about again: whether the person is done there.
            Ok(()) => {}
            Err(error) if again(error.code) => crate::ends::say(context.console, &error),
            Err(error) if settles(error.code) => {
                crate::ends::say(context.console, &error);
                return Ok(Asked::Settled);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Errors after which the same question is put again.
fn again(code: Code) -> bool {
    matches!(
        code,
        Code::InvalidContent
            | Code::NotPossible
            | Code::NoPage
            | Code::ServerError
            | Code::BrowserFailed
            | Code::AnsweredMeanwhile
            | Code::ChangedMeanwhile
    )
}

/// Errors after which the answer is on its way, or no longer wanted.
fn settles(code: Code) -> bool {
    matches!(code, Code::Unreachable | Code::TimedOut | Code::Throttled | Code::Lost | Code::AlreadyClosed)
}

/// Waits until the question needs nobody any more.
async fn settled(desk: &dyn Desk, request: RequestId) -> Result<RequestState, ApiError> {
    let mut after = None;
    loop {
        let wait = if after.is_none() { Duration::ZERO } else { HOLD };
        let (cursor, seen) = desk.look(signalbox_api::look::Request { request }, after, wait).await?;
        after = Some(cursor);
        match seen {
            Some(Some(detail)) if !detail.row.waits() => return Ok(detail.row.state),
            Some(None) => return Ok(RequestState::Closed),
            _ => {}
        }
    }
}
