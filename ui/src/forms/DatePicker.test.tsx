import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";

import type { FormSpec, TextFormat } from "../types";
import { contentOf, newDraft } from "./draft";
import { FormEditor } from "./FormEditor";

function setUp(format: TextFormat, initial?: string) {
  const spec: FormSpec = {
    notes: [],
    fields: [
      {
        name: "x",
        label: "When",
        required: true,
        nullable: false,
        kind: { type: "text", multiline: false, format },
        ...(initial !== undefined && { default: JSON.stringify(initial) }),
      },
    ],
  };
  let content = "";
  function Place() {
    const [draft, setDraft] = useState(newDraft(spec));
    content = contentOf(spec, draft).content;
    return <FormEditor spec={spec} draft={draft} onChange={setDraft} errors={[]} />;
  }
  render(<Place />);
  return { user: userEvent.setup(), content: () => content };
}

// Whether a comma follows the day of the week depends on the platform.
const focused = () => document.activeElement?.getAttribute("aria-label")?.replace(",", "");

describe("a date", () => {
  it("can be typed as before", async () => {
    const { user, content } = setUp("date");
    await user.type(screen.getByLabelText("When"), "2026-02-29");
    expect(content(), "it is not converted and not dropped").toBe('{"x":"2026-02-29"}');
    await user.type(screen.getByLabelText("When"), "{Backspace}8");
    expect(screen.getByText(/^Saturday,? 28 February 2026$/)).toBeTruthy();
  });

  it("is chosen by keys alone in a dialog of its own", async () => {
    const { user, content } = setUp("date", "2026-01-31");
    await user.click(await screen.findByRole("button", { name: "Calendar" }));
    const dialog = await screen.findByRole("dialog", { name: "Choose a date" });
    await waitFor(() => expect(focused()).toBe("Saturday 31 January 2026"));
    const inTabOrder = within(dialog).getAllByRole("button").filter((button) => button.closest("td") && button.tabIndex === 0);
    expect(inTabOrder, "one day stands for all of them").toHaveLength(1);
    await user.keyboard("{ArrowRight}");
    expect(focused(), "the month turns with it").toBe("Sunday 1 February 2026");
    await user.keyboard("{PageDown}{ArrowDown}");
    expect(focused()).toBe("Sunday 8 March 2026");
    await user.keyboard("{Home}");
    expect(focused()).toBe("Monday 2 March 2026");
    await user.keyboard("{PageUp}{ArrowUp}{Shift>}{PageDown}{/Shift}");
    expect(focused()).toBe("Tuesday 26 January 2027");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(content()).toBe('{"x":"2027-01-26"}');
  });

  it("is left as it was by Escape, and the focus goes back", async () => {
    const { user, content } = setUp("date", "2026-01-31");
    const opener = await screen.findByRole("button", { name: "Calendar" });
    await user.click(opener);
    await screen.findByRole("dialog");
    await user.keyboard("{ArrowRight}{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(content()).toBe('{"x":"2026-01-31"}');
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });
});

describe("a date with a time", () => {
  it("keeps the time and the offset that it has when another day is chosen", async () => {
    const { user, content } = setUp("date-time", "2026-01-31T09:30:00+05:45");
    expect(screen.getByText(/^Sent with the offset \+05:45\. By the clock here: /)).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Calendar" }));
    await screen.findByRole("dialog", { name: "Choose a date and a time" });
    await user.click(screen.getByRole("button", { name: /^Friday,? 2 January 2026$/ }));
    expect(content()).toBe('{"x":"2026-01-02T09:30:00+05:45"}');
  });

  it("says which offset is sent, and sends the one that is chosen", async () => {
    const { user, content } = setUp("date-time", "2026-01-31T09:30:00+05:45");
    await user.click(await screen.findByRole("button", { name: "Calendar" }));
    await user.selectOptions(await screen.findByLabelText("Offset from UTC"), "Z");
    expect(content()).toBe('{"x":"2026-01-31T09:30:00Z"}');
    const time = screen.getByLabelText("Time");
    await user.clear(time);
    await user.type(time, "25:00");
    expect(content(), "what is no time changes nothing").toBe('{"x":"2026-01-31T09:30:00Z"}');
    await user.clear(time);
    await user.type(time, "23:05");
    expect(content()).toBe('{"x":"2026-01-31T23:05:00Z"}');
  });

  it("says that an offset is missing", async () => {
    const { user } = setUp("date-time");
    await user.type(screen.getByLabelText("When"), "2026-01-31T09:00:00");
    expect(screen.getByText("It has no offset from UTC.")).toBeTruthy();
  });
});
