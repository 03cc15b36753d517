import { cleanup, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { showing } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { HOSTILE, isIsolated, kindsIn, textsIn, UNSEEN } from "../test/hostile";
import { renderWith } from "../test/render";
import { RichText } from "./RichText";

const PLAN = "# Plan\n\n1. Stop **old** `api`\n2. Start *new*\n\n> See [the runbook](https://wiki.example/x)\n\n```sh\nrm -r /srv\n```";
const show = (text: string, remembered?: string) => renderWith(new FakeHost(showing({ remembered: new Map(remembered === undefined ? [] : [["formatting", remembered]]) })), <RichText text={text} />);
const button = (name: string) => screen.queryByRole("button", { name });

describe("a text with formatting in it", () => {
  it("is shown as it was sent until somebody wants it formatted, and can be seen as sent again", () => {
    show(PLAN);
    expect(document.body.textContent).toContain(PLAN);
    fireEvent.click(screen.getByRole("button", { name: "Show formatted" }));
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["1.Stop old api", "2.Start new"]);
    expect(screen.getByText("Plan").localName, "a heading of theirs is none of ours").toBe("strong");
    expect([screen.getByText("old").localName, screen.getByText("new").localName, screen.getByText("rm -r /srv").localName]).toEqual(["strong", "em", "pre"]);
    expect(screen.getByText("See [the runbook](https://wiki.example/x)").closest("a"), "a link stays text, with its address").toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Show as sent" }));
    expect(document.body.textContent).toContain(PLAN);
  });

  it("is formatted at first where a person wants that", async () => {
    show(PLAN, "true");
    await screen.findByRole("button", { name: "Show as sent" });
    expect(screen.getAllByRole("listitem")).toHaveLength(2);
  });

  it("is not asked about where formatting changes nothing", () => {
    show("Approve?\nIt replaces 42 instances.");
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("hides nothing and makes nothing of anybody's but our own elements", () => {
    const ours = ["blockquote", "button", "code", "div", "em", "figcaption", "figure", "li", "p", "pre", "span", "strong", "ul", "@class", "@data-text", "@dir", "@translate", "@type"];
    let formatted = 0;
    for (const [name, text] of HOSTILE) {
      const { container } = show(text);
      const wish = button("Show formatted");
      if (wish) {
        fireEvent.click(wish);
        formatted += 1;
        expect([...kindsIn(container)].filter((kind) => !ours.includes(kind)), name).toEqual([]);
        const texts = textsIn(container).filter(({ at }) => at.closest("button, figcaption, li > span") === null);
        expect(texts.filter(({ at }) => !isIsolated(at)), `${name} stands on its own`).toEqual([]);
        expect(UNSEEN.exec(container.textContent)?.[0], `${name} hides nothing`).toBeUndefined();
      }
      cleanup();
    }
    expect(formatted, "some are formatted").toBeGreaterThan(5);
  });

  it("marks letters that pass for others by the whole text, as where it was sent", () => {
    show("Pay at **\u0430\u0440\u0440\u04cf\u0435**");
    fireEvent.click(screen.getByRole("button", { name: "Show formatted" }));
    expect(screen.getByText("⟨0430⟩⟨0440⟩⟨0440⟩⟨04CF⟩⟨0435⟩").localName).toBe("strong");
  });
});
