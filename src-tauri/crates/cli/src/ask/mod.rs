//! A server's question at a terminal: who asks, the choice, then field by field. Nothing is sent from here.

mod field;
mod remark;
pub(crate) mod secret;

use std::collections::HashSet;

use signalbox_api::RequestDetail;
use signalbox_api::words;
use signalbox_forms::{Field, FieldError, FormSpec};
use signalbox_model::{Accept, Action, Json, Mode};

use crate::console::Console;
use crate::input;
use crate::text::request::{UNCHECKED, may_be_second, title, unchecked};
use crate::text::{DESTROYS, arguments, page, sanitise, ways};

/// What the person decided.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// To answer in this way, with this content.
    Answer(Action, Option<Json>),
    /// To open the page that it asks for, which accepts it.
    Open,
    /// Not now: the question stays in the inbox.
    Later,
    /// The input has ended: nobody is there.
    Nobody,
}

/// Shows a question and asks what to answer. `note` is what the person notes beside it, now or when they were asked before.
pub(crate) async fn decide(console: &Console, detail: &RequestDetail, note: &mut Option<String>) -> Decision {
    console.block(&introduction(detail));
    remark::say(console, note.as_deref());
    let ways = detail.ways;
    let (choice, meaning) = ways::choice(detail);
    if let Some(meaning) = meaning {
        console.say(&meaning);
    }
    loop {
        let Some(line) = console.line(&choice).await else {
            return Decision::Nobody;
        };
        match line.trim().to_lowercase().as_str() {
            "o" | "open" if ways.accept == Some(Accept::Page) && page::opens(detail) => {
                return Decision::Open;
            }
            "o" | "open" if ways.accept == Some(Accept::Page) => {
                console.say("Signalbox opens web addresses only (http and https).");
            }
            "a" | "accept" if ways.accept.is_some() => break,
            "d" | "decline" if ways.decline.is_some() => return Decision::Answer(Action::Decline, None),
            "m" | "dismiss" | "c" | "cancel" if ways.dismiss.is_some() => {
                return Decision::Answer(Action::Cancel, None);
            }
            "n" | "note" => {
                if !remark::ask(console, note).await {
                    return Decision::Nobody;
                }
            }
            "l" | "later" => return Decision::Later,
            _ => console.say("Type the letter in brackets of what you want. Later leaves it in the inbox."),
        }
    }
    if detail.row.mode == Mode::Url {
        return Decision::Answer(Action::Accept, None);
    }
    match content(console, detail).await {
        Some(content) if !secret::is_confirmed(console, detail, &content).await => {
            console.say("Nothing was sent. The question stays in the inbox.");
            Decision::Later
        }
        Some(content) => Decision::Answer(Action::Accept, Some(content)),
        None => Decision::Nobody,
    }
}

impl Decision {
    /// Whether it says yes to what is asked.
    pub(crate) fn agrees(&self) -> bool {
        matches!(self, Self::Open | Self::Answer(Action::Accept, _))
    }
}

/// Whether a decision is to be sent. Where the server may have an answer already, only the person can tell. `caution` is why a
/// yes takes a second word.
pub(crate) async fn is_wanted(
    console: &Console,
    detail: &RequestDetail,
    decision: &Decision,
    caution: Option<&str>,
) -> bool {
    if may_be_second(&detail.row).is_some()
        && !console.confirms("Send another answer all the same? [y/N] ").await
    {
        return false;
    }
    let agrees = decision.agrees();
    if agrees && page::asked_too_often(detail).is_some() && !agrees_again(console).await {
        return false;
    }
    let Some(why) = caution.filter(|_| agrees) else { return true };
    if !detail.destructive {
        // Else it was said with the question.
        console.say(&format!("Beware: {why}."));
    }
    accepts_still(console).await
}

/// Whether a page that is asked for again and again is to be agreed to once more.
pub(crate) async fn agrees_again(console: &Console) -> bool {
    console.confirms("Agree to it once more? [y/N] ").await
}

/// Whether a question of a tool that may destroy something is to be accepted all the same.
pub(crate) async fn accepts_still(console: &Console) -> bool {
    console.confirms("Accept it all the same? [y/N] ").await
}

/// The content of an accepted form. None once the input has ended.
pub(crate) async fn content(console: &Console, detail: &RequestDetail) -> Option<Json> {
    let schema = detail.schema_text();
    match &detail.form {
        Some(form) => {
            if let Some(notice) = secret::notice(form) {
                console.say(notice);
            }
            fill(console, form, schema, |_| true).await
        }
        None => whole(console, schema).await,
    }
}

