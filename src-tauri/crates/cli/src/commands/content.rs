//! What a form is accepted with: what was given with the command, or what its person fills in.

use signalbox_api::{ApiError, Code, Detail, RequestDetail};
use signalbox_model::{Json, Mode};

use super::Context;
use crate::exit::Failure;
use crate::{ask, console::Console};

/// The content to accept with. Nothing is guessed: a form that has fields wants content, be it `{}`.
pub(super) async fn accepted(
    context: &Context<'_>,
    detail: &RequestDetail,
    given: Option<Json>,
) -> Result<Option<Json>, Failure> {
    if given.is_some() || detail.row.mode == Mode::Url {
        return Ok(given);
    }
    let form = detail.form.as_ref().filter(|form| !form.fields.is_empty() || form.fallback.is_some());
    match form {
        None => Ok((detail.row.mode == Mode::Form).then(|| Json::of(&serde_json::Map::new()))),
        Some(_) if context.console.has_person() => {
            context.console.block(&ask::introduction(detail));
            let content = ask::content(context.console, detail).await;
            let content = content.ok_or_else(|| Failure::usage("the input ended: nothing was sent"))?;
            confirmed(context.console, detail, &content).await?;
            Ok(Some(content))
        }
        Some(form) => {
            let names: Vec<_> = form.fields.iter().map(|field| field.name.as_str()).collect();
            let fields = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
            let message = format!("accepting {} needs --content with its fields{fields}", detail.row.id);
            Err(ApiError::new(Code::InvalidContent, message)
                .with(Detail::Form(Box::new(form.clone())))
                .into())
        }
    }
}

/// Refuses a secret that its person does not confirm.
pub(super) async fn confirmed(
    console: &Console,
    detail: &RequestDetail,
    content: &Json,
) -> Result<(), Failure> {
    match ask::secret::is_confirmed(console, detail, content).await {
        true => Ok(()),
        false => Err(Failure::usage("not confirmed: nothing was sent")),
    }
}
