//! `tag` and `note`: what a person keeps of a task for themselves.

use signalbox_api::{DeskExt as _, command};

use super::{Context, several};
use crate::args::{Note, Tag};
use crate::exit::{Exit, Failure};
use crate::text::{sanitise, several::Wish};
use crate::{docs, input, look};

/// Runs `tag`: with words it changes the tags. Of one task it prints them either way.
pub(super) async fn tag(context: &Context<'_>, args: Tag) -> Result<Exit, Failure> {
    let (tasks, words) = args.parts()?;
    let (add, remove) = if args.remove { (Vec::new(), words) } else { (words, Vec::new()) };
    let [task] = tasks.as_slice() else {
        return several::run(context, &Wish::Tag { add, remove }, &tasks, &args.matching).await;
    };
    let call = look::find(context.desk, task).await?;
    if !add.is_empty() || !remove.is_empty() {
        let outcomes = context.desk.act(command::TagTasks { calls: vec![call], add, remove }).await?;
        if let Some(failure) = outcomes.into_iter().find_map(|outcome| outcome.failure) {
            return Err(failure.into());
        }
    }
    let tags = look::task(context.desk, call).await?.row.tags;
    if context.console.json {
        context.console.document(&docs::TagsOf { id: call, tags })?;
    } else {
        let words: Vec<&str> = tags.iter().map(signalbox_model::Tag::as_str).collect();
        let words = if words.is_empty() { "has no tags".to_owned() } else { words.join(" ") };
        context.console.text(&format!("{call}  {words}\n"))?;
    }
    Ok(Exit::Done)
}

/// Runs `note`: with a text it keeps that, and prints what is kept either way.
pub(super) async fn note(context: &Context<'_>, args: &Note) -> Result<Exit, Failure> {
    let call = look::find(context.desk, &args.task).await?;
    let text = match &args.text {
        Some(text) => Some(input::text("the note", text).await?),
        None => args.remove.then(String::new),
    };
    if text.as_ref().is_some_and(|text| text.trim().is_empty()) && !args.remove {
        return Err(Failure::usage("the note is empty: --remove takes away the one that is kept"));
    }
    let mut remark = look::task(context.desk, call).await?.remark;
    let mut replaced = None;
    if let Some(text) = text {
        // It is told what this one takes the place of: so nothing else may be there by now.
        let seen = remark.clone().unwrap_or_default();
        context.desk.act(command::NoteTask { call, text, seen }).await?;
        replaced = remark;
        remark = look::task(context.desk, call).await?.remark;
        if replaced == remark {
            replaced = None;
        }
    }
    if context.console.json {
        context.console.document(&docs::NoteOf { id: call, remark, replaced })?;
    } else {
        let text = remark.as_deref().map_or_else(|| "has no note".to_owned(), sanitise::lines);
        let before = replaced.map(|text| format!("instead of  {}\n", sanitise::lines(&text).trim_end()));
        context.console.text(&format!("{call}  {}\n{}", text.trim_end(), before.unwrap_or_default()))?;
    }
    Ok(Exit::Done)
}
