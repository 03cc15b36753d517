import { ServerWord } from "../../components/ServerText";
import { brief } from "../../format/text";
import type { CloseRequest } from "../../host/host";
import { t } from "../../strings";
import css from "./CloseDialog.module.css";

/** So long is a name on a button. */
const SHORT = 20;

/** What the window would wait for before it closes. A task that is the only one is named: beside it stand others, which go on. */
export function WaitFor({ request: { ending, ends } }: { request: CloseRequest }) {
  const { when, hasEnded } = t.app.closing.waitFor;
  const [only] = ends;
  if (ending > 1 || only === undefined) return t.app.closing.wait(ending);
  const { id, server, tool } = only;
  return (
    <span className={css.wait}>
      {when} {tool === "" ? id : <ServerWord text={`${brief(server, SHORT)} · ${brief(tool, SHORT)}`} />} {hasEnded}
    </span>
  );
}
