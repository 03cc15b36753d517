//! The tools of a server, and whether a call fits one before anything is stored or sent.
//!
//! What was listed last is kept in the store. It is believed as long as a call fits it; a call that does not has the
//! tools listed anew first, since a server may have changed. Where they cannot be listed and nothing is known, the
//! server itself decides.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde_json::value::RawValue;
use signalbox_engine::Refusal;
use signalbox_forms::{FieldError, FieldErrorCode};
use signalbox_mcp as mcp;
use signalbox_model::{Json, Server, ServerId};
use signalbox_store::{ReadError, Reads};

use super::Local;
use crate::{
    ApiError, Code, Detail, ToolView,
    command::{CarryOut, Tool, Tools, ValidateArguments, Validated},
};

/// How long a call waits for a list of tools. A server that cannot list them may be able to call them.
const LISTING: Duration = Duration::from_secs(10);

/// How many tools each server listed last. A list may be long and is read again only after a change of its server.
#[derive(Default)]
pub(super) struct Listed(Mutex<HashMap<ServerId, (u64, Option<u32>)>>);

impl Listed {
    /// `changed` is the server's last change. None before it listed any.
    pub(super) fn count(
        &self,
        reads: &Reads,
        server: ServerId,
        changed: u64,
    ) -> Result<Option<u32>, ReadError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, count)) = known.get(&server).filter(|(at, _)| *at == changed) {
            return Ok(*count);
        }
        let entries =
            reads.tools(server)?.and_then(|list| list.read::<Vec<&RawValue>>().ok().map(|all| all.len()));
        let count = entries.map(|entries| u32::try_from(entries).unwrap_or(u32::MAX));
        known.insert(server, (changed, count));
        Ok(count)
    }
}

impl CarryOut<Tools> for Local {
    async fn carry_out(&self, Tools { server }: Tools) -> Result<Vec<ToolView>, ApiError> {
        let server = self.server(&server).await?;
        let tools = self.list_tools(&server).await?;
        Ok(tools.into_iter().map(tool_view).collect())
    }
}

impl CarryOut<Tool> for Local {
    /// One tool as listed last, or now when it was not among those.
    async fn carry_out(&self, Tool { server, tool }: Tool) -> Result<Box<ToolView>, ApiError> {
        let server = self.server(&server).await?;
        let tool = match self.kept_tool(&server, &tool).await? {
            Some(tool) => tool,
            None => {
                let listed = self.list_tools(&server).await?.into_iter().find(|listed| listed.name == tool);
                listed.ok_or_else(|| unknown(&server, &tool))?
            }
        };
        Ok(Box::new(tool_view(tool)))
    }
}

impl Local {
    /// An error when the server's own list of tools says that it would refuse this call.
    pub(super) async fn check_call(
        &self,
        server: &Server,
        name: &str,
        arguments: &Json,
    ) -> Result<(), ApiError> {
        let kept = self.kept_tool(server, name).await?.map(|tool| fits(&tool, arguments));
        if let Some(Ok(())) = kept {
            return Ok(());
        }
        match tokio::time::timeout(LISTING, self.engine.tools(server.id)).await {
            Ok(Ok(tools)) => match tools.iter().find(|tool| tool.name == name) {
                Some(tool) => fits(tool, arguments),
                None => Err(unknown(server, name)),
            },
            // A server that may not be asked is not called either, and that is said first.
            Ok(Err(refusal @ (Refusal::Disabled | Refusal::NotTrusted(_)))) => Err(refusal.into()),
            Ok(Err(_)) | Err(_) => kept.unwrap_or(Ok(())),
        }
    }

