import { cleanup, fireEvent, screen } from "@testing-library/react";
import { createRef, type ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { ArgumentRows } from "../components/ArgumentRows";
import { ErrorNote } from "../components/States";
import { JustAnswered } from "../features/inbox/JustAnswered";
import { RequestCard } from "../features/inbox/RequestCard";
import { ReviewDialog } from "../features/inbox/ReviewDialog";
import { aDetail, aPage, aRound, sent } from "../features/inbox/samples";
import { Sheet } from "../features/inbox/Sheet";
import type { Answering } from "../features/inbox/useAnswering";
import { Why } from "../features/inbox/Why";
import { ServerAdopt } from "../features/servers/ServerAdopt";
import { ServerDetail } from "../features/servers/ServerDetail";
import { Ending } from "../features/tasks/Ending";
import { Now } from "../features/tasks/Now";
import { Questions } from "../features/tasks/Questions";
import { RawPayloads } from "../features/tasks/RawPayloads";
import { TaskLine } from "../features/tasks/TaskLine";
import { TaskTitle } from "../features/tasks/TaskTitle";
import { Timeline } from "../features/tasks/Timeline";
import { oneLine, visible, withoutGaps } from "../format/text";
import { FormEditor, newDraft } from "../forms";
import { DeskError } from "../host/error";
import { showing } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { HOSTILE, isIsolated, kindsIn, textsIn, UNSEEN } from "../test/hostile";
import { renderWith } from "../test/render";
import { anOverview, aRequest, aResult, aServer, aTask, aTaskDetail, aText } from "../test/samples";
import type { ContentPart, Field, FieldKind, FormSpec, RequestDetail, StatusNote } from "../types";

const both = (text: string) => JSON.stringify({ [text]: text });
const note = (text: string): StatusNote => ({ code: "server_error", reason: { kind: "said", message: text } });
const decidedAt = "2026-11-21T14:20:00Z";

const option = (text: string) => ({ value: JSON.stringify(text), label: text });
const KINDS: readonly [kind: (text: string) => FieldKind, initial?: (text: string) => string][] = [
  [(text) => ({ type: "text", multiline: false, pattern: text }), JSON.stringify],
  [() => ({ type: "text", multiline: true }), JSON.stringify],
  [(text) => ({ type: "select", options: [option(text), option("other")] }), JSON.stringify],
  [(text) => ({ type: "multiSelect", options: [option(text), option("other")] }), (text) => `[${JSON.stringify(text)}]`],
  [() => ({ type: "boolean" })],
  [() => ({ type: "integer" })],
  [() => ({ type: "json", why: "nested" }), both],
];

/** A form of every kind of field, each with a text of its own wherever a schema has one. */
function aForm([text = "", ...others]: Texts): FormSpec {
  const fields = [text, ...others].slice(0, KINDS.length).map((own, n): Field => {
    const [kind, initial] = KINDS[n] ?? [() => ({ type: "boolean" })];
    return { name: n === 0 ? own : `${own}${n}`, label: own, description: own, required: n > 2, nullable: false, kind: kind(own), ...(initial && { default: initial(own) }) };
  });
  return { title: text, description: text, fields, notes: [{ message: text }, { field: text, message: text }] };
}

function sheet(...members: RequestDetail[]): ReactNode {
  const [hand] = members;
  return hand && <Sheet hand={hand} members={members} overview={anOverview()} next={undefined} onDecided={() => undefined} onPutOff={() => undefined} alike={1} onGiven={() => undefined} ref={createRef()} />;
}

const words = (text: string) => ({ message: text, tool: text, summary: text, method: "elicitation/create" });
const about = (text: string) => ({ statusMessage: `status ${text}`, arguments: both(text), protocolVersion: text, raw: both(text) });

/** So many texts at a time. A form has all of them, what else is shown has the first. */
const AT_ONCE = KINDS.length;
type Texts = readonly string[];

/** Wherever the window shows what a server said. */
const PLACES: Record<string, (text: string, texts: Texts) => ReactNode> = {
  "a question in the list": (text) => <RequestCard row={aRequest({ ...words(text), mode: "url", host: text })} narrow={false} tall head="No longer asked" />,
  "a question": (text, texts) => sheet(aDetail(words(text), { ...about(text), form: aForm(texts) })),
  "a form that was refused": (text, texts) => {
    const spec = aForm(texts);
    const errors = [text, "other"].map((field) => ({ field, path: `/${field}`, code: "type" as const, message: text }));
    return <FormEditor spec={spec} draft={newDraft(spec)} onChange={() => undefined} errors={errors} />;
  },
  "a form that is JSON alone": (text) => {
    const spec: FormSpec = { fields: [], notes: [], fallback: { why: "nested", detail: text } };
    return <FormEditor spec={spec} draft={newDraft(spec)} onChange={() => undefined} errors={[]} verdict={[{ path: `/${text}`, code: "type", message: text }]} />;
  },
  "questions of a round": (text) => sheet(...aRound([text, `${text}2`], [words(text), words(text)])),
  "a page": (text) => sheet(aDetail({ ...words(text), mode: "url", host: text }, { form: undefined, url: aPage({ full: text, before: text, host: text, after: text, reads: text, scripts: [text], serverHost: text, warnings: ["malformed"] }), askedBefore: [decidedAt, decidedAt] })),
  "a question to a model": (text) => {
    const parts = [{ kind: "text" as const, text }, { kind: "media" as const, type: text, mimeType: text }, { kind: "other" as const, json: both(text) }];
    const lists = { stopSequences: [text], modelHints: [text], tools: [text], includeContext: text, temperature: text, maxTokens: text };
    return sheet(aDetail({ ...words(text), method: "sampling/createMessage" }, { form: undefined, sampling: { systemPrompt: text, messages: [{ role: text, parts }], cut: false, ...lists } }));
  },
  "an answer that was refused": (text) => sheet(aDetail({ ...words(text), state: "refused", answer: { action: "accept", content: both(text), decidedAt, sendAt: decidedAt, refusal: note(text) } })),
  "a receipt": (text) => sheet(aDetail({ ...words(text), state: "answered", answer: { action: "accept", content: both(text), decidedAt, sendAt: decidedAt } })),
  "a review": (text) => {
    const review = [{ request: "r1", title: text, content: both(text), sends: sent("accept", both(text)), secrets: [text] }];
    const answering = { review, isBusy: () => false, closeReview: () => undefined, send: () => Promise.resolve(), error: undefined } as unknown as Answering;
    return <ReviewDialog answering={answering} server="ci" hold={5_000} beside={{ open: 0, kept: [], unseen: 0 }} titled caution="destroys" />;
  },
  "why it is asked": () => <Why detail={aDetail()} />,
  "the undo of the last answer": () => <JustAnswered ids={["r9"]} inHand="r1" />,
  "tasks to adopt": () => <ServerAdopt server={aServer({ wire: "legacy" })} />,
  "a task in the list": (text) => <TaskLine row={aTask({ tool: text, summary: text, statusMessage: text })} selected={false} />,
  "a status of its own in the list": (text) => <TaskLine row={aTask({ tool: text, status: "unknown", statusText: text })} selected={false} />,
  "a task at work": (text) => {
    const task = aTaskDetail({ tool: text, summary: text, statusMessage: text, note: note(text) }, { arguments: both(text), requests: [aRequest(words(text))] });
    return (
      <>
        <TaskTitle task={task} />
        <Now task={task} />
        <Questions task={task} />
        <Timeline task={{ ...task, timeline: [...task.timeline, { call: "t1", at: decidedAt, kind: "refused", note: note(text) }] }} />
        <ArgumentRows json={task.arguments} />
      </>
    );
  },
  "a task that ended": (text) => {
    const blob = { bytes: 9, format: "zip" as const, mimeType: text, unshown: "format" as const };
    const content: ContentPart[] = [
      aText(`result ${text}`),
      aText(`\u001b[31mresult\u001b[0m ${text}\nline`),
      { kind: "blob", blob },
      { kind: "resource", uri: text, mimeType: text, bytes: 9, text: "resource" },
      { kind: "link", uri: text, name: text, description: text, mimeType: text },
      { kind: "other", type: text, bytes: 9, json: both(text) },
    ];
    const output = { type: "invalid" as const, errors: [{ path: `/${text}`, code: "type" as const, message: text }] };
    return <Ending task={aTaskDetail({ outcome: "ok", statusMessage: text }, { error: both(text), result: aResult(content, { structured: both(text), output }) })} outcome="ok" onRaw={() => undefined} />;
  },
  "a task as it was received": (text) => <RawPayloads task={aTaskDetail({}, { taskId: text, payloads: [{ kind: "result", bytes: text.length, json: both(text) }] })} />,
  "a server": (text) => {
    const health = { state: "unreachable", code: "unreachable", reason: { kind: "said", message: text }, since: decidedAt, retryAt: decidedAt } as const;
    const server = aServer({ health, peer: { name: text, version: text }, protocolVersion: text, capabilities: both(text) });
    return <ServerDetail server={server} check={undefined} onCheck={() => undefined} onEdit={() => undefined} onAccess={() => undefined} saved={false} onRemoved={() => undefined} bodyRef={createRef()} />;
  },
  "an error": (text) => <ErrorNote error={new DeskError({ code: "server_error", message: text, retry: "never" })} />,
};

interface Asked {
  host: (text: string) => FakeHost;
  /** What has to be done until all of it is there. */
  open: () => Promise<unknown>;
}

/** What places show that ask the desk for it themselves. */
const ASKED: Record<string, Asked> = {
  "why it is asked": {
    host: (text) => {
      const answer = { action: "accept", content: both(text), decidedAt, sendAt: decidedAt } as const;
      const earlier = aRequest({ ...words(text), id: "r5", state: "answered", decidedBy: "person", answer });
      const details = new Map([["t1", aTaskDetail({}, { timeline: [{ call: "t1", at: decidedAt, kind: "status", text }] })]]);
      return new FakeHost(showing({ details }), ({ type }) => (type === "earlier_answers" ? { type, answers: [earlier] } : { type: "done" }));
    },
    open: async () => {
      fireEvent.click(screen.getByRole("button", { name: /^Why/ }));
      await screen.findByText(/by you/);
      await screen.findByRole("heading", { name: "Timeline" });
    },
  },
  "the undo of the last answer": {
    host: (text) => {
      const answer = { action: "accept", decidedAt: new Date().toISOString(), sendAt: new Date(Date.now() + 60_000).toISOString() } as const;
      // A question is named by its first line.
      const held = aDetail({ ...words(text.replace(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, " ")), id: "r9", state: "held", answer });
      const show = showing({});
      return new FakeHost((view) => (view.type === "request" && view.request === "r9" ? { type: "request", request: held } : show(view)));
    },
    open: () => screen.findByRole("region", { name: "Your last answer" }),
  },
  "tasks to adopt": {
    host: (text) => {
      const tasks = [{ taskId: text, status: "working" as const, statusMessage: text, createdAt: decidedAt }];
      return new FakeHost(showing({}), ({ type }) => (type === "list_tasks" ? { type: "listed", listing: { tasks, followed: 0, complete: true } } : { type: "done" }));
    },
    open: () => screen.findByRole("listitem"),
  },
};

/** What takes long to draw is drawn with every seventh text alone: in each such place with others. */
const QUICK = /list$|^an error|JSON alone|received$/;
const WITH_FORM = ["a question", "a form that was refused"];

async function show(place: string, texts: Texts): Promise<void> {
  const [text = ""] = texts;
  const asked = ASKED[place];
  renderWith(asked?.host(text) ?? new FakeHost(showing({})), PLACES[place]?.(text, texts));
  await asked?.open();
}

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

/** All that is read or heard. */
function shown(): string {
  const spoken = [...document.body.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap((element) =>
    ["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
  );
  return [textsIn(document.body).map(({ text }) => text).join(""), ...spoken].join(" ");
}

/** Whether a text is there: on one line, on several or as JSON; of a long one its beginning, and that it goes on. */
function isThere(text: string, said: string): boolean {
  const forms = [oneLine, visible, (part: string) => withoutGaps(visible(part)), (part: string) => visible(JSON.stringify(part).slice(1, -1))];
  const isSaid = (part: string) => forms.some((form) => said.includes(flat(form(part))));
  return isSaid(text) || (text.length > 120 && /…|Show all|more character/.test(said) && isSaid(text.slice(0, 60).replace(/[\ud800-\udbff]$/, "")));
}

/** What there is of elements where servers say nothing bad. */
async function harmless(place: string): Promise<Set<string>> {
  const kinds = new Set<string>();
  for (const text of ["word", "words\nand more words. ".repeat(400)]) {
    await show(place, Array<string>(AT_ONCE).fill(text));
    for (const kind of kindsIn(document.body)) kinds.add(kind);
    cleanup();
  }
  return kinds;
}

describe("what a server says", () => {
  let title: string;
  let names: string[];
  beforeEach(() => {
    title = document.title;
    names = Object.getOwnPropertyNames(window);
  });
  afterEach(() => {
    // React's own word for its tests comes with the first of them.
    const more = Object.getOwnPropertyNames(window).filter((name) => !names.includes(name) && name !== "IS_REACT_ACT_ENVIRONMENT");
    expect([document.title, more], "nothing ran").toEqual([title, []]);
    expect(Object.keys(Object.prototype), "what all objects have is as it was").toEqual([]);
  });

  it("comes in every kind that is known to deceive or to break", () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(100);
    expect(new Set(HOSTILE.map(([name]) => name)).size).toBe(HOSTILE.length);
  });

  describe.each(Object.keys(PLACES))("in %s", (place) => {
    it("stands on its own, whichever way it is read", async () => {
      await show(place, Array<string>(AT_ONCE).fill("\u00a7 \u05e9\u05dc\u05d5\u05dd"));
      const foreign = textsIn(document.body).filter(({ text }) => text.includes("\u00a7"));
      expect(foreign.length).toBeGreaterThan(0);
      expect(foreign.filter(({ at }) => !isIsolated(at)).map(({ text }) => text)).toEqual([]);
    });

    it("is text, hides nothing, and is whole or seen to be cut", async () => {
      const known = await harmless(place);
      const step = QUICK.test(place) ? 1 : AT_ONCE;
      for (let n = WITH_FORM.includes(place) ? 0 : Object.keys(PLACES).indexOf(place) % step; n < HOSTILE.length; n += step) {
        const cases = HOSTILE.slice(n, n + AT_ONCE);
        const names = cases.map(([name]) => name).join(" / ");
        await show(place, cases.map(([, text]) => text));
        expect([...kindsIn(document.body)].filter((kind) => !known.has(kind)), `${names} makes no element and no attribute`).toEqual([]);
        const said = shown();
        expect(UNSEEN.exec(said)?.[0], `${names} hides nothing`).toBeUndefined();
        for (const [name, text] of WITH_FORM.includes(place) ? cases : cases.slice(0, 1)) {
          expect(isThere(text, flat(said)), `${name} is there, or seen to be cut`).toBe(true);
        }
        cleanup();
      }
    });
  });
});
