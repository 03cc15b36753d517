import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it } from "vitest";

import { currentNav, go } from "../../places/nav";
import { t } from "../../strings";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aRequest, aServer, aTask } from "../../test/samples";
import type { RequestState } from "../../types";
import { resetGuide } from "./guide";
import { Hint, RequestHint, TaskHint } from "./Hint";
import { AFTER, READ, STEP_OF, STEPS, type Step } from "./steps";

const DEMO = aServer({ id: "s9", name: "tour", demo: true, tasks: { needsYou: 1, working: 1, ended: 0 } });

function show(ui: ReactNode, servers = [aServer(), DEMO]) {
  const desk = new FakeHost(showing({ overview: anOverview({ servers }) }));
  const view = renderWith(desk, ui);
  return { desk, user: userEvent.setup({ delay: null }), ...view };
}

const notes = () => screen.queryAllByRole("complementary", { name: "Guide" });
const note = async (step: Step) => {
  const shown = await screen.findByRole("complementary", { name: "Guide" });
  await within(shown).findByText(t.first.guide.steps[step].title);
  return within(shown);
};
/** Time for what would come, to come. */
const settled = async (desk: FakeHost) => {
  await waitFor(() => expect(desk.waiting).toBeGreaterThan(0));
};

beforeEach(() => {
  resetGuide();
  go("inbox");
});

describe("the guide's table", () => {
  it("has words for each step, and reaches each from a place on screen", () => {
    for (const step of STEPS) {
      const { title, text } = t.first.guide.steps[step];
      expect(title.length, step).toBeGreaterThan(0);
      expect(text.length, `${step} is short`).toBeLessThan(200);
    }
    const order = STEPS.map((step) => STEPS.indexOf(AFTER[step] ?? step));
    expect(order, "what comes after another stands below it").toEqual(STEPS.map((step, index) => (AFTER[step] ? index - 1 : index)));
    expect(READ[STEPS.at(-1) as Step], "the last one ends the guide").toBeNull();
  });

  it.each(Object.entries(STEP_OF) as [RequestState, Step][])("beside a question that is %s speaks of %s", async (state, step) => {
    show(<RequestHint row={aRequest({ server: "s9", state })} />);
    await note(step);
  });
});

describe("a note", () => {
  it("stands beside what is the demo's, and nowhere else", async () => {
    const { desk } = show(
      <>
        <RequestHint row={aRequest({ server: "s1" })} />
        <RequestHint row={aRequest({ server: "s9", mode: "url" })} />
        <TaskHint row={aTask({ server: "s9" })} />
        <Hint step="review" server="ci" />
      </>,
    );
    await settled(desk);
    expect(notes(), "another server's, a page, a task that has not ended, another's review").toEqual([]);
  });

  it("is not there without a demo", async () => {
    const { desk } = show(<RequestHint row={aRequest({ server: "s1" })} />, [aServer()]);
    await settled(desk);
    expect(notes()).toEqual([]);
  });

  it("is one at a time: what came last is in front, and gives way again", async () => {
    const question = <RequestHint row={aRequest({ server: "s9" })} />;
    const { desk } = show(question);
    await note("question");
    const { unmount } = renderWith(desk, <Hint step="review" server="tour" />);
    await note("review");
    expect(notes().length).toBe(1);
    unmount();
    await note("question");
  });

  it.each([
    ["its button", async (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByRole("button", { name: "End the guide" }))],
    [
      "Escape, where the keyboard is in it",
      async (user: ReturnType<typeof userEvent.setup>) => {
        await user.tab();
        await user.keyboard("{Escape}");
      },
    ],
  ])("goes for good with %s", async (_, end) => {
    const { user, unmount, desk } = show(<RequestHint row={aRequest({ server: "s9" })} />);
    await note("question");
    await end(user);
    expect(notes()).toEqual([]);
    unmount();
    renderWith(desk, <TaskHint row={aTask({ server: "s9", outcome: "ok" })} />);
    await settled(desk);
    expect(notes(), "nor does a later one come").toEqual([]);
    expect(localStorage.getItem("signalbox.guide"), "and it is kept").toContain('"ended":true');
  });

  it("says that a question comes until one has come", async () => {
    const { unmount, desk } = show(<Hint step="coming" />);
    await note("coming");
    unmount();
    const question = renderWith(desk, <RequestHint row={aRequest({ server: "s9" })} />);
    await note("question");
    question.unmount();
    renderWith(desk, <Hint step="coming" />);
    await settled(desk);
    expect(notes()).toEqual([]);
  });

  it("says so only while the demo works", async () => {
    const { desk } = show(<Hint step="coming" />, [aServer({ ...DEMO, tasks: { needsYou: 0, working: 0, ended: 2 } })]);
    await settled(desk);
    expect(notes()).toEqual([]);
  });

  it("leads from the result to notifications and on, and ends there", async () => {
    const { user } = show(
      <>
        <Hint step="notification" />
        <Hint step="follow">
          <code>signalbox serve</code>
        </Hint>
        <TaskHint row={aTask({ server: "s9", outcome: "ok" })} />
      </>,
    );
    await user.click((await note("result")).getByRole("button", { name: "Next" }));
    expect(currentNav().place, "that is where the switch is").toBe("settings");
    await user.click((await note("notification")).getByRole("button", { name: "Next" }));
    const last = await note("follow");
    expect(last.getByText("signalbox serve")).toBeTruthy();
    await user.click(last.getByRole("button", { name: "Done" }));
    expect(notes()).toEqual([]);
    expect(localStorage.getItem("signalbox.guide")).toContain('"ended":true');
  });
});
