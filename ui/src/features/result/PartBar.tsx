import { useState } from "react";

import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { t } from "../../strings";
import css from "./Result.module.css";
import type { Source } from "./source";
import { LONGEST_WHOLE, wholeText } from "./whole";

interface Props {
  source?: Source | undefined;
  /** Its text, or the beginning of it; what has none is not copied. */
  text?: string | undefined;
  /** How many bytes all of the text has. */
  bytes?: number;
  /** What it is, where another program may open it. */
  opens?: string | undefined;
}

/** What can be done with a part: copied, saved, opened in another program. */
export function PartBar({ source, text, bytes = 0, opens }: Props) {
  const host = useHost();
  const [asked, setAsked] = useState(false);
  const [saved, setSaved] = useState(false);
  const [error, setError] = useState<DeskError>();
  const act = (what: Promise<unknown>) => {
    setError(undefined);
    what.catch((thrown: unknown) => setError(DeskError.from(thrown)));
  };
  const isWhole = text !== undefined && new TextEncoder().encode(text).length >= bytes;
  const mayCopy = isWhole || (source !== undefined && bytes > 0 && bytes <= LONGEST_WHOLE);
  if (!mayCopy && source === undefined) return null;
  return (
    <>
      <div className={css.bar} role="group" aria-label={source?.part === "all" ? t.result.allActions : t.result.actions}>
        {mayCopy && <CopyButton text={isWhole ? text : () => (source ? wholeText(host, source) : Promise.resolve(""))} />}
        {source && (
          <button type="button" className={css.act} onClick={() => act(host.savePart(source.call, source.part).then(setSaved))}>
            {t.result.save}
          </button>
        )}
        {source && opens !== undefined && (
          <button type="button" className={css.act} onClick={() => setAsked(true)}>
            {t.result.open}
          </button>
        )}
        <span className={css.news} role="status">
          {saved && t.result.saved}
        </span>
      </div>
      {error && <ErrorNote error={error} />}
      {source && opens !== undefined && (
        <Dialog
          open={asked}
          onClose={() => setAsked(false)}
          title={t.result.openTitle}
          actions={
            <>
              <Button
                look="primary"
                onClick={() => {
                  setAsked(false);
                  act(host.openPart(source.call, source.part));
                }}
              >
                {t.result.openIt}
              </Button>
              <Button onClick={() => setAsked(false)}>{t.result.keep}</Button>
            </>
          }
        >
          <p>{t.result.opens(opens)}</p>
        </Dialog>
      )}
    </>
  );
}

