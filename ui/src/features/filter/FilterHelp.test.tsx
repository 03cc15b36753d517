import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";

import type { Sought } from "../../places/nav";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import type { Reply } from "../../types";
import { FilterField } from "./FilterField";

const LANGUAGE: Reply = {
  type: "language",
  keys: [
    { name: "server", words: [] },
    { name: "status", words: ["working", "failed"] },
  ],
  lengths: ["age", "left"],
  days: ["started", "ended"],
  sorts: ["server", "status", "started", "id"],
  groups: ["server", "status", "day", "none"],
};

/** A filter as it is after what was done to it. */
function Filtering({ first }: { first: Sought }) {
  const [typed, setTyped] = useState(first);
  return (
    <>
      <FilterField list="inbox" label="Filter" typed={typed} onTyped={setTyped} only={undefined} fault={undefined} />
      <output>{JSON.stringify([...typed.tokens, typed.text])}</output>
    </>
  );
}

function show(first: Sought = { tokens: [], text: "" }) {
  const host = new FakeHost(showing({}), () => LANGUAGE);
  renderWith(host, <Filtering first={first} />);
  return host;
}

const ask = () => screen.getByRole("button", { name: "How filters are written" });
const field = () => screen.getByRole("combobox", { name: "Filter" });
const told = () => screen.findByRole("dialog", { name: "How filters are written" });
const filter = () => JSON.parse(screen.getByRole("status").textContent) as unknown;

async function opened(first?: Sought) {
  const host = show(first);
  await userEvent.click(ask());
  const dialog = await told();
  await within(dialog).findByText("status");
  return { host, dialog };
}
const put = async (token: string) => userEvent.click(screen.getByRole("button", { name: `Put ${token} into the filter` }));

describe("how filters are written", () => {
  it("is asked for when somebody wants to know, and of this list", async () => {
    const host = show();
    expect(host.commands, "nobody asked yet").toEqual([]);
    await userEvent.click(ask());
    await told();
    await waitFor(() => expect(host.commands).toEqual([{ type: "language", list: "inbox" }]));
  });

  it("tells the rules, and each token with what it means", async () => {
    const { dialog } = await opened();
    expect(within(dialog).getByText(/Tokens with the same key mean “or”/)).toBeTruthy();
    expect(within(dialog).getByText(/All others mean “and”/)).toBeTruthy();
    const buttons = within(dialog).getAllByRole("button").map((button) => button.textContent);
    const words = ["server:", "working", "failed", "age>1h", "left<10m", "today", "yesterday", "today", "yesterday"];
    expect(buttons, "no other list's words").toEqual([...words, "Close"]);
    expect(within(dialog).getByText("until its server may forget it")).toBeTruthy();
    expect(within(dialog).getByText(/started:2026-11-26/)).toBeTruthy();
  });

  it("closes by Escape, and the focus is back where it was", async () => {
    await opened();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(ask()));
    expect(filter()).toEqual([""]);
  });

  it("puts a token into the filter at a press, and leads there", async () => {
    await opened({ tokens: ["server:ci"], text: "api" });
    await put("status:failed");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(filter()).toEqual(["server:ci", "status:failed", "api"]);
    await waitFor(() => expect(document.activeElement, "whoever chose a token goes on with the filter").toBe(field()));
  });

  it("puts a token there once", async () => {
    await opened({ tokens: ["age>1h"], text: "" });
    await put("age>1h");
    await waitFor(() => expect(filter()).toEqual(["age>1h", ""]));
  });

  it("begins a token whose value only the person knows", async () => {
    await opened({ tokens: [], text: "api " });
    await userEvent.click(screen.getByRole("button", { name: "Write server: into the filter" }));
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await userEvent.keyboard("ci ");
    expect(filter(), "it is written on at its end").toEqual(["server:ci", "api "]);
  });

  it("says that it is on its way, and tells the rules meanwhile", async () => {
    const host = show();
    host.act = () => new Promise(() => undefined);
    await userEvent.click(ask());
    const dialog = await told();
    expect(within(dialog).getByText("Loading…")).toBeTruthy();
    expect(within(dialog).getByText(/mean “or”/)).toBeTruthy();
  });

  it("says why the tokens are not known, and asks again at a press", async () => {
    const host = show();
    host.fail({ code: "owner_gone", message: "The owner has left", retry: "later" });
    await userEvent.click(ask());
    const dialog = await told();
    expect((await within(dialog).findByRole("alert")).textContent).toContain("The owner has left");
    host.fail(undefined);
    await userEvent.click(within(dialog).getByRole("button", { name: "Try again" }));
    expect(await within(dialog).findByText("status")).toBeTruthy();
  });
});
