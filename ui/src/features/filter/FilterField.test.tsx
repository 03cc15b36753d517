import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, describe, expect, it } from "vitest";

import { listAllServers, openTasksOf } from "../../places/nav";
import { showing, type SmallDesk } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer } from "../../test/samples";
import type { Overview } from "../../types";
import { FilterField } from "./FilterField";
import { useOnlyServer } from "./onlyServer";
import { useFilter } from "./useFilter";

const OVERVIEW = anOverview({ servers: [aServer({ id: "s1", name: "ci" })] });

/** A field, and the filter that its list would be asked for with. */
function Filtering({ first, overview }: { first: string; overview: Overview }) {
  const [typed, setTyped] = useState({ tokens: [] as readonly string[], text: first });
  const only = useOnlyServer("tasks", overview);
  const { filter, fault } = useFilter("tasks", typed);
  return (
    <>
      <FilterField list="tasks" label="Filter" typed={typed} onTyped={setTyped} only={only} fault={fault} />
      <output aria-label="asked">{filter === undefined ? "not yet" : `“${filter}”${only === undefined ? "" : ` within “${only.within}”`}`}</output>
      <button type="button">elsewhere</button>
    </>
  );
}

function open(desk: SmallDesk = {}, { first = "", overview = OVERVIEW, host = new FakeHost(showing(desk)) } = {}) {
  renderWith(host, <Filtering first={first} overview={overview} />);
  return host;
}

const field = () => screen.getByRole("combobox", { name: "Filter" });
const asked = () => screen.getByRole("status", { name: "asked" }).textContent;
const offered = () => screen.queryAllByRole("option").map((option) => option.textContent);
const looked = (host: FakeHost) => host.looks.flatMap(({ view }) => (view.type === "offers" ? [view.before] : []));

/** A desk that can read all but a token without a value. */
function reading(host: FakeHost): FakeHost {
  host.act = (command) => {
    if (command.type !== "read_filter") return { type: "done" };
    return { type: "filtered", ...(command.filter.endsWith(":") && { fault: "it needs a value" }) };
  };
  return host;
}

beforeEach(() => listAllServers("tasks"));

describe("what may be meant", () => {
  it("is followed only while somebody looks at it", async () => {
    const host = open({ offers: [{ text: "is:working", count: 3 }] });
    expect(looked(host), "nobody types").toEqual([]);
    await userEvent.click(field());
    await waitFor(() => expect(offered()).toEqual(["is:working3"]));
    await waitFor(() => expect(host.waiting).toBe(1));

    await userEvent.keyboard("{Escape}");
    expect(offered()).toEqual([]);
    await waitFor(() => expect(host.waiting, "nothing waits at the desk for what nobody sees").toBe(0));
    const before = host.looks.length;
    act(() => host.touch());
    expect(host.looks.length).toBe(before);

    await userEvent.keyboard("x");
    await waitFor(() => expect(looked(host).at(-1)).toBe("x"));
    await waitFor(() => expect(host.waiting).toBe(1));
    await userEvent.click(screen.getByRole("button", { name: "elsewhere" }));
    expect(offered()).toEqual([]);
    await waitFor(() => expect(host.waiting, "the focus went elsewhere").toBe(0));
  });

  it("is counted as of now while somebody looks at it", async () => {
    const desk: SmallDesk = { offers: [{ text: "is:working", count: 3 }] };
    const host = open(desk);
    await userEvent.click(field());
    await waitFor(() => expect(offered()).toEqual(["is:working3"]));
    desk.offers = [{ text: "is:working", count: 2 }, { text: "is:ended", count: 1 }];
    act(() => host.touch());
    await waitFor(() => expect(offered()).toEqual(["is:working2", "is:ended1"]));
  });

  it("is counted anew where the field is opened again", async () => {
    const desk: SmallDesk = { offers: [{ text: "is:working", count: 3 }] };
    const host = open(desk);
    await userEvent.click(field());
    await waitFor(() => expect(offered()).toEqual(["is:working3"]));
    await userEvent.click(screen.getByRole("button", { name: "elsewhere" }));
    desk.offers = [{ text: "is:working", count: 2 }];
    act(() => host.touch());
    await userEvent.click(field());
    await waitFor(() => expect(offered()).toEqual(["is:working2"]));
  });

  it("stays while somebody types on, until more is known", async () => {
    const host = open({ offers: ({ before }) => [{ text: before === "" ? "is:working" : "tool:lint", count: 1 }] });
    await userEvent.click(field());
    await waitFor(() => expect(offered()).toEqual(["is:working1"]));
    let know: () => void = () => undefined;
    const known = new Promise<void>((resolve) => (know = resolve));
    host.late = (view) => (view.type === "offers" && view.before === "l" ? known : undefined);
    await userEvent.keyboard("l");
    await waitFor(() => expect(looked(host).at(-1)).toBe("l"));
    expect(offered(), "a press must not meet an empty list").toEqual(["is:working1"]);
    act(know);
    await waitFor(() => expect(offered()).toEqual(["tool:lint1"]));
  });

  it("does not open where Escape clears the text", async () => {
    const host = open({ offers: ({ before }) => (before === "x" ? [] : [{ text: "is:working", count: 1 }]) });
    await userEvent.type(field(), "x");
    await waitFor(() => expect(offered()).toEqual([]));
    await userEvent.keyboard("{Escape}");
    expect((field() as HTMLInputElement).value).toBe("");
    await waitFor(() => expect(host.waiting, "nobody looks at what may be meant").toBe(0));
    expect(offered()).toEqual([]);
  });

  it("is asked for with all that is finished, and of the rows of the server alone, once typing rests", async () => {
    openTasksOf("s1");
    const host = open();
    await userEvent.type(field(), "is:ended li");
    await waitFor(() => expect(looked(host).at(-1)).toBe("is:ended li"));
    expect(looked(host)[0]).toBe("");
    const withins = host.looks.flatMap(({ view }) => (view.type === "offers" ? [view.within] : []));
    expect(new Set(withins)).toEqual(new Set(["server:s1"]));
    expect(new Set(looked(host)).size, "not with every letter").toBeLessThan(6);
  });
});

