import { describe, expect, it } from "vitest";

import { splitHost } from "./place";

describe("splitHost", () => {
  it.each([
    ["https://deploy.eu.example.com/mcp", "https://", "deploy.eu.example.com", "/mcp"],
    ["https://bank.example@evil.example:8443?x", "https://bank.example@", "evil.example", ":8443?x"],
    ["http://[::1]:80/", "http://", "[::1]", ":80/"],
    ["warehouse-mcp --url https://x.example/", "warehouse-mcp --url https://x.example/", "", ""],
  ])("%s", (place, before, host, after) => {
    expect(splitHost(place)).toEqual({ before, host, after });
  });
});
