import { hostFacts } from "../../format/host";
import { visible } from "../../format/text";
import { t, URL_WARNING } from "../../strings";
import type { RequestDetail, UrlView } from "../../types";
import css from "./inbox.module.css";

/** What to be wary of in an address, and what its host tells by its spelling alone. */
export function PageFacts({ url, place }: { url: UrlView } & Pick<RequestDetail, "place">) {
  const words = t.inbox.url.facts;
  const { reads, scripts, serverHost, loopback } = hostFacts(url.host, place);
  return (
    <>
      {url.warnings.length > 0 && (
        <ul className={css.warnings}>
          {url.warnings.map((warning) => (
            <li key={warning}>{URL_WARNING[warning]}</li>
          ))}
        </ul>
      )}
      <ul className={css.facts}>
        {loopback && <li>{words.thisMachine}</li>}
        {reads !== undefined && <Fact label={words.reads} value={reads} />}
        {reads !== undefined && <Fact label={words.sent} value={url.host} />}
        {scripts.length > 0 && <Fact label={words.scripts} value={scripts.join(", ")} />}
        {serverHost !== undefined && <Fact label={words.another} value={words.not(url.host, serverHost)} />}
      </ul>
    </>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <li>
      {label}: <bdi translate="no">{visible(value)}</bdi>
    </li>
  );
}
