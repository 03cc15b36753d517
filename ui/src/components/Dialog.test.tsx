import { readFileSync } from "node:fs";
import { join } from "node:path";

import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useState, type KeyboardEvent, type ReactNode } from "react";
import { describe, expect, it } from "vitest";

import { PaneBody, PaneFoot, Panes } from "../places/Panes";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { keepFocus, markKeys } from "./focus";

/** When the opener goes: never, before the dialog does, together with it, or once the view has caught up. */
type Going = "never" | "before" | "together" | "after";

interface Props {
  going: Going;
  /** Takes the focus while the dialog closes. */
  other?: string | undefined;
}

function Place({ going, other }: Props) {
  const [isThere, setIsThere] = useState(true);
  const go = () => setIsThere(false);
  const list = <PaneBody label="List">list</PaneBody>;
  const detail = (
    <>
      <PaneBody label="Detail">
        <input aria-label="Other" />
      </PaneBody>
      {isThere && <Opening going={going} other={other} onGo={go} />}
      <PaneFoot>
        <Button onClick={go}>Catch up</Button>
      </PaneFoot>
    </>
  );
  return <Panes favour="detail" list={list} detail={detail} />;
}

function Opening({ going, other, onGo }: Props & { onGo: () => void }) {
  const [open, setOpen] = useState(false);
  const [isThere, setIsThere] = useState(true);
  const close = () => {
    if (going === "together") onGo();
    else setOpen(false);
    if (other !== undefined) screen.getByLabelText(other).focus();
  };
  return (
    <div>
      {isThere && <Button onClick={() => setOpen(true)}>Open</Button>}
      {open && (
        <Dialog open onClose={close} title="Sure?" actions={<Button onClick={close}>Yes</Button>}>
          <Button onClick={() => setIsThere(going !== "before")}>Work</Button>
        </Dialog>
      )}
    </div>
  );
}

async function closed(props: Props) {
  renderWith(new FakeHost(() => ({ type: "request" })), <Place {...props} />);
  const user = userEvent.setup({ delay: null });
  await user.click(screen.getByRole("button", { name: "Open" }));
  await user.click(await screen.findByRole("button", { name: "Work" }));
  await user.click(screen.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

describe("the focus in a dialog at first", () => {
  const open = (children: ReactNode) => {
    const actions = (
      <>
        <Button look="danger">Destroy</Button>
        <Button>Keep</Button>
      </>
    );
    renderWith(
      new FakeHost(() => ({ type: "request" })),
      <Dialog open onClose={() => undefined} title="Sure?" actions={actions}>
        {children}
      </Dialog>,
    );
  };

  it("is on the harmless choice, so that Enter destroys nothing", async () => {
    open(<button type="button">Copy</button>);
    await focused(() => screen.getByRole("button", { name: "Keep" }));
  });

  it("is on what is to be filled in", async () => {
    open(<input aria-label="Name" />);
    await focused(() => screen.getByLabelText("Name"));
  });
});

describe("the ring in a dialog at first", () => {
  function Place() {
    const [isOpen, setIsOpen] = useState(false);
    useEffect(markKeys, []);
    const onKeyDown = ({ key }: KeyboardEvent) => key === "F2" && setIsOpen(true);
    return (
      <>
        <input aria-label="Field" onKeyDown={onKeyDown} />
        <Button onClick={() => setIsOpen(true)}>Open</Button>
        <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Sure?" actions={<Button>Keep</Button>}>
          text
        </Dialog>
      </>
    );
  }
  const isMarked = () => document.documentElement.hasAttribute("data-by-keys");

  it("shows to whoever opened it by a key, also out of a field that was clicked", async () => {
    renderWith(new FakeHost(() => ({ type: "request" })), <Place />);
    const user = userEvent.setup({ delay: null });
    await user.click(screen.getByLabelText("Field"));
    await user.keyboard("{F2}");
    await focused(() => screen.getByRole("button", { name: "Keep" }));
    expect(isMarked(), "the stylesheet draws it by this mark").toBe(true);
    expect(readFileSync(join(import.meta.dirname, "Dialog.module.css"), "utf8")).toContain(":global(:where(:root[data-by-keys])) .popup :where(:focus) {\n  outline: 2px solid");
  });

  it("does not show to whoever opened it by the mouse, or turns to it", async () => {
    renderWith(new FakeHost(() => ({ type: "request" })), <Place />);
    const user = userEvent.setup({ delay: null });
    await user.keyboard("{Tab}");
    await user.click(screen.getByRole("button", { name: "Open" }));
    await focused(() => screen.getByRole("button", { name: "Keep" }));
    expect(isMarked()).toBe(false);
    await user.keyboard("{Control>}{/Control}");
    expect(isMarked(), "a modifier alone goes nowhere").toBe(false);
  });
});

describe("the focus in a dialog while it is open", () => {
  function Place() {
    const [isThere, setIsThere] = useState(true);
    useEffect(keepFocus, []);
    return (
      <>
        <Panes favour="detail" list={<PaneBody label="List">list</PaneBody>} detail={<PaneBody label="Detail">detail</PaneBody>} />
        <Dialog open onClose={() => undefined} title="Sure?">
          {isThere && <Button onClick={() => setIsThere(false)}>Go</Button>}
        </Dialog>
      </>
    );
  }

  it("stays in it when what has it goes: all behind it is out of reach", async () => {
    renderWith(new FakeHost(() => ({ type: "request" })), <Place />);
    await userEvent.click(await screen.findByRole("button", { name: "Go" }));
    await focused(() => screen.getByRole("dialog"));
  });
});

const detail = () => screen.getByRole("region", { name: "Detail" });
const focused = (element: () => HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element()));

describe("the focus after a dialog", () => {
  it("goes back to what opened it", async () => {
    await closed({ going: "never" });
    await focused(() => screen.getByRole("button", { name: "Open" }));
  });

  it.each(["before", "together"] as const)("goes to the body of the pane when the opener went %s", async (going) => {
    await closed({ going });
    await focused(detail);
  });

  it("goes there too when the opener goes after it", async () => {
    await closed({ going: "after" });
    await focused(() => screen.getByRole("button", { name: "Open" }));
    // The view catches up by itself: nobody presses anything.
    act(() => screen.getByRole("button", { name: "Catch up" }).click());
    await focused(detail);
  });

  it("is left where it has gone meanwhile", async () => {
    await closed({ going: "together", other: "Other" });
    await focused(() => screen.getByLabelText("Other"));
  });

  it("is left where it has gone since", async () => {
    await closed({ going: "after" });
    await focused(() => screen.getByRole("button", { name: "Open" }));
    screen.getByLabelText("Other").focus();
    act(() => screen.getByRole("button", { name: "Catch up" }).click());
    expect(screen.queryByRole("button", { name: "Open" })).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText("Other"));
  });
});
