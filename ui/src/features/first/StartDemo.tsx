import { useEffect, useRef } from "react";

import { controlTakes, isField } from "../../actions/keys";
import { useAction } from "../../actions/registry";
import { ACTIONS } from "../../actions/table";
import { Button, KeyHint } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { go, listAllServers, select } from "../../places/nav";
import { useArrival } from "../../places/useArrival";
import { useAct } from "../../store/call";
import { t } from "../../strings";

const [START] = ACTIONS["demo.start"].keys;

/** Whether Enter starts it: what has the focus may do something else with it. */
function works(focused: Element | null): boolean {
  return focused?.matches("[data-starts-demo]") === true || !(isField(focused) || controlTakes(focused, "Enter"));
}

interface Props {
  look?: "plain" | "primary";
  /** It is what Enter does here. */
  enter?: boolean;
}

/** Starts the demo by one press, and goes to where its question will be. */
export function StartDemo({ look = "plain", enter = false }: Props) {
  const { run, busy, error } = useAct();
  const button = useRef<HTMLButtonElement>(null);
  const start = async () => {
    if (!(await run({ type: "start_demo" }))) return;
    select({ request: null });
    listAllServers("inbox");
    go("inbox");
  };
  useAction("demo.start", () => void start(), enter && !busy);
  useArrival(button, enter);
  // Enter acts on what shows the focus.
  useEffect(() => {
    if (enter && document.activeElement === document.body) button.current?.focus();
  }, [enter]);
  return (
    <>
      {/* Not disabled while it starts: that would lose the focus. The desk starts nothing twice. */}
      <Button data-starts-demo="" ref={button} look={look} aria-disabled={busy} onClick={() => !busy && void start()}>
        {busy ? t.first.try.starting : t.first.try.start}
        {enter && !busy && <KeyHint keys={START} works={works} />}
      </Button>
      {error && <ErrorNote error={error} title={t.first.try.notStarted} />}
    </>
  );
}
