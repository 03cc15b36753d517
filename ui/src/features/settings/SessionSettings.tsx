import { useState } from "react";

import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import type { Autostart } from "../../types";
import { Choice } from "./Choice";

/** Whether the person's session starts Signalbox. A file of theirs says so, and other programs may change it: it is read each time. */
export function SessionSettings() {
  const { reply, error } = useReply({ type: "read_autostart" });
  const act = useAct();
  const [since, setSince] = useState<Autostart>();
  const now = since ?? reply?.autostart;
  const words = t.settings.session;
  const put = async (on: boolean) => {
    const done = await act.run({ type: "set_autostart", on });
    if (done) setSince(done.autostart);
  };
  const failed = act.error ?? error;
  // The system has no such thing, and nothing is to be chosen.
  if (now !== undefined && now.file === undefined) return <p>{words.none}</p>;
  return (
    <>
      <Choice
        label={words.start}
        hint={now?.other === undefined ? words.hint : words.other(now.other)}
        checked={now?.on ?? false}
        onChange={now === undefined || act.busy ? undefined : (on) => void put(on)}
      />
      {failed && <ErrorNote error={failed} />}
    </>
  );
}
