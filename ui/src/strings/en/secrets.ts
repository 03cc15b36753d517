import type { SecretPlace } from "../../types";

export const secrets = {
  title: "Secrets",
  what: "Values of headers and variables that were typed here, client secrets and sign-ins.",
  kept: {
    keychain: "Kept in the keychain of this system.",
    file: "Kept in an encrypted file:",
    this_run: "Kept for this run only: forgotten when the program ends that holds the data.",
  } as Record<SecretPlace, string>,
  keptLocked: "Kept in an encrypted file, which is locked:",
  unused: "There is also an encrypted file, which is not used:",
  asking: "Looking where they are kept",
  change: "Change…",
  unlock: "Unlock…",
  banner: "Servers that need one wait for the passphrase. All else goes on.",

  unlockTitle: "Unlock the secrets",
  unlockText: "The encrypted file that keeps them needs its passphrase once per start.",
  unlockIt: "Unlock",
  skip: "Not now",
  passphrase: "Passphrase",

  keepTitle: "Where to keep secrets",
  places: {
    keychain: "In the keychain of this system",
    file: "In an encrypted file",
    this_run: "For this run only",
  } as Record<SecretPlace, string>,
  means: {
    keychain: "Unlocked with your session.",
    file: "In the data directory. Its passphrase is asked for at each start; without it nothing in it can be had, by anybody.",
    this_run: "In memory. What is kept so far stays where it is, and is not used.",
  } as Record<SecretPlace, string>,
  newPassphrase: "Passphrase of the encrypted file",
  again: "The same again",
  missing: "Give a passphrase.",
  differ: "These are two different passphrases.",
  keepIt: "Keep them there",
  refused: "Nothing has changed",
  setAside: "Set the file that is there aside, and begin a new one",
  setAsideMeans: "gets another name and is not deleted. Nothing in it can be used until somebody gives it its name back.",
  cameAlong: (n: number) => (n === 1 ? "1 secret came along." : `${n} secrets came along.`),
  aside: "The old file was set aside, and is not used:",
  stayed: (names: string) => `Secrets of these servers stayed where they were and are not used. Give them again, or change back: ${names}`,
};
