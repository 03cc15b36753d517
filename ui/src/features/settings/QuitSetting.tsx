import { useId } from "react";

import { runAction } from "../../actions/registry";
import { ActionHint, Button } from "../../components/Button";
import { t } from "../../strings";
import css from "./Settings.module.css";

/** Ends Signalbox, its part in the background too. What stops is asked about by whoever binds the action. */
export function QuitSetting() {
  const id = useId();
  return (
    <div>
      <Button aria-describedby={id} onClick={() => void runAction("quit")}>
        {t.actions.quit} <ActionHint action="quit" />
      </Button>
      <p id={id} className={`${css.soft} ${css.below}`}>
        {t.settings.quitHint}
      </p>
    </div>
  );
}
