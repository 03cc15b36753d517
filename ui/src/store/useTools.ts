import type { DeskError } from "../host/error";
import type { ServerId, ToolView } from "../types";
import { useReply } from "./useReply";

/** The tools of a server; neither tools nor error while they are asked for. */
export interface Tools {
  tools: ToolView[] | undefined;
  error: DeskError | undefined;
  reload: () => void;
}

/** Asks a server for its tools. */
export function useTools(server: ServerId | undefined): Tools {
  const { reply, error, reload } = useReply(server === undefined ? undefined : { type: "tools", server });
  return { tools: reply?.tools, error, reload };
}