    /// Why a yes to a tool is never given in passing; none where it takes no care. A server that has not listed the tool yet is asked.
    /// Where it cannot be, nobody knows whether the tool is harmless.
    pub(super) async fn caution(&self, server: ServerId, tool: &str) -> Result<Option<String>, ApiError> {
        let unknown = |why: &str| {
            let learn = "Signalbox could not learn whether the tool says that it may destroy something";
            Some(format!("{learn} ({})", why.trim_end_matches('.')))
        };
        let ask = Tool { server: server.to_string(), tool: tool.to_owned() };
        Ok(match tokio::time::timeout(LISTING, self.carry_out(ask)).await {
            Ok(Ok(tool)) if tool.destructive => {
                Some("The tool says that it may destroy something".to_owned())
            }
            // A tool that its server does not list says nothing.
            Ok(Ok(_)) => None,
            Ok(Err(error)) if error.code == Code::UnknownTool => None,
            Ok(Err(error)) if error.code == Code::OwnerGone => return Err(error),
            Ok(Err(error)) => unknown(&error.message),
            Err(_) => unknown("its server has not answered yet"),
        })
    }

    async fn list_tools(&self, server: &Server) -> Result<Vec<mcp::Tool>, ApiError> {
        Ok(self.engine.tools(server.id).await?)
    }

    async fn kept_tool(&self, server: &Server, name: &str) -> Result<Option<mcp::Tool>, ApiError> {
        let (id, name) = (server.id, name.to_owned());
        self.read(move |reads| {
            let kept = reads.tools(id)?;
            Ok(kept.and_then(|kept| mcp::Tool::among(&kept, &name)))
        })
        .await
    }
}

impl CarryOut<ValidateArguments> for Local {
    async fn carry_out(&self, act: ValidateArguments) -> Result<Validated, ApiError> {
        let ValidateArguments { schema, arguments } = act;
        let errors = signalbox_forms::validate(schema.text(), arguments.text()).err().unwrap_or_default();
        Ok(Validated { errors, sends: None, secrets: None })
    }
}

fn fits(tool: &mcp::Tool, arguments: &Json) -> Result<(), ApiError> {
    let schema = tool.input_schema.as_ref().map_or(signalbox_model::NO_SCHEMA, Json::text);
    match signalbox_forms::validate(schema, arguments.text()) {
        Ok(()) => Ok(()),
        // JSON they are: they are too large or too deep to be checked here.
        Err(errors) if errors.iter().all(|error| error.code == FieldErrorCode::NotJson) => Ok(()),
        Err(errors) => {
            let misfits: Vec<String> = errors.iter().map(FieldError::to_string).collect();
            let message = format!("The arguments do not fit {:?}: {}", tool.name, misfits.join("; "));
            Err(ApiError::new(Code::InvalidContent, message).with(Detail::Errors(errors)))
        }
    }
}

fn unknown(server: &Server, name: &str) -> ApiError {
    ApiError::new(Code::UnknownTool, format!("{} offers no tool {name:?}", server.name))
}

fn tool_view(tool: mcp::Tool) -> ToolView {
    let destructive = is_destructive(&tool);
    let schema = tool.input_schema.unwrap_or_else(|| Json::of(&serde_json::json!({"type": "object"})));
    ToolView {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        form: signalbox_forms::form_spec(schema.text()),
        input_schema: schema,
        destructive,
    }
}

fn is_destructive(tool: &mcp::Tool) -> bool {
    let hints: Option<serde_json::Value> = tool.annotations.as_ref().and_then(|raw| raw.read().ok());
    hints.as_ref().and_then(|hints| hints.get("destructiveHint")?.as_bool()).unwrap_or(false)
}

/// Whether a tool, as it was listed last, says that it may destroy something.
pub(super) fn says_destructive(reads: &Reads, server: ServerId, name: &str) -> Result<bool, ReadError> {
    Ok(listed_destructive(reads, server, name)?.unwrap_or(false))
}

/// The same, but none where it was not listed.
pub(super) fn listed_destructive(
    reads: &Reads,
    server: ServerId,
    name: &str,
) -> Result<Option<bool>, ReadError> {
    let kept = reads.tools(server)?;
    Ok(kept.and_then(|kept| mcp::Tool::among(&kept, name)).map(|tool| is_destructive(&tool)))
}
