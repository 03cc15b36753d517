import { ending, visible } from "../../format/text";
import { t, URL_WARNING } from "../../strings";
import type { UrlView } from "../../types";
import css from "./inbox.module.css";

/** What to be wary of in an address, and what its spelling alone tells of its host, as the desk says it. */
export function PageFacts({ url: { host, reads, scripts, loopback, serverHost, warnings } }: { url: UrlView }) {
  const words = t.inbox.url.facts;
  return (
    <>
      {warnings.length > 0 && (
        <ul className={css.warnings}>
          {warnings.map((warning) => (
            <li key={warning}>{URL_WARNING[warning]}</li>
          ))}
        </ul>
      )}
      <ul className={css.facts}>
        {loopback && <li>{words.thisMachine}</li>}
        {reads !== undefined && <Fact label={words.reads} value={reads} />}
        {reads !== undefined && <Fact label={words.sent} value={host} />}
        {scripts.length > 0 && <Fact label={words.scripts} value={scripts.join(", ")} />}
        {serverHost !== undefined && <Fact label={words.another} value={words.not(host, serverHost)} />}
      </ul>
    </>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <li>
      {label}: <bdi translate="no">{visible(ending(value, 600))}</bdi>
    </li>
  );
}