/// Who asks comes before what is asked: the person's name for the server and where it really is.
pub(crate) fn introduction(detail: &RequestDetail) -> String {
    let row = &detail.row;
    let task = row.call.map(|call| format!(" for {call}")).unwrap_or_default();
    let tool = if row.tool.is_empty() { String::new() } else { format!(" ({})", sanitise::line(&row.tool)) };
    let mut text = format!("\n{} asks{task}{tool}: question {}\n", sanitise::line(&row.server_name), row.id);
    text.push_str(&format!("  at   {}\n", sanitise::line(&detail.place)));
    text.push_str(&detail.arguments.as_ref().map(arguments::block).unwrap_or_default());
    match &detail.sampling {
        Some(sampling) => {
            text.push_str("It wants a model's answer. What you write goes to it in the model's place:\n");
            for line in crate::text::sampling::lines(sampling) {
                text.push_str(&format!("  │ {line}\n"));
            }
        }
        None if detail.ways.accept.is_none() => {
            text.push_str(&format!("  {}. Signalbox knows nothing more of it:\n", title(row)));
            text.push_str(&format!("  │ {}\n", sanitise::line(detail.raw.text())));
        }
        None => {
            text.push_str(&format!("{}\n", sanitise::quoted(&row.message)));
        }
    }
    if let Some(url) = &detail.url {
        text.push_str(if page::opens(detail) {
            "It wants you to visit this address. Signalbox opens it only if you say so. Opening it accepts the question:\n"
        } else {
            "It wants you to visit this address, which Signalbox does not open:\n"
        });
        text.push_str(&format!("  {}\n", sanitise::line(&url.full)));
        page::facts(detail).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    if let Some((how, at)) = page::visit(row) {
        text.push_str(&format!("Its page {how} {at}.\n"));
    }
    if detail.destructive {
        text.push_str(&format!("Beware: {DESTROYS}.\n"));
    }
    if let Some(unchecked) = unchecked(detail) {
        text.push_str(&format!("{UNCHECKED} {unchecked}\n"));
    }
    if let Some(second) = may_be_second(row) {
        text.push_str(&format!("{second}.\n"));
    }
    if let Some(refusal) = row.answer.as_ref().and_then(|answer| answer.refusal.as_ref()) {
        text.push_str(&format!(
            "The server refused the last answer: {}\n",
            sanitise::line(&words::note(refusal))
        ));
    }
    text.trim_end().to_owned()
}

/// Asks for the wanted fields until all fits. None once the input has ended.
pub(crate) async fn fill(
    console: &Console,
    form: &FormSpec,
    schema: &str,
    wanted: impl Fn(&Field) -> bool,
) -> Option<Json> {
    if let Some(fallback) = &form.fallback {
        console.say(&format!("{}: it is entered as JSON.", fallback.why.text()));
        return whole(console, schema).await;
    }
    let wanted: Vec<&Field> = form.fields.iter().filter(|field| wanted(field)).collect();
    let mut values: Vec<Option<String>> = vec![None; wanted.len()];
    let mut again: HashSet<usize> = (0..wanted.len()).collect();
    loop {
        for (at, field) in wanted.iter().enumerate().filter(|(at, _)| again.contains(at)) {
            values[at] = one(console, field, schema).await?;
        }
        let entered = wanted.iter().zip(&values);
        let content =
            object(entered.filter_map(|(field, value)| Some((field.name.as_str(), value.as_deref()?))));
        match signalbox_forms::validate(schema, &content) {
            Ok(()) => return Json::parse(content).ok(),
            Err(errors) => {
                say_errors(console, &errors);
                let named = |field: &Field| errors.iter().any(|e| e.field.as_ref() == Some(&field.name));
                again = (0..wanted.len()).filter(|at| named(wanted[*at])).collect();
                if again.is_empty() {
                    again = (0..wanted.len()).collect();
                }
                if wanted.is_empty() {
                    return whole(console, schema).await;
                }
            }
        }
    }
}

/// Asks for one field until it fits. The inner none leaves it out; the outer: the input has ended.
async fn one(console: &Console, field: &Field, schema: &str) -> Option<Option<String>> {
    console.block(&field::describe(field));
    loop {
        let prompt = field::prompt(field);
        let line = if field.secret { console.unseen(&prompt).await? } else { console.line(&prompt).await? };
        let value = match field::read(field, &line) {
            Ok(value) => value,
            Err(bad) => {
                console.say(&format!("  {bad}"));
                continue;
            }
        };
        let Some(value) = value else { return Some(None) };
        let alone = object([(field.name.as_str(), value.as_str())]);
        let errors = signalbox_forms::validate(schema, &alone).err().unwrap_or_default();
        let errors: Vec<_> = errors.into_iter().filter(|e| e.field.as_ref() == Some(&field.name)).collect();
        if errors.is_empty() {
            return Some(Some(value));
        }
        say_errors(console, &errors);
    }
}

/// Asks for all of the content as JSON.
async fn whole(console: &Console, schema: &str) -> Option<Json> {
    loop {
        let line = console.line("JSON (@FILE reads a file): ").await?;
        match input::object("the content", line.trim()).await {
            Ok(json) => match signalbox_forms::validate(schema, json.text()) {
                Ok(()) => return Some(json),
                Err(errors) => say_errors(console, &errors),
            },
            Err(failure) => console.say(&format!("  {failure}")),
        }
    }
}

fn say_errors(console: &Console, errors: &[FieldError]) {
    for error in errors {
        console.say(&format!("  {}", sanitise::line(&error.to_string())));
    }
}

/// Members as one object, values untouched.
fn object<'a>(members: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let member = |(name, value)| format!("{}:{value}", serde_json::Value::from(name));
    format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
}
