import { useState } from "react";
import { flushSync } from "react-dom";

import { useAction } from "../../actions/registry";
import { Dialog } from "../../components/Dialog";
import { openRequest, openServer, openStart, openTask, openView } from "../../places/nav";
import { t } from "../../strings";
import type { OwnEntry, PaletteItem, ServerView } from "../../types";
import { ownEntries, runOwn } from "./own";
import { Palette } from "./Palette";

/** Everything by a few letters. It leads to places, and does nothing that a key would not. */
export function PaletteDialog({ servers = [] }: { servers?: readonly ServerView[] | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const [own, setOwn] = useState<OwnEntry[]>([]);
  useAction("palette", () => {
    // What can be done is what can be done here: behind a dialog no action is within reach.
    setOwn(ownEntries());
    setOpen(true);
  });
  const choose = (item: PaletteItem) => {
    // First the keys are again those of the window.
    flushSync(() => setOpen(false));
    open(item);
  };
  return (
    <Dialog open={isOpen} onClose={() => setOpen(false)} title={t.actions.palette} bare>
      <Palette own={own} servers={servers} onChoose={choose} />
    </Dialog>
  );
}

function open(item: PaletteItem): void {
  switch (item.kind) {
    case "tool":
      openStart({ server: item.server, tool: item.tool });
      break;
    case "request":
      openRequest(item.id);
      break;
    case "task":
      openTask(item.id);
      break;
    case "view":
      openView(item.name, item.server ?? null);
      break;
    case "server":
      openServer(item.id);
      break;
    case "own":
      runOwn(item.id);
      break;
  }
}
