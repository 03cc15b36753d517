//! `tools/list` and `tools/call`.

use std::{collections::HashSet, time::Duration};

use serde_json::value::RawValue;
use signalbox_model::Json;

use crate::{
    client::Client,
    error::Error,
    view::{Fields, TaskView, elements, input_requests, text},
};

/// One tool of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name: what calls name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does, says the server.
    pub description: Option<String>,
    /// The schema of its arguments, whatever its shape.
    pub input_schema: Option<Json>,
    /// The schema of `structuredContent`, whatever its shape.
    pub output_schema: Option<Json>,
    /// The server's hints about it: may add caution, never take it away.
    pub annotations: Option<Json>,
    /// The whole entry as received.
    pub raw: Json,
}

/// How one tool is called.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Instead of [`crate::Options::call_timeout`].
    pub timeout: Option<Duration>,
    /// The tool's input schema, for arguments which it wants in headers too (`x-mcp-header`; HTTP only).
    pub input_schema: Option<Json>,
}

/// The server's answer to a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The `result` as received.
    pub raw: Json,
    /// What it is.
    pub reply: CallReply,
}

/// What an answer to a tool call is, by its `resultType` alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallReply {
    /// The tool's result: read it with [`crate::ResultView`].
    Complete,
    /// The server made a task of it.
    Task(TaskView),
    /// The server wants input and the same call again (MRTR).
    InputRequired {
        /// To be echoed byte for byte with the retry: sensitive. None: the retry carries none.
        request_state: Option<String>,
        /// What it asks, by its keys.
        input_requests: Vec<(String, Json)>,
    },
}

impl Client {
    /// All tools, page by page. Entries without a name cannot be called and are left out; so are,
    /// on HTTP, tools whose `x-mcp-header` annotations the specification forbids.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`]; [`Error::Protocol`] for a list that repeats a cursor, has more pages than
    /// [`crate::Options::page_limit`], or is no list.
    pub async fn list_tools(&self) -> Result<Vec<Tool>, Error> {
        let mut tools = Vec::new();
        let mut cursor: Option<String> = None;
        let mut seen = HashSet::new();
        for _ in 0..self.options().page_limit {
            let request = self.request("tools/list", None, |params| match &cursor {
                Some(cursor) => params.text("cursor", cursor),
                None => params,
            });
            let page = self.send(request, self.options().request_timeout).await?;
            let fields = Fields::lenient(page.raw());
            let Some(entries) = fields.some("tools").and_then(elements) else {
                return Err(Error::protocol("the list of tools is no list", Some(page.clone())));
            };
            tools.extend(entries.into_iter().filter_map(Tool::read).filter(|tool| {
                let callable = tool.input_schema.as_ref().is_none_or(|schema| self.can_mirror(schema));
                if !callable {
                    tracing::warn!(
                        tool = tool.name,
                        "left out: its x-mcp-header annotations are not allowed"
                    );
                }
                callable
            }));
            match fields.some("nextCursor").map(|raw| text(raw).ok_or(())) {
                None => return Ok(tools),
                // An empty string is a cursor like any other.
                Some(Ok(next)) if seen.insert(next.clone()) => cursor = Some(next),
                Some(_) => {
                    return Err(Error::protocol(
                        "the list of tools does not end: its cursor is illegible or repeated",
                        None,
                    ));
                }
            }
        }
        Err(Error::protocol(
            format!("the list of tools has more than {} pages", self.options().page_limit),
            None,
        ))
    }

    /// Calls a tool, once. Dropping the future gives the call up: the server is told so on stdio, and sees the
    /// connection end on HTTP.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`]; [`Error::Protocol`] with the raw result for an unknown `resultType`.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: &Json,
        options: CallOptions,
    ) -> Result<Called, Error> {
        let mut request = self.request("tools/call", Some(name), |params| {
            params.text("name", name).json("arguments", arguments)
        });
        if let Some(schema) = &options.input_schema {
            request.mirrored = self.mirror(schema, arguments);
        }
        let raw = self.send(request, options.timeout.unwrap_or(self.options().call_timeout)).await?;
        let reply = CallReply::read(&raw)?;
        Ok(Called { raw, reply })
    }
}

impl CallReply {
    fn read(raw: &Json) -> Result<Self, Error> {
        let Some(fields) = Fields::of(raw.raw()) else {
            return Err(Error::protocol("the result is no object", Some(raw.clone())));
        };
        match fields.some("resultType").map(RawValue::get) {
            None | Some("\"complete\"") => Ok(Self::Complete),
            Some("\"task\"") => Ok(Self::Task(TaskView::read(raw))),
            Some("\"input_required\"") => Ok(Self::InputRequired {
                request_state: fields.text("requestState"),
                input_requests: input_requests(&fields),
            }),
            Some(_) => Err(Error::protocol("the result is of an unknown type", Some(raw.clone()))),
        }
    }
}

impl Tool {
    /// A tool as it was received before ([`Tool::raw`]); none when it has no name.
    #[must_use]
    pub fn kept(raw: &Json) -> Option<Self> {
        Self::read(raw.raw())
    }

    fn read(raw: &RawValue) -> Option<Self> {
        let fields = Fields::lenient(raw);
        Some(Self {
            name: fields.text("name")?,
            title: fields.text("title").or_else(|| fields.object("annotations").text("title")),
            description: fields.text("description"),
            input_schema: fields.json("inputSchema"),
            output_schema: fields.json("outputSchema"),
            annotations: fields.json("annotations"),
            raw: raw.to_owned().into(),
        })
    }
}
