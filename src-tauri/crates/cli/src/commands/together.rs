//! `answer --same`: one answer for all open questions that are alike.

use signalbox_api::{
    ApiError, Code, DeskExt as _, RequestDetail, Stack, Stacked, command,
    command::{SeenQuestion, TogetherOutcome},
    look as see,
};
use signalbox_model::{Action, Json, RequestId};

use super::{Context, careful::caution, content::accepted};
use crate::args::Answer;
use crate::exit::{Exit, Failure};
use crate::{ask, docs, ends, look, text};

/// Shows in what they differ and what goes out, has that confirmed, and answers those that were shown.
pub(super) async fn run(
    context: &Context<'_>,
    detail: &RequestDetail,
    action: Action,
    given: Option<Json>,
    args: &Answer,
) -> Result<Exit, Failure> {
    let request = detail.row.id;
    let stack = stack(context, request).await?;
    if let Some(why) = caution(context, detail).await {
        return Err(one_by_one(&why).into());
    }
    let content = match action {
        Action::Accept => accepted(context, detail, given).await?,
        Action::Decline | Action::Cancel => None,
    };
    if content.as_ref().is_some_and(|content| ask::secret::warning(detail, content).is_some()) {
        let message = "there is a secret in this answer, so it goes to no other question: leave --same out";
        return Err(ApiError::new(Code::NotPossible, message).into());
    }
    if let Some(unchecked) = content.as_ref().and_then(|_| text::request::unchecked(detail)) {
        context.console.say(&format!("{} {unchecked}", text::request::UNCHECKED));
    }
    context.console.block(text::stack::differences(&stack, context.console).trim_end());
    if stack.more > 0 {
        context.console.say(&format!("{} more like these are left for the next time.", stack.more));
    }
    let requests = meant(context, request, &stack.questions);
    context.console.say(&text::stack::goes(action, content.as_ref(), requests.len()));
    if !args.yes && !confirmed(context).await? {
        context.console.say("Not confirmed: nothing was sent");
        return Ok(Exit::Failed);
    }
    let (schema, remark) = (detail.schema.clone(), args.note.clone());
    let act = command::AnswerTogether { requests, schema, action, content, hold_ms: 0, remark };
    told(context, context.desk.act(act).await?).await
}

async fn stack(context: &Context<'_>, request: RequestId) -> Result<Stack, ApiError> {
    match context.desk.see(see::Stack { request }).await? {
        Some(stack) if stack.destructive => Err(one_by_one(text::DESTROYS)),
        Some(stack) => Ok(*stack),
        None => {
            let message = format!("no other open question is like {request}: answer it without --same");
            Err(ApiError::new(Code::NotPossible, message))
        }
    }
}

fn one_by_one(why: &str) -> ApiError {
    ApiError::new(Code::NotPossible, format!("{why}, so each of its questions is answered by itself"))
}

/// Those that get the answer. What was typed into another question is not overruled unseen.
fn meant(context: &Context<'_>, request: RequestId, questions: &[Stacked]) -> Vec<SeenQuestion> {
    let is_typed = |of: &&Stacked| of.row.has_draft && of.row.id != request;
    let typed: Vec<String> = questions.iter().filter(is_typed).map(|of| of.row.id.to_string()).collect();
    if !typed.is_empty() {
        let left = typed.join(", ");
        context.console.say(&format!("Left out, because something was typed into it before: {left}"));
    }
    let seen = |of: &Stacked| SeenQuestion { request: of.row.id, asks: of.asks.clone() };
    questions.iter().filter(|of| !is_typed(of)).map(seen).collect()
}

async fn confirmed(context: &Context<'_>) -> Result<bool, Failure> {
    if !context.console.has_person() {
        let message = "Nobody can be asked here: --yes confirms that all of these get this answer";
        return Err(ApiError::new(Code::InputNeeded, message).into());
    }
    Ok(context.console.confirms("Send this answer to all of them? [y/N] ").await)
}

/// What became of each. The command ends as the first that failed would.
async fn told(context: &Context<'_>, outcomes: Vec<TogetherOutcome>) -> Result<Exit, Failure> {
    let (mut shown, mut failures) = (Vec::new(), Vec::new());
    for TogetherOutcome { request, failure, .. } in outcomes {
        match failure {
            None => shown.push(look::request(context.desk, request).await?),
            Some(failure) => failures.push((request, failure)),
        }
    }
    if context.console.json {
        let failures = failures
            .iter()
            .map(|(request, failure)| docs::NotAnswered { request: *request, failure: failure.into() });
        let failures: Vec<_> = failures.collect();
        let requests = shown.iter().map(|detail| docs::Request::whole(detail.into())).collect();
        context.console.document(&docs::Together { requests, failures })?;
    } else {
        let lines = shown.iter().map(|detail| text::request::change(&detail.row, context.console.paint()));
        let lines: String = lines.map(|line| format!("{line}\n")).collect();
        context.console.text(&format!(
            "{} of {} are answered.\n{lines}",
            shown.len(),
            shown.len() + failures.len()
        ))?;
    }
    for (_, failure) in &failures {
        ends::say(context.console, failure);
    }
    Ok(failures.first().map_or(Exit::Done, |(_, failure)| Exit::from(failure.code)))
}