describe("the beginning of a value", () => {
  const deploys = [{ text: "tool:deploy", count: 3 }, { text: "tool:redeploy", count: 1 }];
  const type = async (text: string, offers: SmallDesk["offers"]) => {
    const host = open({ offers: offers ?? [] });
    await userEvent.type(field(), text);
    await waitFor(() => expect([looked(host).at(-1), host.waiting], "it is known what may be meant by it").toEqual([text, 1]));
    return host;
  };

  it("stands for the only token that it begins, and Enter takes that", async () => {
    await type("lint tool:Dep", deploys);
    expect((await screen.findByRole("option", { selected: true })).textContent, "it is seen what Enter takes").toBe("tool:deploy3");
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("button", { name: /"?tool:deploy"? from the filter/ })).toBeTruthy();
    expect((field() as HTMLInputElement).value).toBe("lint");
    await waitFor(() => expect(asked()).toBe("“tool:deploy lint”"));
  });

  it.each([
    ["begins several", "tool:dep", [...deploys, { text: "tool:depart", count: 1 }]],
    ["is a value itself", "tool:deploy", deploys],
    ["is a word, which is found anywhere", "dep", deploys],
    ["stands within a value only", "tool:edep", deploys],
  ])("stands for itself where it %s", async (_, text, offers) => {
    await type(text, offers);
    expect(screen.queryByRole("option", { selected: true })).toBeNull();
    await userEvent.keyboard("{Enter}");
    expect((field() as HTMLInputElement).value, "nothing is taken that nobody saw chosen").toBe(text);
  });

  it("stands for itself while nobody knows what else it begins", async () => {
    const host = await type("tool:", deploys);
    host.late = () => new Promise(() => undefined);
    await userEvent.type(field(), "dep");
    expect(offered(), "what was known before").toEqual(["tool:deploy3", "tool:redeploy1"]);
    await userEvent.keyboard("{Enter}");
    expect((field() as HTMLInputElement).value).toBe("tool:dep");
  });
});

describe("what is typed", () => {
  it("is read before a list is asked for with it, and nothing needs no reading", async () => {
    const host = reading(open());
    expect(asked()).toBe("“”");
    expect(host.commands).toEqual([]);
    await userEvent.type(field(), "lint");
    await waitFor(() => expect(asked()).toBe("“lint”"));
    expect(host.commands).toEqual([{ type: "read_filter", list: "tasks", filter: "lint" }]);
  });

  it("keeps the list as it is while it cannot be read, and says why", async () => {
    reading(open());
    await userEvent.type(field(), "lint");
    await waitFor(() => expect(asked()).toBe("“lint”"));
    await userEvent.type(field(), " status:");
    await screen.findByText("it needs a value");
    expect(field().getAttribute("aria-invalid")).toBe("true");
    expect(asked()).toBe("“lint”");
    await userEvent.type(field(), "failed");
    await waitFor(() => expect(asked()).toBe("“lint status:failed”"));
    expect(screen.queryByText("it needs a value")).toBeNull();
  });

  it("is waited for where it stood there from the beginning", async () => {
    open({}, { first: "lint" });
    expect(asked(), "neither all rows nor what may be no filter").toBe("not yet");
    await waitFor(() => expect(asked()).toBe("“lint”"));
  });

  it("narrows nothing where it could not be read from the beginning", async () => {
    open({}, { first: "status:", host: reading(new FakeHost(showing({}))) });
    expect(asked()).toBe("not yet");
    await screen.findByText("it needs a value");
    expect(asked()).toBe("“”");
  });

  it("is what the list is asked for with where nobody reads it: the list comes when the desk is back", async () => {
    const host = open();
    host.fail({ code: "owner_gone", message: "gone", retry: "later" });
    await userEvent.type(field(), "lint");
    await waitFor(() => expect(asked()).toBe("“lint”"));
  });
});

describe("the server whose rows alone are listed", () => {
  it("is a chip that holds whatever is typed beside it, and goes at a press", async () => {
    reading(open());
    await userEvent.type(field(), "status:");
    await screen.findByText("it needs a value");
    expect(asked()).toBe("“”");
    act(() => openTasksOf("s1"));
    expect(asked(), "what the chip says must hold").toBe("“” within “server:s1”");
    const chip = screen.getByRole("button", { name: /^Only tasks of ci are listed/ });
    await userEvent.click(chip);
    expect(asked()).toBe("“”");
    expect(chip.isConnected).toBe(false);
  });

  it("is no part of what is typed: another server there must not join it", async () => {
    const host = reading(open());
    act(() => openTasksOf("s1"));
    await userEvent.type(field(), "server:dev ");
    await waitFor(() => expect(asked()).toBe("“server:dev” within “server:s1”"));
    expect(host.commands.at(-1)).toEqual({ type: "read_filter", list: "tasks", filter: "server:dev" });
  });

  it("narrows nothing once it was removed", () => {
    openTasksOf("s1");
    open({}, { overview: anOverview({ servers: [aServer({ id: "s2", name: "lab" })] }) });
    expect(asked()).toBe("“”");
    expect(screen.queryByRole("button", { name: /^Only tasks of/ })).toBeNull();
  });
});
