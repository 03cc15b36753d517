import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { Banners } from "../../app/Banners";
import { DeskError } from "../../host/error";
import { PaneBody } from "../../places/Panes";
import { useView } from "../../store/useView";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, wholly } from "../../test/samples";
import type { Code, Command, SecretPlace, SecretsView, Trouble } from "../../types";
import { SecretsSettings } from "./SecretsSettings";

const LOCKED: Trouble = { code: "secrets_locked", message: "the encrypted file /data/secrets is locked" };
const PASSPHRASE = "correct horse";

/** A desk that keeps secrets somewhere; in the file they are locked at first. */
class SecretsDesk extends FakeHost {
  view: SecretsView;
  locked: boolean;
  left: string[] = [];
  /** Why the file does not open that is there, if so. */
  shut: Code | undefined;

  constructor(place: SecretPlace = "keychain") {
    super(
      () => wholly(anOverview({ troubles: this.locked ? [LOCKED] : [] })),
      (command) => this.answer(command),
    );
    this.locked = place === "file";
    this.view = { place, state: this.locked ? "locked" : "open", ...(this.locked && { file: "/data/secrets" }) };
  }

  private answer(command: Command) {
    switch (command.type) {
      case "secrets":
        return { type: "secrets", secrets: this.view } as const;
      case "unlock_secrets":
        if (command.passphrase !== PASSPHRASE) {
          throw new DeskError({ code: "secrets_locked", message: "the passphrase does not open /data/secrets", retry: "after_fix" });
        }
        return { type: "secrets", secrets: this.become("file") } as const;
      case "keep_secrets":
        return this.keep(command);
      default:
        throw new Error(`${command.type} has nothing to do with secrets`);
    }
  }

  private keep({ place, setAside = false }: Extract<Command, { type: "keep_secrets" }>) {
    const inUse = this.view.place === "file" && !this.locked;
    const shut = place === "file" ? this.shut : undefined;
    if (shut && (inUse || !setAside)) throw new DeskError({ code: shut, message: "/data/secrets does not open", retry: "after_fix" });
    const moved = { type: "secrets_moved", secrets: this.become(place), moved: 2, left: this.left } as const;
    if (!shut) return moved;
    this.shut = undefined;
    return { ...moved, aside: "/data/secrets-1" };
  }

  private become(place: SecretPlace): SecretsView {
    this.locked = false;
    this.view = { place, state: "open", ...(place === "file" && { file: "/data/secrets" }) };
    setTimeout(() => this.touch());
    return this.view;
  }

  /** What was asked for beside how it is. */
  get acts(): Command[] {
    return this.commands.filter((command) => command.type !== "secrets");
  }
}

function Window() {
  const overview = useView({ type: "overview" });
  return (
    <>
      <Banners overview={overview} />
      <PaneBody label="Settings">{overview.data && <SecretsSettings troubles={overview.data.troubles} />}</PaneBody>
    </>
  );
}

async function opened(desk: SecretsDesk) {
  renderWith(desk, <Window />);
  await screen.findByRole("button", { name: "Change…" });
  return userEvent.setup({ delay: null });
}

const button = (name: string) => screen.getByRole("button", { name });
const dialog = () => within(screen.getByRole("dialog"));
const setAside = () => dialog().queryByRole("checkbox", { name: /Set the existing file aside/ });

/** Wants a file for which the desk has a refusal. */
async function refusedFile(desk: SecretsDesk) {
  const user = await opened(desk);
  await user.click(button("Change…"));
  await user.click(dialog().getByRole("radio", { name: /In an encrypted file/ }));
  expect(setAside(), "nothing was refused so far").toBeNull();
  await user.type(dialog().getByLabelText("Passphrase of the encrypted file"), PASSPHRASE);
  await user.type(dialog().getByLabelText("Passphrase again"), PASSPHRASE);
  await user.click(dialog().getByRole("button", { name: "Keep them there" }));
  expect((await dialog().findByRole("alert")).textContent).toContain("/data/secrets does not open");
  return user;
}

