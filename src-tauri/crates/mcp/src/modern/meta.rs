//! What every request of the modern wire says about us.

use crate::{endpoint::Options, versions::PROTOCOL_VERSION};

/// The extension's name, in capabilities.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// Our `clientInfo`, serialised.
pub(crate) fn client_info(options: &Options) -> String {
    serde_json::json!({"name": options.client_name, "version": options.client_version}).to_string()
}

/// `_meta` of every request, serialised once per client.
pub(crate) fn meta(options: &Options) -> String {
    let mut can = serde_json::json!({ "elicitation": { "form": {}, "url": {} } });
    if options.declared.sampling {
        can["sampling"] = serde_json::json!({});
    }
    if options.declared.roots {
        can["roots"] = serde_json::json!({});
    }
    can["extensions"] = serde_json::json!({ TASKS: {} });
    let info = client_info(options);
    format!(
        r#"{{"io.modelcontextprotocol/protocolVersion":"{PROTOCOL_VERSION}","io.modelcontextprotocol/clientInfo":{info},"io.modelcontextprotocol/clientCapabilities":{can}}}"#
    )
}
