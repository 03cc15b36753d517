//! `tools/list` and `tools/call`.

use signalbox_model::{Breach, Json, Part};

use super::result_type::ResultType;
use crate::{
    client::Client,
    error::Error,
    paging::List,
    tool::{CallOptions, CallReply, Called, Tool},
    view::{Fields, TaskView, input_requests},
};

impl Client {
    /// All tools, page by page. Entries without a name cannot be called and are left out; so are,
    /// on HTTP, tools whose `x-mcp-header` annotations the specification forbids.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`]; [`Error::Protocol`] for a list that repeats a cursor or is no list;
    /// [`Error::TooMuch`] for one with more pages than [`crate::Options::page_limit`] or more bytes than
    /// [`crate::Options::list_limit`].
    pub async fn list_tools(&self) -> Result<Vec<Tool>, Error> {
        let page = |cursor: Option<String>, most| {
            let mut request = self.request("tools/list", None, |params| params.cursor(cursor.as_deref()));
            request.most = Some(most);
            self.send(request, self.options().request_timeout)
        };
        let list = List::new("tools", Part::Tools, self.options(), Tool::read);
        let mut tools = list.read(self.flight(), page).await?.whole()?;
        tools.retain(|tool| {
            let callable = tool.input_schema.as_ref().is_none_or(|schema| self.can_mirror(schema));
            if !callable {
                tracing::warn!(tool = tool.name, "left out: its x-mcp-header annotations are not allowed");
            }
            callable
        });
        Ok(tools)
    }

    /// Calls a tool, once. Dropping the future gives the call up: the server is told so on stdio, and sees the
    /// connection end on HTTP.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`]; [`Error::Protocol`] with the raw result for an unknown `resultType`.
    /// [`crate::Meaning::HeaderMismatch`] wants the tools listed again and the call made once more.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: &Json,
        options: CallOptions,
    ) -> Result<Called, Error> {
        let mut request = self.request("tools/call", Some(name), |params| {
            let params = params.text("name", name).json("arguments", arguments);
            let Some(round) = &options.round else { return params };
            let params = params.map("inputResponses", &round.input_responses);
            match &round.request_state {
                Some(state) => params.verbatim("requestState", state),
                None => params,
            }
        });
        // A round goes again: by itself, or when the person says so.
        request.once = options.round.is_none();
        if let Some(schema) = &options.input_schema {
            request.mirrored = self.mirror(schema, arguments);
        }
        let raw = self.send(request, options.timeout.unwrap_or(self.options().call_timeout)).await?;
        let reply = CallReply::read(&raw)?;
        Ok(Called { raw, reply })
    }
}

impl CallReply {
    /// Whether a raw answer to a tool call is [`CallReply::InputRequired`], and not, say, an error.
    #[must_use]
    pub fn is_round(raw: &Json) -> bool {
        matches!(Self::read(raw), Ok(Self::InputRequired { .. }))
    }

    fn read(raw: &Json) -> Result<Self, Error> {
        let Some(fields) = Fields::of(raw.raw()) else {
            return Err(Error::protocol(Breach::NoObject, Some(raw.clone())));
        };
        Ok(match ResultType::of(&fields, raw)? {
            ResultType::Complete => Self::Complete,
            ResultType::Task => Self::Task(TaskView::read(raw)),
            ResultType::InputRequired => Self::InputRequired {
                request_state: fields.verbatim("requestState"),
                input_requests: input_requests(&fields),
            },
        })
    }
}
