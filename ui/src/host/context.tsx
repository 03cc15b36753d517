import { createContext, useContext } from "react";

import type { Host } from "./host";

const HostContext = createContext<Host | null>(null);

export const HostProvider = HostContext.Provider;

/** The program around the window. */
export function useHost(): Host {
  const host = useContext(HostContext);
  if (!host) throw new Error("BUG: no HostProvider above");
  return host;
}
