import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { select } from "../../places/nav";
import { open } from "./openInbox";
import { aDetail } from "./samples";

beforeEach(() => select({ request: null }));

/** The JSON tab of an open question, with this text in it. */
async function written(json: string) {
  const opened = open([aDetail()]);
  await opened.user.click(await screen.findByRole("tab", { name: "JSON" }));
  const text = screen.getByLabelText("Content as JSON");
  await opened.user.clear(text);
  await opened.user.click(text);
  await opened.user.paste(json);
  return { ...opened, text };
}

describe("the JSON tab of a question", () => {
  it("begins with exactly what would be sent", async () => {
    const { user } = open([aDetail()]);
    await user.click(await screen.findByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "12345678901234567890");
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    expect(screen.getByLabelText("Content as JSON")).toHaveProperty("value", '{\n  "approved": true,\n  "limit": 12345678901234567890\n}');
  });

  it("says while one types whether it fits, where it does not, and why", async () => {
    const { desk, user, text } = await written('{"approved":true,"limit":7}');
    await screen.findByText("It fits the schema.");
    expect(text.getAttribute("aria-invalid")).toBeNull();
    desk.misfits = [
      { field: "limit", path: "/limit", code: "tooLarge", message: "At most 5" },
      { field: "more", path: "/more/0", code: "unknown", message: "Not known" },
    ];
    await user.type(text, " ");
    await screen.findByText("It does not fit the schema in 2 places:");
    expect(screen.getByText("/limit: At most 5")).toBeTruthy();
    expect(screen.getByText("/more/0: Not known")).toBeTruthy();
    expect(text.getAttribute("aria-invalid")).toBe("true");
    const described = (text.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");
    expect(described, "a screen reader says it, too").toContain("/limit: At most 5");
    await user.type(text, "}");
    expect(screen.getByText(/^Not JSON: see line 1/), "what was true of an earlier text is not said of this one").toBeTruthy();
    expect(screen.queryByText("/limit: At most 5")).toBeNull();
  });

  it("claims no fit where the schema cannot be read", async () => {
    const { user } = open([aDetail({}, { form: { fields: [], notes: [], fallback: { why: "unreadable" } } })]);
    await user.type(await screen.findByLabelText("Content as JSON"), " ");
    await screen.findByText("Signalbox cannot check it against the schema. The server will.");
  });

  it.each(["1e999", "12345678901234567890", "0.10", "-0.0e-0"])("sends the number %s byte for byte", async (number) => {
    const content = `{ "approved": true, "limit": ${number} }`;
    const { desk, user } = await written(content);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer").map((answer) => answer.content)).toEqual([content]));
  });
});
