import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { expect, it, vi } from "vitest";

import { runAction, useAction } from "../actions/registry";
import { later, laterDialog } from "./later";

/** A script that comes when it is told to. */
function aScript<Props>(Component: (props: Props) => string) {
  let come = (): void => undefined;
  const coming = new Promise<ComponentType<Props>>((resolve) => {
    come = () => resolve(Component);
  });
  return {
    load: vi.fn(() => coming),
    come: () =>
      act(async () => {
        come();
        await coming;
      }),
  };
}

it("asks for a script when it is shown first, shows nothing meanwhile, and all at once from then on", async () => {
  const { load, come } = aScript(({ name }: { name: string }) => `place ${name}`);
  const Place = later(load);
  expect(load, "nobody went there").not.toHaveBeenCalled();
  const first = render(<Place name="a" />);
  expect(first.container.textContent).toBe("");
  await come();
  expect(first.container.textContent).toBe("place a");
  first.unmount();
  expect(render(<Place name="b" />).container.textContent, "it is here").toBe("place b");
  expect(load).toHaveBeenCalledOnce();
});

it("says that a script did not come", async () => {
  const load = () => Promise.reject(new TypeError("Importing a module script failed."));
  const Place = later(load);
  const Asked = laterDialog<{ onClose: () => void }>(load);
  const onClose = vi.fn();
  const place = render(<Place />);
  await screen.findByText(/could not be loaded/);
  place.unmount();
  render(<Asked onClose={onClose} />);
  const dialog = await screen.findByRole("dialog", { name: /went wrong/ });
  within(dialog).getByText(/could not be loaded/);
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

it("asks for a dialog's script when it is opened first, and lets no key through to what lies behind", async () => {
  const { load, come } = aScript(({ open }: { open: boolean; onClose: () => void }) => (open ? "open" : "closed"));
  const Asked = laterDialog(load);
  const run = vi.fn();
  function Window({ open }: { open: boolean }) {
    useAction("help", run);
    return <Asked open={open} onClose={() => undefined} />;
  }
  const { rerender, container } = render(<Window open={false} />);
  expect(load).not.toHaveBeenCalled();
  expect(runAction("help")).toBe(true);
  rerender(<Window open />);
  expect(runAction("help"), "the dialog is on its way").toBe(false);
  await come();
  expect(container.textContent).toBe("open");
  rerender(<Window open={false} />);
  expect(container.textContent).toBe("closed");
  expect(runAction("help")).toBe(true);
});
