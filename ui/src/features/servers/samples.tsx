import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";

import { listenForKeys } from "../../actions/keys";
import { DeskError } from "../../host/error";
import { useView } from "../../store/useView";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer } from "../../test/samples";
import type { ApiError, Command, Importable, ImportOutcome, Listing, NotImported, Pasted, Reply, ServerView, TaskRow } from "../../types";
import { ServersPlace } from "./ServersPlace";

type Kind = Command["type"];

/** What is a program that nobody has confirmed. */
const PROGRAM: Partial<ServerView> = {
  place: "npx server",
  transport: { kind: "stdio", command: "npx", args: ["server"], env: [] },
  trusted: false,
  health: { state: "unusable", code: "not_trusted", reason: { kind: "not_trusted", command: ["npx"], variables: [] } },
};

/** A desk with servers in memory. It refuses what `refusals` has an error for. */
export class ServerDesk extends FakeHost {
  readonly refusals = new Map<Kind, ApiError>();
  /** What servers tell of their tasks. */
  listing: Listing | undefined;
  /** What other clients have, and what cannot be taken over. */
  importable: Importable[] = [];
  skipped: NotImported[] = [];
  /** What a pasted text means. */
  pasted: Pasted = { kind: "command", servers: [], skipped: [] };
  /** Servers that cannot be imported, by name. */
  readonly failing = new Map<string, ApiError>();
  /** Why what was granted stays valid after signing out. */
  validStill: string | undefined;

  constructor(
    public servers: ServerView[],
    tasks: TaskRow[] = [],
  ) {
    super(
      (view) => showing({ overview: anOverview({ servers: this.servers }), tasks })(view),
      (command) => this.#act(command),
    );
  }

  /** Changes a server, as something outside the window may. */
  put(id: string, change: Partial<ServerView>): ServerView {
    const server = { ...aServer({ id }), ...this.servers.find((other) => other.id === id), ...change };
    this.servers = [...this.servers.filter((other) => other.id !== id), server];
    // The reply comes first, as it may from the real desk.
    setTimeout(() => this.touch());
    return server;
  }

  #act(command: Command): Reply {
    const refusal = this.refusals.get(command.type);
    if (refusal) throw new DeskError(refusal);
    switch (command.type) {
      case "add_server": {
        const untrusted = command.untrusted === true ? PROGRAM : { health: { state: "unknown" as const } };
        return { type: "server", server: this.put(`s${this.servers.length + 1}`, { name: command.name, ...untrusted }) };
      }
      case "read_pasted":
        return { type: "pasted", pasted: this.pasted };
      case "secrets":
        return { type: "secrets", secrets: { place: "keychain", state: "unusable", message: "there is none here" } };
      case "keep_secrets":
        this.refusals.delete("add_server");
        return { type: "secrets_moved", secrets: { place: command.place, state: "open" }, moved: 0, left: [] };
      case "read_configurations":
        return { type: "importable", servers: this.importable, skipped: this.skipped };
      case "import_servers": {
        const put = ({ name, isProgram }: Importable) => this.put(`s${this.servers.length + 1}`, isProgram ? { ...PROGRAM, name } : { name });
        const outcomes = command.servers.map(({ server }): ImportOutcome => {
          const error = this.failing.get(server.name);
          return error ? { outcome: "not", error } : { outcome: "taken", server: put(server) };
        });
        return { type: "imported", outcomes };
      }
      case "pass_variables": {
        const { withheld } = this.servers.find(({ id }) => id === command.server) ?? {};
        const names = withheld?.names.filter((name) => !command.names.includes(name)) ?? [];
        const changed = withheld?.changed?.filter((name) => !command.names.includes(name)) ?? [];
        return { type: "server", server: this.put(command.server, { withheld: { names, more: 0, changed } }) };
      }
      case "seen_withheld":
        this.servers = this.servers.map(({ withheld, ...server }) => (server.id === command.server || !withheld ? server : { ...server, withheld }));
        setTimeout(() => this.touch());
        return { type: "done" };
      case "edit_server":
        return { type: "server", server: this.put(command.server, {}) };
      case "set_roots":
        return { type: "server", server: this.put(command.server, { roots: command.roots }) };
      case "set_access": {
        const { caCertificates, proxy, clientSecret, ...signIn } = command.access;
        // As the desk does: a typed secret is kept, and only referred to from here on.
        const secret = clientSecret?.kind === "reference" ? clientSecret.secret : clientSecret && { kind: "keychain" as const, entry: "ci/9" };
        const access = { caCertificates, ...(proxy !== undefined && { proxy }), signIn: { ...signIn, ...(secret && { clientSecret: secret }) } };
        return { type: "server", server: this.put(command.server, { access }) };
      }
      case "sign_out":
        this.servers = this.servers.map(({ signedIn, ...server }) => (server.id === command.server ? server : { ...server, ...(signedIn && { signedIn }) }));
        this.put(command.server, { health: { state: "sign_in_needed", since: "2026-11-21T14:20:00Z" } });
        return { type: "signed_out", ...(this.validStill !== undefined && { validStill: this.validStill }) };
      case "trust_server":
        return { type: "server", server: this.put(command.server, { trusted: true, health: { state: "unknown" } }) };
      case "rename_server":
        return { type: "server", server: this.put(command.server, { name: command.name }) };
      case "set_server_enabled":
        return { type: "server", server: this.put(command.server, { enabled: command.enabled }) };
      case "check_server":
        return { type: "check", check: { server: this.put(command.server, { health: { state: "ok", latencyMs: 12 }, heardAt: new Date().toISOString() }), tools: 9 } };
      case "sign_in":
        return { type: "sign_in", url: "https://login.example.com/authorize", attempt: "7-1" };
      case "await_sign_in":
        return { type: "check", check: { server: this.put(command.server, { health: { state: "ok", latencyMs: 12 }, heardAt: new Date().toISOString() }), tools: 9 } };
      case "tools": {
        const form = { fields: [], notes: [] };
        const tool = { form, inputSchema: "{}", destructive: false };
        return {
          type: "tools",
          tools: [
            { ...tool, name: "deploy", description: "Rolls a version out.", destructive: true },
            { ...tool, name: "build" },
          ],
        };
      }
      case "list_tasks":
        return { type: "listed", ...(this.listing && { listing: this.listing }) };
      case "track":
        return { type: "started", call: "t9" };
      case "remove_server":
        this.servers = this.servers.filter((other) => other.id !== command.server);
        setTimeout(() => this.touch());
        return { type: "done" };
      default:
        return { type: "done" };
    }
  }

  /** Commands of one kind. */
  sent(kind: Kind): Command[] {
    return this.commands.filter((command) => command.type === kind);
  }
}

function Window() {
  const { data } = useView({ type: "overview" });
  useEffect(() => listenForKeys(window), []);
  return <ServersPlace overview={data} />;
}

/** Shows the place on a desk. */
export function openPlace(desk: ServerDesk) {
  const user = userEvent.setup({ delay: null });
  return { desk, user, ...renderWith(desk, <Window />) };
}

/** The right pane's region of a name. */
export async function pane(name: string) {
  return within(await screen.findByRole("region", { name }));
}
