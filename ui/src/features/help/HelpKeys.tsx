import { keysUnder } from "../../actions/choice";
import { useChoice } from "../../actions/chosen";
import { ACTION_IDS, LIST_KEYS, RANGE_KEYS, specOf, type Keys } from "../../actions/table";
import { Dialog } from "../../components/Dialog";
import { Kbd } from "../../components/Kbd";
import { ZOOM_KEYS } from "../../store/zoom";
import { t } from "../../strings";
import css from "./HelpKeys.module.css";

/** All keys that are in force. */
export function HelpKeys({ open, onClose }: { open: boolean; onClose: () => void }) {
  const choice = useChoice();
  const lines = ACTION_IDS.map((id) => ({ id, group: specOf(id).group, keys: [...keysUnder(choice, id), ...(LIST_KEYS[id] ?? [])] })).filter(({ keys }) => keys.length > 0);
  return (
    <Dialog open={open} onClose={onClose} title={t.app.help.title}>
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