describe("the place of secrets", () => {
  it.each([
    ["keychain", "Kept in the keychain of this system."],
    ["file", "Kept in an encrypted file, which is locked: /data/secrets"],
    ["this_run", "Kept for this run only"],
  ] as const)("%s is shown", async (place, words) => {
    await opened(new SecretsDesk(place));
    expect(document.body.textContent).toContain(words);
  });

  it("is shown with what is wrong there", async () => {
    const desk = new SecretsDesk();
    desk.view = { place: "keychain", state: "unusable", noKeychain: true, message: "there is none here", detail: "org.freedesktop.DBus.Error.ServiceUnknown" };
    const user = await opened(desk);
    expect(document.body.textContent).toContain("There is no keychain here. No secret can be kept until you choose another place.");
    expect(document.body.textContent, "where there is none, nothing is kept in it").not.toContain("Kept in the keychain");
    const raw = screen.getByText("there is none here: org.freedesktop.DBus.Error.ServiceUnknown");
    expect(raw.closest("details")?.open, "the system's words come on demand").toBe(false);
    await user.click(button("Change…"));
    expect(dialog().getByRole("radio", { name: /keychain/ }), "it is not offered as if it could be had").toHaveProperty("disabled", true);
    expect(dialog().getByRole("radio", { name: /encrypted file/ })).toHaveProperty("checked", true);
    expect(dialog().getByRole("group", { name: "Place" })).toBeTruthy();
  });

  it("is waited for in sight, and asked for again when it could not be told", async () => {
    const desk = new SecretsDesk();
    const { act } = desk;
    let refuse: () => void = () => undefined;
    desk.act = () =>
      new Promise((_, reject) => {
        refuse = () => reject(new DeskError({ code: "no_keychain", message: "the keychain does not answer", retry: "after_fix" }));
      });
    renderWith(desk, <Window />);
    expect(await screen.findByText("Finding out where secrets are kept…")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Try again" }), "it is on its way").toBeNull();
    refuse();
    expect((await screen.findByRole("alert")).textContent).toContain("the keychain does not answer");
    expect(screen.queryByText("Finding out where secrets are kept…")).toBeNull();
    desk.act = act;
    await userEvent.click(button("Try again"));
    expect(await screen.findByText("Kept in the keychain of this system.")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("is changed to a file with a passphrase that was typed twice alike", async () => {
    const desk = new SecretsDesk();
    desk.left = ["ci", "l\u202eab"];
    const user = await opened(desk);
    await user.click(button("Change…"));
    await user.click(dialog().getByRole("radio", { name: /In an encrypted file/ }));
    const keep = dialog().getByRole("button", { name: "Keep them there" });
    await user.click(keep);
    expect((await dialog().findByRole("alert")).textContent).toBe("Enter a passphrase.");
    await user.type(dialog().getByLabelText("Passphrase of the encrypted file"), PASSPHRASE);
    await user.type(dialog().getByLabelText("Passphrase again"), "another");
    await user.click(keep);
    expect((await dialog().findByRole("alert")).textContent).toBe("The two passphrases differ.");
    expect(desk.acts, "a slip locks nothing away").toEqual([]);
    await user.clear(dialog().getByLabelText("Passphrase again"));
    await user.type(dialog().getByLabelText("Passphrase again"), PASSPHRASE);
    await user.click(keep);
    await screen.findByText("2 secrets were moved there.");
    expect(desk.acts).toEqual([{ type: "keep_secrets", place: "file", passphrase: PASSPHRASE }]);
    expect(screen.queryByRole("dialog")).toBeNull();
    const text = document.body.textContent;
    expect(text).toContain("Kept in an encrypted file: /data/secrets");
    expect(text, "a name cannot turn the line around").toContain("ci, l⟨202E⟩ab");
    const whole = new XMLSerializer().serializeToString(document.body);
    expect(whole, "a passphrase goes one way").not.toContain(PASSPHRASE);
  });

  it("is changed to this run without any", async () => {
    const desk = new SecretsDesk();
    const user = await opened(desk);
    await user.click(button("Change…"));
    await user.click(dialog().getByRole("radio", { name: /For this run only/ }));
    expect(dialog().queryByLabelText("Passphrase again")).toBeNull();
    await user.click(dialog().getByRole("button", { name: "Keep them there" }));
    await waitFor(() => expect(desk.acts).toEqual([{ type: "keep_secrets", place: "this_run" }]));
    await screen.findByText(/Kept for this run only/);
  });
});

describe("an encrypted file that is there", () => {
  const asked = { type: "keep_secrets", place: "file", passphrase: PASSPHRASE } as const;

  it("and is not used is shown", async () => {
    const desk = new SecretsDesk();
    desk.view.unused = "/data/l\u202eab";
    await opened(desk);
    expect(document.body.textContent).toContain("There is also an encrypted file, which is not used: /data/l⟨202E⟩ab");
  });

  it.each([
    ["keychain", "secrets_locked"],
    ["file", "secrets_locked"],
    ["keychain", "no_keychain"],
  ] as const)("and does not open is set aside by a second act (kept so far: %s, refused: %s)", async (place, code) => {
    const desk = new SecretsDesk(place);
    desk.shut = code;
    desk.left = ["ci"];
    if (place !== "file") desk.view.unused = "/data/secrets";
    const user = await refusedFile(desk);
    const keep = dialog().getByRole("button", { name: "Keep them there" });
    expect(dialog().getByRole("alert").textContent, "it is about a file").not.toContain("keychain");
    expect(dialog().getByText(/not deleted/).textContent).toContain("/data/secrets");
    const tick = dialog().getByRole("checkbox");
    await user.click(keep);
    await dialog().findByRole("alert");
    expect(desk.acts, "it is never done unasked").toEqual([asked, asked]);
    expect(setAside(), "nor does trying again take it away").toBe(tick);
    await user.click(tick);
    await user.click(keep);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(desk.acts.at(-1)).toEqual({ ...asked, setAside: true });
    const text = document.body.textContent;
    expect(text).toContain("The old file was set aside and is not used: /data/secrets-1");
    expect(text).toContain("were not moved and are not used. Enter them again, or change back: ci");
    expect(new XMLSerializer().serializeToString(document.body)).not.toContain(PASSPHRASE);
  });

  it("is not set aside by a tick that belonged to another choice", async () => {
    const desk = new SecretsDesk("file");
    desk.shut = "secrets_locked";
    const user = await refusedFile(desk);
    await user.click(dialog().getByRole("checkbox"));
    await user.click(dialog().getByRole("radio", { name: /For this run only/ }));
    await user.click(dialog().getByRole("radio", { name: /In an encrypted file/ }));
    expect(setAside()).toBeNull();
  });

  it("and is in use is not to be set aside", async () => {
    const desk = new SecretsDesk("file");
    desk.locked = false;
    desk.shut = "secrets_locked";
    await refusedFile(desk);
    expect(setAside()).toBeNull();
  });

  it("is not spoken of when a new one cannot be made", async () => {
    const desk = new SecretsDesk();
    desk.shut = "no_keychain";
    await refusedFile(desk);
    expect(setAside()).toBeNull();
  });
});

describe("locked secrets", () => {
  it("are unlocked from the banner, and a wrong passphrase is said at its field", async () => {
    const desk = new SecretsDesk("file");
    const user = await opened(desk);
    const banner = screen.getAllByRole("status").find((status) => status.textContent.includes("Secrets are locked."));
    expect(banner?.textContent, "the rest goes on").toContain("Everything else goes on.");
    await user.click(within(banner as HTMLElement).getByRole("button", { name: "Unlock…" }));
    const input = await screen.findByLabelText("Passphrase");
    expect(input).toHaveProperty("type", "password");
    await user.type(input, "{Enter}");
    expect(desk.acts, "nothing is no passphrase").toEqual([]);
    await user.type(input, "wrong{Enter}");
    expect((await dialog().findByRole("alert")).textContent).toBe("the passphrase does not open /data/secrets");
    await user.clear(input);
    await user.type(input, `${PASSPHRASE}{Enter}`);
    await waitFor(() => expect(screen.queryByText("Secrets are locked.")).toBeNull());
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(desk.acts.at(-1)).toEqual({ type: "unlock_secrets", passphrase: PASSPHRASE });
    expect(screen.queryByRole("button", { name: "Unlock…" })).toBeNull();
    await waitFor(() => expect(document.activeElement, "its opener is gone").toBe(screen.getByRole("region", { name: "Settings" })));
  });

  it("can be left locked", async () => {
    const desk = new SecretsDesk("file");
    const user = await opened(desk);
    await user.click(screen.getAllByRole("button", { name: "Unlock…" })[0] as HTMLElement);
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(desk.acts).toEqual([]);
    expect(screen.getByText("Secrets are locked."), "and are still said to be").toBeTruthy();
  });
});
