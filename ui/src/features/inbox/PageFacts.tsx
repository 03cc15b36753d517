import { hostFacts } from "../../format/host";
import { visible } from "../../format/text";
import { t, URL_WARNING } from "../../strings";
import type { RequestDetail, UrlView, UrlWarning } from "../../types";
import css from "./inbox.module.css";

/** On this machine they are how things are, and no cause for alarm. */
const USUAL_HERE: readonly UrlWarning[] = ["not_https", "ip_address", "odd_port"];

/** What to be wary of in an address, and what its host tells by its spelling alone. */
export function PageFacts({ url, place }: { url: UrlView } & Pick<RequestDetail, "place">) {
  const words = t.inbox.url.facts;
  const { reads, scripts, serverHost, loopback } = hostFacts(url.host, place);
  const warnings = url.warnings.filter((warning) => !loopback || !USUAL_HERE.includes(warning));
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
