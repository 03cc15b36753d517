import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { currentNav, listAllServers, NOTHING_SOUGHT, openInboxOf, seek, select } from "../../places/nav";
import { heading, open } from "./openInbox";
import { aDetail } from "./samples";

const three = () => [
  aDetail({ id: "r1", message: "Approve deployment?" }),
  aDetail({ id: "r2", message: "Which dataset?", tool: "train", server: "s2", serverName: "lab" }),
  aDetail({ id: "r3", message: "Approve the migration?", tool: "migrate", server: "s2", serverName: "lab" }),
];

const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Filter by word, server, tool, age …" });
const listed = () => within(screen.getByRole("listbox", { name: "Questions" })).queryAllByRole("option").map((option) => /^[^?]*\?/.exec(option.textContent)?.[0]);
const all = ["Approve deployment?", "Which dataset?", "Approve the migration?"];

/** The inbox once it lists all three. */
async function opened(details = three()) {
  const { desk, user } = open(details);
  await waitFor(() => expect(listed()).toEqual(all));
  return { desk, user };
}

beforeEach(() => {
  select({ request: null });
  listAllServers("inbox");
  seek(NOTHING_SOUGHT);
});

describe("the filter of the inbox", () => {
  it("is a key away, and narrows the questions at the desk", async () => {
    const { desk, user } = await opened();
    await user.keyboard("/");
    expect(document.activeElement).toBe(field());
    await user.keyboard("Approve");
    await waitFor(() => expect(listed()).toEqual(["Approve deployment?", "Approve the migration?"]));
    expect(desk.looks.map(({ view }) => (view.type === "inbox" ? view.filter : ""))).toContain("Approve");
    await user.keyboard("{Enter}j");
    await heading("Approve the migration?");
    expect(document.activeElement, "Enter goes on into the list").toBe(screen.getByRole("listbox", { name: "Questions" }));
  });

  it("takes what may be meant as chips that can be removed", async () => {
    const { desk, user } = await opened();
    desk.offers = [{ text: "server:s2", count: 2 }];
    await user.keyboard("/l");
    await user.click(await screen.findByRole("option", { name: /^server:s2/ }));
    await waitFor(() => expect(listed()).toEqual(["Which dataset?", "Approve the migration?"]));
    expect(field().value, "it stands in the place of what was typed").toBe("");
    await user.keyboard("train");
    await waitFor(() => expect(listed()).toEqual(["Which dataset?"]));
    await user.click(screen.getByRole("button", { name: "Remove server:s2 from the filter" }));
    await user.clear(field());
    await waitFor(() => expect(listed()).toEqual(all));
  });

  it("is left by one Escape while nothing is typed, though something is offered", async () => {
    const { desk, user } = await opened();
    desk.offers = [{ text: "server:s2", count: 2 }];
    await user.keyboard("/");
    await screen.findByRole("option", { name: /^server:s2/ });
    await user.keyboard("{Escape}");
    expect(document.activeElement).not.toBe(field());
    await waitFor(() => expect(screen.queryByRole("option", { name: /^server:s2/ })).toBeNull());
    await user.keyboard("j");
    expect(field().value, "plain keys are keys again").toBe("");
  });

  it("keeps what is typed at the first Escape, which only closes what is offered", async () => {
    const { desk, user } = await opened();
    desk.offers = [{ text: "server:s2", count: 2 }];
    await user.keyboard("/s");
    await screen.findByRole("option", { name: /^server:s2/ });
    await user.keyboard("{Escape}");
    expect([document.activeElement, field().value]).toEqual([field(), "s"]);
    await user.keyboard("{Escape}");
    expect([document.activeElement, field().value], "the second clears it").toEqual([field(), ""]);
    await user.keyboard("{Escape}");
    expect(document.activeElement, "and the third leaves").not.toBe(field());
  });

  it("says that no question matches, and is cleared at a press", async () => {
    const { user } = await opened();
    await user.keyboard("/server:s1 nothing like it");
    await screen.findByText("No question matches");
    expect(screen.queryByText("Nothing needs you"), "three questions do").toBeNull();
    await user.click(screen.getByRole("button", { name: "Clear the filter" }));
    await waitFor(() => expect(listed()).toEqual(all));
    expect(field().value).toBe("");
    expect(screen.queryByRole("button", { name: /from the filter$/ })).toBeNull();
  });

  it("says that it still looks while not all was looked through, and not that nothing matches", async () => {
    const { desk, user } = await opened();
    desk.complete = false;
    await user.keyboard("/nothing like it");
    await waitFor(() => expect(screen.getAllByText("Still looking …")).toHaveLength(2));
    expect(screen.queryByText("No question matches")).toBeNull();
    desk.complete = true;
    act(() => desk.touch());
    await screen.findByText("No question matches");
    expect(screen.queryByText("Still looking …")).toBeNull();
  });

  it("keeps what was found where full texts cannot be looked through, and says why", async () => {
    const { desk, user } = await opened();
    desk.fault = { code: "internal", message: "the index of full texts failed", retry: "later" };
    await user.keyboard("/dataset");
    await waitFor(() => expect(listed()).toEqual(["Which dataset?"]));
    expect(screen.getByText(/^Full texts could not be searched\. Signalbox keeps trying/)).toBeTruthy();
    expect(screen.queryByText("Still looking …"), "it would be said for ever").toBeNull();
    await user.keyboard("{Escape}nothing like it");
    await screen.findByText("Nothing found outside full texts");
    expect(screen.queryByText("No question matches"), "one may").toBeNull();

    desk.fault = undefined;
    act(() => desk.touch());
    await screen.findByText("No question matches");
    expect(screen.queryByText(/^Full texts could not/)).toBeNull();
  });

  it("lists no questions of another server than the chip says, whatever is typed beside it", async () => {
    const { user } = await opened();
    act(() => openInboxOf("s1"));
    await waitFor(() => expect(listed()).toEqual(["Approve deployment?"]));
    await user.keyboard("/server:s2 ");
    await screen.findByText("No question matches");
    await user.click(screen.getByRole("button", { name: /^Only questions of ci are listed/ }));
    await waitFor(() => expect(listed()).toEqual(["Which dataset?", "Approve the migration?"]));
  });

  it("gives way where somebody asks for the open questions of a server", async () => {
    const { user } = await opened();
    await user.keyboard("/dataset");
    await waitFor(() => expect(listed()).toEqual(["Which dataset?"]));
    await user.click(screen.getByRole("tab", { name: "Answered" }));
    act(() => openInboxOf("s1"));
    await waitFor(() => expect(listed()).toEqual(["Approve deployment?"]));
    expect(screen.getByRole("tab", { name: /^Needs you/ }).getAttribute("aria-selected")).toBe("true");
  });

  it("is there again when one comes back from another place", async () => {
    const { user } = await opened();
    await user.keyboard("/dataset");
    await waitFor(() => expect(listed()).toEqual(["Which dataset?"]));
    cleanup();
    open(three());
    await waitFor(() => expect(field().value).toBe("dataset"));
    await waitFor(() => expect(listed()).toEqual(["Which dataset?"]));
  });

  it("says that nothing needs anybody where nothing does", async () => {
    open([]);
    await screen.findByText("Nothing needs you");
    expect(screen.queryByText("No question matches")).toBeNull();
  });

  it("holds in the other tab, too", async () => {
    const at = new Date().toISOString();
    const over = (id: string, message: string) => aDetail({ id, message, state: "answered", closedAt: at, answer: { action: "accept", decidedAt: at, sendAt: at, sentAt: at } });
    const { user } = await opened([...three(), over("r4", "Keep the cache?"), over("r5", "Delete the data?")]);
    await user.keyboard("/cache");
    await screen.findByText("No question matches");
    await user.click(screen.getByRole("tab", { name: /^Answered/ }));
    await waitFor(() => expect(listed()).toEqual(["Keep the cache?"]));
  });

  it("changes neither what the tab counts nor the place among those that are open, and what is shown is of the list", async () => {
    const { user } = await opened();
    const tab = () => screen.getByRole("tab", { name: /^Needs you/ }).textContent;
    expect(tab()).toBe("Needs you3");
    await user.keyboard("/migration");
    await waitFor(() => expect(listed()).toEqual(["Approve the migration?"]));
    expect(tab()).toBe("Needs you3");
    await heading("Approve the migration?");
    expect(screen.getByText("3 of 3")).toBeTruthy();
  });

  it("narrows which question comes next, too", async () => {
    const { user } = await opened();
    await user.keyboard("/Approve");
    await waitFor(() => expect(listed()).toEqual(["Approve deployment?", "Approve the migration?"]));
    await user.keyboard("{Enter}{Escape}");
    await heading("Approve deployment?");
    await user.keyboard("n");
    await heading("Approve the migration?");
    await user.keyboard("n");
    await heading("Approve deployment?");
  });

  it("keeps the list while it cannot be read, and says why", async () => {
    const { desk, user } = await opened();
    const { act: carryOut } = desk;
    desk.act = (command) => (command.type === "read_filter" ? { type: "filtered", fault: "`state:` needs a value" } : carryOut(command));
    await user.keyboard("/state:");
    await screen.findByText("`state:` needs a value");
    expect(listed()).toEqual(all);
  });

  it("lists the questions of one server until its chip is pressed", async () => {
    const { user } = await opened();
    act(() => openInboxOf("s1"));
    await waitFor(() => expect(listed()).toEqual(["Approve deployment?"]));
    await user.click(screen.getByRole("button", { name: /^Only questions of ci are listed/ }));
    await waitFor(() => expect(listed()).toEqual(all));
    expect(currentNav().only.inbox).toBeNull();
  });

  it("is cleared with the server", async () => {
    const { user } = await opened();
    act(() => openInboxOf("s1"));
    await waitFor(() => expect(listed()).toEqual(["Approve deployment?"]));
    await user.keyboard("/dataset");
    await screen.findByText("No question matches");
    await user.click(screen.getByRole("button", { name: "Clear the filter" }));
    await waitFor(() => expect(listed()).toEqual(all));
    expect(currentNav().only.inbox).toBeNull();
  });

  it("that brought nothing says nothing of the next one", async () => {
    const { desk, user } = await opened();
    await user.keyboard("/nothing like it");
    await screen.findByText("No question matches");
    desk.late = (view) => (view.type === "inbox" && view.filter === "dataset" ? new Promise(() => undefined) : undefined);
    await user.clear(field());
    await user.keyboard("dataset");
    await waitFor(() => expect(screen.queryByText("No question matches")).toBeNull());
    expect(screen.getByText("Loading…")).toBeTruthy();
  });
});
