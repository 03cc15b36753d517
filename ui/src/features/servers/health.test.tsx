import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { renderWith } from "../../test/render";
import { ago, aServer } from "../../test/samples";
import type { Health, ServerView } from "../../types";
import { HealthSection } from "./HealthSection";
import { latency } from "./health";
import { ServerDesk } from "./samples";

function shown(change: Partial<ServerView>): string {
  const server = aServer(change);
  renderWith(new ServerDesk([server]), <HealthSection server={server} check={undefined} />);
  return screen.getByRole("heading", { name: "Health" }).parentElement?.textContent ?? "";
}

const now = Date.now();
const unreachable = (code: string, message: string, retryInMs = 24_000): Health => ({
  state: "unreachable",
  code,
  message,
  since: ago(130_000, now),
  retryAt: ago(-retryInMs, now),
});

describe("health in words", () => {
  it("says of a server not tried yet what to do", () => {
    expect(shown({ health: { state: "unknown" } })).toContain("Not tried yet.Check it now");
  });

  it("says how fast one answered", () => {
    expect(shown({ health: { state: "ok", latencyMs: 41 } })).toContain("Answers. The last look took 41 ms.");
    expect(latency(1_240)).toBe("1.2 s");
  });

  it("says of an unreachable one since when, why, when it is tried again and what to do", () => {
    const text = shown({ health: unreachable("spawn_failed", "The program ended with code 1") });
    expect(text).toMatch(/Cannot be reached since .*\(2 min\), next try in 0:2\d/);
    expect(text).toContain("The program ended with code 1");
    expect(text).toContain("Edit shows them one by one");
  });

  it("does not count down to a try that is due", () => {
    expect(shown({ health: unreachable("unreachable", "refused", -1_000) })).toContain("next try any moment");
  });

  it("has advice for a word it does not know", () => {
    expect(shown({ health: unreachable("of_tomorrow", "…") })).toContain("goes on trying by itself");
  });

  it("says how to sign in", () => {
    const text = shown({ health: { state: "sign_in_needed", since: ago(3_600_000, now) } });
    expect(text).toMatch(/Wants a sign-in since .*\(1 h\)/);
    expect(text).toContain("Sign in with your browser");
    expect(text).toContain("give it a header with a token");
  });

  it("says why one cannot be used", () => {
    const text = shown({ health: { state: "unusable", code: "legacy_only", message: "The server speaks only 2025-11-25" } });
    expect(text).toContain("The server speaks only a version of MCP that Signalbox does not know.");
    expect(text).toContain("They have no version of MCP in common");
    expect(text, "legacy servers are not tried again by themselves").not.toContain("trying by itself");
  });

  it("says of one that is switched off nothing of its last health", () => {
    const text = shown({ enabled: false, health: unreachable("unreachable", "refused") });
    expect(text).toContain("Switched off.");
    expect(text).not.toContain("refused");
  });

  it("shows a server's message as text, with nothing hidden in it", () => {
    const text = shown({ health: unreachable("unreachable", "a\u202eb <b>bold</b>") });
    expect(text).toContain("a⟨202E⟩b <b>bold</b>");
  });
});
