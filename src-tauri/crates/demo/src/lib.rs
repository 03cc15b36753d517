//! A scripted MCP server with a journal: the first run, tests and benches.
