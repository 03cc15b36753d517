import { useState } from "react";

import { keysUnder } from "../actions/choice";
import { useChoice } from "../actions/chosen";
import { useAction } from "../actions/registry";
import { ACTION_IDS, LIST_KEYS, RANGE_KEYS, specOf, type Keys } from "../actions/table";
import { Dialog } from "../components/Dialog";
import { Kbd } from "../components/Kbd";
import { ZOOM_KEYS } from "../store/zoom";
import { t } from "../strings";
import css from "./HelpDialog.module.css";

/** All keys that are in force. */
export function HelpDialog() {
  const [open, setOpen] = useState(false);
  const choice = useChoice();
  useAction("help", () => setOpen(true));
  const lines = ACTION_IDS.map((id) => ({ id, group: specOf(id).group, keys: [...keysUnder(choice, id), ...(LIST_KEYS[id] ?? [])] })).filter(({ keys }) => keys.length > 0);
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={t.app.help.title}>
      {/* What scrolls must be reachable by keyboard, and nothing else in it is. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.groups} tabIndex={0} role="group" aria-label={t.app.help.title}>
        {(["move", "answer", "task", "window"] as const).map((group) => (
          <section key={group}>
            <h3 className={css.head}>{t.app.help.groups[group]}</h3>
            <dl>
              {lines
                .filter((line) => line.group === group)
                .map(({ id, keys }) => (
                  <Line key={id} label={t.actions[id]} keys={keys} />
                ))}
              {group === "move" && <Line label={t.app.help.pickRange} keys={RANGE_KEYS} />}
              {group === "window" && <Line label={t.settings.zoom} keys={ZOOM_KEYS} />}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Line({ label, keys }: { label: string; keys: readonly Keys[] }) {
  return (
    <div className={css.line}>
      <dt>{label}</dt>
      <dd className={css.keys}>
        {keys.map((each) => (
          <Kbd key={each} keys={each} />
        ))}
      </dd>
    </div>
  );
}
