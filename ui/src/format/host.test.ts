import { describe, expect, it } from "vitest";

import { hostFacts } from "./host";
import { decodedHost } from "./punycode";

describe("the facts of a host", () => {
  it.each([
    ["xn--pypal-4ve.com", "p\u0430ypal.com"],
    ["xn--bcher-kva.example", "b\u00fccher.example"],
    ["xn--e1afmkfd.example", "\u043f\u0440\u0438\u043c\u0435\u0440.example"],
    ["xn--fsqu00a.example", "\u4f8b\u5b50.example"],
    ["signing.example.com", "signing.example.com"],
    ["xn--!!!.example", "xn--!!!.example"],
    ["xn--99999999.example", "xn--99999999.example"],
  ])("%s reads %s", (host, reads) => {
    expect(decodedHost(host)).toBe(reads);
  });

  it("name the scripts where they are mixed or not Latin", () => {
    expect(hostFacts("xn--pypal-4ve.com", "").scripts).toEqual(["Latin", "Cyrillic"]);
    expect(hostFacts("xn--e1afmkfd.example", "").scripts).toEqual(["Cyrillic"]);
    expect(hostFacts("xn--bcher-kva.example", "").scripts, "an accent is Latin").toEqual([]);
  });

  it("name the server's host where it is another, and none where the server has no address", () => {
    expect(hostFacts("a.example", "https://b.example/mcp").serverHost).toBe("b.example");
    expect(hostFacts("a.example", "https://a.example:8443/mcp").serverHost).toBeUndefined();
    expect(hostFacts("a.example", "npx -y lab-mcp --url https://b.example").serverHost, "a command").toBeUndefined();
    expect(hostFacts("localhost", "http://127.0.0.1:9/mcp").serverHost, "both are this machine").toBeUndefined();
  });

  it.each(["127.0.0.1", "127.8.9.1", "[::1]", "localhost", "app.localhost"])("know %s as this machine", (host) => {
    expect(hostFacts(host, "").loopback).toBe(true);
  });

  it.each(["127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "notlocalhost"])("do not take %s for it", (host) => {
    expect(hostFacts(host, "").loopback).toBe(false);
  });
});
