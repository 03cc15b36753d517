import { act, cleanup, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { renderWith } from "../../test/render";
import { ago, aServer } from "../../test/samples";
import type { Health, NoteCode, ServerView } from "../../types";
import { HealthSection } from "./HealthSection";
import { latency } from "../../format/time";
import { ServerDesk } from "./samples";

const NEEDED = { needsYou: 0, working: 1, ended: 0 };

function shown(change: Partial<Omit<ServerView, "heardAt">> & { heardAt?: string | undefined }): string {
  const { heardAt, ...server } = { ...aServer(), ...change };
  return text(heardAt === undefined ? server : { ...server, heardAt });
}

function text(server: ServerView): string {
  renderWith(new ServerDesk([server]), <HealthSection server={server} check={undefined} />);
  return screen.getByRole("heading", { name: "Health" }).parentElement?.textContent ?? "";
}

const now = Date.now();
const unreachable = (code: NoteCode, message: string, retryInMs = 24_000): Health => ({
  state: "unreachable",
  code,
  reason: { kind: "said", message },
  since: ago(130_000, now),
  triedAt: ago(20_000, now),
  retryAt: ago(-retryInMs, now),
});

describe("health in words", () => {
  it("says of a server not tried yet what to do", () => {
    expect(shown({ health: { state: "unknown" }, heardAt: undefined })).toContain("Not tried yet.Check it now");
  });

  it("says of one that is being connected to for the first time since when", () => {
    const connecting = { health: { state: "unknown" }, heardAt: undefined, connectingSince: ago(12_000, now) } as const;
    expect(shown(connecting)).toMatch(/^HealthConnecting since .*\(1\d s\)$/);
  });

  it("says of one that answers that it does, and of one that did when that was", () => {
    expect(shown({ heardAt: ago(20_000, now) })).toMatch(/Answers\.$/);
    cleanup();
    expect(shown({ heardAt: ago(250_000, now) })).toMatch(/Last answered 4 min ago \(.*\d\d:\d\d\)\.$/);
    expect(latency(1_240)).toBe("1.2 s");
  });

  it("goes grey and counts by itself when nothing more is heard", () => {
    vi.useFakeTimers({ now });
    const server = aServer({ heardAt: ago(58_000, now) });
    renderWith(new ServerDesk([server]), <HealthSection server={server} check={undefined} />);
    const section = screen.getByRole("heading", { name: "Health" }).parentElement;
    const lamp = () => {
      const { lamp: shape, faded } = section?.querySelector("svg")?.dataset ?? {};
      return { shape, faded };
    };
    expect(lamp()).toEqual({ shape: "done", faded: undefined });
    act(() => void vi.advanceTimersByTime(4_000));
    expect(lamp(), "the shape stays, the colour goes").toEqual({ shape: "done", faded: "true" });
    expect(section?.textContent).toContain("Last answered 1 min ago");
    act(() => void vi.advanceTimersByTime(60_000));
    expect(section?.textContent).toContain("Last answered 2 min ago");
    vi.useRealTimers();
  });

  it("remembers over a restart that one could not be reached", () => {
    const missed = { code: "unreachable" as const, reason: { kind: "unreachable" as const, said: "refused" }, at: ago(250_000, now) };
    const text = shown({ health: { state: "unknown", missed }, heardAt: ago(7_300_000, now) });
    expect(text).toMatch(/Could not be reached 4 min ago \(.*\)\.The server cannot be reached: refusedIt has not been tried since/);
    expect(text).toMatch(/It last answered 2 h ago/);
  });

  it("says of an unreachable one since when, why, when it was and is tried and what to do", () => {
    const text = shown({ health: unreachable("spawn_failed", "The program ended with code 1"), tasks: NEEDED });
    expect(text).toMatch(/Cannot be reached since .*\(2 min\), last tried \d\d s ago, next try in 0:\d\d/);
    expect(text).toContain("The program ended with code 1");
    expect(text).toContain("Edit shows them one by one");
  });

  it("does not count down to a try that is due, and promises none where nothing waits", () => {
    expect(shown({ health: unreachable("unreachable", "refused", -1_000), tasks: NEEDED })).toContain("trying again now");
    cleanup();
    const idle = shown({ health: unreachable("unreachable", "refused") });
    expect(idle).toContain("tried again when it is needed");
    expect(idle).not.toContain("next try in");
    cleanup();
    const tried = shown({ health: unreachable("unreachable", "refused"), connectingSince: ago(2_000, now) });
    expect(tried, "also where somebody asked for it by hand").toContain("trying again now");
  });

  it("says what to do in this window where secrets cannot be read", () => {
    shown({ health: { state: "unusable", code: "no_keychain", reason: { kind: "no_keychain", said: "the keychain does not open" } } });
    expect(screen.getByText("A secret for this connection cannot be read: the keychain does not open")).toBeTruthy();
    expect(document.body.textContent).toContain("choose another place for secrets");
    expect(screen.getByRole("button", { name: "Choose where secrets are kept…" })).toBeTruthy();
  });

  it("has advice for a word it does not know", () => {
    expect(shown({ health: unreachable("unknown", "…") })).toContain("While tasks are under way there, Signalbox keeps trying by itself.");
  });

  it("says how to sign in", () => {
    const text = shown({ health: { state: "sign_in_needed", since: ago(3_600_000, now) } });
    expect(text).toMatch(/Sign-in required since .*\(1 h\)/);
    expect(text).toContain("Sign in with your browser");
    expect(text).toContain("add the header Authorization");
  });

  it("says why one cannot be used", () => {
    const text = shown({ health: { state: "unusable", code: "legacy_only", reason: { kind: "said", message: "The server speaks only 2025-11-25" } } });
    expect(text).toContain("The server speaks no version of MCP that Signalbox knows.");
    expect(text).toContain("The server and Signalbox have no version of MCP in common");
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
