import { Details } from "../../components/Details";
import { ServerText } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { sentence } from "../../format/text";
import { CODES, TROUBLE_ADVICE } from "../../strings";
import type { Trouble } from "../../types";
import css from "./Settings.module.css";

/** Something that is wrong with ourselves, and what to do about it. */
export function TroubleNote({ trouble: { code, message, detail } }: { trouble: Trouble }) {
  const advice = TROUBLE_ADVICE[code];
  return (
    <div className={css.trouble}>
      <StatusLamp lamp="tool_error" />
      <div>
        <strong>{CODES[code]}</strong>
        <ServerText text={sentence(message)} limit={600} />
        {advice !== undefined && <p className={css.soft}>{advice}</p>}
        <Details text={detail} />
      </div>
    </div>
  );
}
