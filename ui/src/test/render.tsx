import { render, type RenderResult } from "@testing-library/react";
import type { ReactNode } from "react";

import { HostProvider } from "../host/context";
import type { Host } from "../host/host";

/** Renders with a host around. */
export function renderWith(host: Host, ui: ReactNode): RenderResult {
  return render(<HostProvider value={host}>{ui}</HostProvider>);
}
