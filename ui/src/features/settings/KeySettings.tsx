import { useRef, useState } from "react";

import { faultOf, keysUnder, without, withKeys, type ChosenKeys } from "../../actions/choice";
import { choose, useChoice } from "../../actions/chosen";
import { ACTION_IDS, specOf, type ActionId } from "../../actions/table";
import { Button } from "../../components/Button";
import { Kbd } from "../../components/Kbd";
import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import { KeyField, spoken } from "./KeyField";
import css from "./Keys.module.css";

const CHOOSABLE = ACTION_IDS.filter((id) => specOf(id).guard !== "fixed");

/** Which keys do what. A change holds at once, and is kept. */
export function KeySettings() {
  const choice = useChoice();
  const { run, error } = useAct();
  const [edited, setEdited] = useState<ActionId>();
  const section = useRef<HTMLDivElement>(null);
  const put = (next: ChosenKeys) => {
    choose(next);
    void run({ type: "set_preference", key: "keys", value: JSON.stringify(next) });
  };
  return (
    <Section title={t.settings.keys.title}>
      <p className={css.hint}>{t.settings.keys.hint}</p>
      <div ref={section} className={css.list} role="list">
        {CHOOSABLE.map((id) => (
          <KeyLine key={id} id={id} choice={choice} edited={id === edited} onEdit={(edit) => setEdited(edit ? id : undefined)} onChoose={put} />
        ))}
      </div>
      {Object.keys(choice).length > 0 && (
        <div className={css.all}>
          <Button
            onClick={() => {
              put({});
              setEdited(undefined);
              // This button goes.
              section.current?.querySelector("button")?.focus();
            }}
          >
            {t.settings.keys.resetAll}
          </Button>
        </div>
      )}
      {error && <ErrorNote error={error} title={t.settings.keys.notKept} />}
    </Section>
  );
}

interface LineProps {
  id: ActionId;
  choice: ChosenKeys;
  edited: boolean;
  onEdit: (edited: boolean) => void;
  onChoose: (choice: ChosenKeys) => void;
}

/** An action, its keys, and how to change them. */
function KeyLine({ id, choice, edited, onEdit, onChoose }: LineProps) {
  const change = useRef<HTMLButtonElement>(null);
  const label = t.actions[id];
  const keys = keysUnder(choice, id);
  const own = specOf(id).keys[0] ?? "";
  const isChosen = choice[id] !== undefined;
  const taken = isChosen ? faultOf(choice, id, own) : undefined;
  const leave = () => {
    onEdit(false);
    change.current?.focus();
  };
  return (
    <div role="listitem" className={css.line}>
      <span className={css.label}>{label}</span>
      <span className={css.keys}>
        {keys.map((each) => (
          <Kbd key={each} keys={each} />
        ))}
        {keys.length === 0 && <span className={css.none}>{t.settings.keys.none}</span>}
      </span>
      {isChosen && (
        <Button
          look="quiet"
          aria-label={t.settings.keys.resetOf(label)}
          disabled={taken !== undefined}
          onClick={() => {
            onChoose(without(choice, id));
            leave();
          }}
        >
          {t.settings.keys.reset}
        </Button>
      )}
      <Button ref={change} look="quiet" aria-label={t.settings.keys.changeOf(label)} aria-expanded={edited} onClick={() => onEdit(!edited)}>
        {t.settings.keys.change}
      </Button>
      {taken?.why === "taken" && <p className={css.taken}>{t.settings.keys.ownTaken(spoken(own), t.actions[taken.by])}</p>}
      {edited && (
        <KeyField
          label={t.settings.keys.field(label)}
          now={keys[0] ?? ""}
          faultOf={(typed) => faultOf(choice, id, typed)}
          onTake={(typed) => {
            onChoose(withKeys(choice, id, typed));
            leave();
          }}
          onLeave={leave}
        />
      )}
    </div>
  );
}
