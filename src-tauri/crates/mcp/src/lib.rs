//! The MCP client side: JSON-RPC, transports and wires, raw JSON first. Never decides when to poll.
