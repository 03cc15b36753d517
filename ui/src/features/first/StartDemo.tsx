import { useEffect, useRef } from "react";

import { useAction } from "../../actions/registry";
import { go, select } from "../../app/nav";
import { Button } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";

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
    go("inbox");
  };
  useAction("demo.start", () => void start(), enter && !busy);
  // Enter acts on what shows the focus.
  useEffect(() => {
    if (enter && document.activeElement === document.body) button.current?.focus();
  }, [enter]);
  return (
    <>
      {/* Not disabled while it starts: that would lose the focus. The desk starts nothing twice. */}
      <Button ref={button} look={look} aria-disabled={busy} keys={enter && !busy ? "Enter" : undefined} onClick={() => !busy && void start()}>
        {busy ? t.first.try.starting : t.first.try.start}
      </Button>
      {error && <ErrorNote error={error} title={t.first.try.notStarted} />}
    </>
  );
}
