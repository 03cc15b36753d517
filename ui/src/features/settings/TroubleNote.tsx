import { ServerText } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { CODES } from "../../strings";
import type { Trouble } from "../../types";
import css from "./Settings.module.css";

/** Something that is wrong with ourselves, and what to do about it. */
export function TroubleNote({ trouble }: { trouble: Trouble }) {
  return (
    <div className={css.trouble}>
      <StatusLamp lamp="tool_error" />
      <div>
        <strong>{CODES[trouble.code]}</strong>
        <ServerText text={trouble.message} limit={600} />
      </div>
    </div>
  );
}
