import type { DeskError } from "../../host/error";
import type { Access, NewAccess, ServerView } from "../../types";
import { linesOf, newSecret, secretDraftOf, secretValue, thingsOf, type SecretDraft } from "./draft";
import { isUnkept } from "./unkept";

/** What reaching a server takes beside its address, as it is being typed. */
export interface AccessDraft {
  clientId: string;
  /** Whether the client has a secret. */
  hasSecret: boolean;
  secret: SecretDraft;
  machine: boolean;
  metadata: string;
  /** Separated by blanks. */
  scopes: string;
  /** One file per line. */
  certificates: string;
  proxy: string;
}

/** A member of {@link NewAccess}, which is where something can be wrong. */
export type AccessSpot = keyof NewAccess;

/** What is filled in to change it. */
export function accessDraftOf({ caCertificates, proxy = "", signIn }: Access): AccessDraft {
  const { clientId = "", clientSecret, clientMetadataUrl = "", scopes, machine } = signIn;
  return {
    clientId,
    hasSecret: clientSecret !== undefined,
    secret: clientSecret === undefined ? { source: "literal", where: "" } : secretDraftOf(clientSecret),
    machine,
    metadata: clientMetadataUrl,
    scopes: scopes.join(" "),
    certificates: linesOf(caCertificates),
    proxy,
  };
}

/** What the desk is told. A literal secret is in what it returns and nowhere else. */
export function newAccess(draft: AccessDraft, literal: () => string): NewAccess {
  const [clientId, clientMetadataUrl, proxy] = [draft.clientId.trim(), draft.metadata.trim(), draft.proxy.trim()];
  return {
    caCertificates: thingsOf(draft.certificates),
    ...(proxy !== "" && { proxy }),
    ...(clientId !== "" && { clientId }),
    ...(draft.hasSecret && { clientSecret: newSecret(draft.secret.source, secretValue(draft.secret, literal)) }),
    ...(clientMetadataUrl !== "" && { clientMetadataUrl }),
    scopes: draft.scopes.split(/\s+/).filter((scope) => scope !== ""),
    machine: draft.machine,
  };
}

/** What is missing where. Whether what is there is right, the desk says. */
export function accessGaps(draft: AccessDraft, literal: () => string, words: { value: string }): Map<AccessSpot, string> {
  const gaps = new Map<AccessSpot, string>();
  if (draft.hasSecret && secretValue(draft.secret, literal) === "") gaps.set("clientSecret", words.value);
  return gaps;
}

/** What the desk found wrong, by field; undefined for what belongs to the form as a whole. */
export function accessMisfits({ code, detail, message }: DeskError): Map<AccessSpot, string> | undefined {
  // Only the client's secret is kept or referred to.
  if (isUnkept(code) || code === "secret_missing") return new Map([["clientSecret", message]]);
  if (!detail || !("errors" in detail)) return undefined;
  const misfits = new Map<AccessSpot, string>();
  for (const { field, message } of detail.errors) {
    if (!isSpot(field)) return undefined;
    misfits.set(field, message);
  }
  return misfits;
}

const SPOTS: readonly string[] = [
  "caCertificates",
  "proxy",
  "clientId",
  "clientSecret",
  "clientMetadataUrl",
  "scopes",
  "machine",
] satisfies AccessSpot[];

function isSpot(field: string | undefined): field is AccessSpot {
  return field !== undefined && SPOTS.includes(field);
}

/** Who is signed in at a server, as far as that is known. */
export type SignInState = "needed" | "machine" | "signed_in" | "none" | "unknown";

/** Whether a person may be signed in, and so can leave: also where that does not show, since the server is switched off or away. */
export function mayBeSignedIn(server: ServerView): boolean {
  const state = signInState(server);
  return state === "signed_in" || (state === "unknown" && server.heardAt !== undefined);
}

/** What is to be done comes first. What is kept of a sign-in is looked up only once the server is reached. */
export function signInState({ enabled, health, access, signedIn }: Pick<ServerView, "enabled" | "health" | "access" | "signedIn">): SignInState {
  if (enabled && health.state === "sign_in_needed") return "needed";
  if (access.signIn.machine) return "machine";
  if (signedIn !== undefined) return "signed_in";
  return enabled && health.state === "ok" ? "none" : "unknown";
}
