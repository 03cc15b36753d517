import { useState } from "react";

import { useAction } from "../actions/registry";
import { ACTION_IDS, specOf } from "../actions/table";
import { Dialog } from "../components/Dialog";
import { Kbd } from "../components/Kbd";
import { t } from "../strings";
import css from "./HelpDialog.module.css";

/** All keys, as the action table has them. */
export function HelpDialog() {
  const [open, setOpen] = useState(false);
  useAction("help", () => setOpen(true));
  const specs = ACTION_IDS.map(specOf).filter((spec) => spec.keys.length > 0);
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={t.app.help.title}>
      <div className={css.groups}>
        {(["move", "answer", "task", "window"] as const).map((group) => (
          <section key={group}>
            <h3 className={css.head}>{t.app.help.groups[group]}</h3>
            <dl>
              {specs
                .filter((spec) => spec.group === group)
                .map((spec) => (
                  <div key={spec.label} className={css.line}>
                    <dt>{spec.label}</dt>
                    <dd className={css.keys}>
                      {spec.keys.map((keys) => (
                        <Kbd key={keys} keys={keys} />
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
