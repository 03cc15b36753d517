import type { CertificateFlaw, Obstacle, Hindrance } from "../types";
import { breachWords, PART, STRAY, UNIT } from "./flaw";

/** What was in the way, as the end of a sentence: our words, or those of others as they are. */
export function whyWords(why: Hindrance): string {
  if (typeof why === "string") return why;
  // Each of them takes the obstacle that it stands under.
  const words = OBSTACLE[why.is] as (obstacle: Obstacle) => string;
  return words(why);
}

/** What was in the way to a server. A new obstacle does not compile without words. */
const OBSTACLE: { [Is in Obstacle["is"]]: (obstacle: Extract<Obstacle, { is: Is }>) => string } = {
  stream_ended: () => "the event stream ended without the answer",
  no_stream: () => "no event stream came",
  session_ended: () => "the session ended before the answer",
  no_more_input: () => "the program took no more input",
  no_room: () => "more arrived at the same time than Signalbox sets disk space aside for",
  no_disk: ({ said }) => `it is too large for memory alone, and the disk does not take it: ${said}`,
  only_status: ({ status }) => `HTTP ${status} without an answer`,
  interrupted: () => "it was interrupted",
  late: ({ seconds }) => `no answer within ${seconds} s`,
  session_forgotten: () => "the server does not know the session any more",
  no_session: () => "there is no session to go on with",
  statement_lost: ({ said }) => `its answer was lost (${whyWords(said)})`,
  statement_throttled: ({ status }) => `it asks to slow down (HTTP ${status})`,
  statement_refused: ({ error, said }) => `it answered with error ${error}: ${said}`,
  statement_breaks: ({ breach }) => `its answer breaks the specification: ${breachWords(breach)}`,
  statement_stray: ({ stray }) => `what came back is not the answer: ${STRAY[stray]}`,
  statement_too_large: ({ limit }) => `its answer is larger than ${limit} bytes, the limit in the settings`,
  statement_too_much: ({ of, most, unit }) => `${PART[of]} has more than ${UNIT[unit](most)}`,
  other_wire: () => "it speaks another wire than when the task was started",
  no_url: ({ address }) => `${JSON.stringify(address)} is not a URL`,
  no_header_name: ({ name }) => `${JSON.stringify(name)} is not a header name`,
  no_header_value: ({ name }) => `the value of the header ${name} cannot be sent`,
  no_proxy_url: () => "the proxy's address cannot be used",
  no_sign_in: () => "a program has no sign-in",
  no_client: () => "a machine's sign-in needs a client id and a client secret",
  no_metadata_url: () => "the address of the client metadata is not a URL",
  proxy_fails: ({ proxy, said }) => `there is no way through the proxy ${proxy}: ${said}`,
  proxy_sign_in: () => "the proxy wants a sign-in",
  bad_certificate: ({ flaw, said }) => `${CERTIFICATE[flaw]} (${said})`,
  certificates_unread: ({ file, said }) => `the certificates in ${file} cannot be read: ${said}`,
  no_certificates: ({ file }) => `${file} holds no certificates in PEM`,
  no_folder: ({ folder }) => `there is no directory ${folder} to start it in`,
  others_unread: ({ said }) => `which variables are meant for other servers could not be read: ${said}`,
  authorization_fails: ({ host, said }) => `${host ?? "the authorization server"} cannot be reached for the sign-in: ${whyWords(said)}`,
  no_keychain: ({ said }) => `there is no keychain here (${whyWords(said)})`,
  keychain_locked: ({ said }) => `the keychain does not open (${whyWords(said)})`,
  keychain_failed: ({ said }) => `the keychain failed: ${whyWords(said)}`,
  file_locked: ({ file }) => `the encrypted file ${file} is locked`,
  wrong_passphrase: ({ file }) => `the passphrase does not open ${file}`,
  file_damaged: ({ file }) => `the encrypted file ${file} is damaged`,
  file_failed: ({ file, said }) => `the encrypted file ${file} cannot be read or written: ${said}`,
  not_kept: ({ entry }) => `nothing is kept any more as ${entry}: give the value again`,
  not_in_this_run: ({ entry }) => `${entry} is not kept in this run: values are kept for one run only. Give it again, or choose another place for secrets`,
  secret_unread: ({ file, said }) => `cannot read the secret from ${file}: ${said}`,
  no_secret: ({ place, limit }) => `${place} holds no usable secret: it must be UTF-8 text of at most ${limit} bytes`,
  unknown: () => "a newer version of Signalbox wrote down why",
};

/** What is wrong with a server's certificate. */
const CERTIFICATE: Record<CertificateFlaw, string> = {
  no_authority: "no authority that is trusted here vouches for its certificate. To trust it, name the file with its authority's certificate (CA) for this server",
  expired: "its certificate has expired and has to be renewed there, unless the clock of this machine is wrong",
  not_yet_valid: "its certificate is not valid yet, unless the clock of this machine is wrong",
  other_name: "its certificate is for another name than the one in the URL. Correct the URL, or have the certificate corrected there",
  no_tls: "it does not speak TLS there. The URL may have to begin with http://",
  unknown: "a newer version of Signalbox wrote down what is wrong with its certificate",
};
