import { useState } from "react";

import { useAction } from "../../actions/registry";
import { laterDialog } from "../../components/later";

const HelpKeys = laterDialog(async () => (await import("../seldom")).HelpKeys);

/** The help: all keys that are in force. */
export function HelpDialog() {
  const [open, setOpen] = useState(false);
  useAction("help", () => setOpen(true));
  return <HelpKeys open={open} onClose={() => setOpen(false)} />;
}
