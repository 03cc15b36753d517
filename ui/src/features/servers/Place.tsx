import { visible } from "../../format/text";
import { splitHost } from "../inbox/words";

/** Where a server is: its URL with the host emphasised, or its command line. */
export function Place({ place }: { place: string }) {
  const { before, host, after } = splitHost(place);
  return (
    <bdi dir="ltr" translate="no">
      {visible(before)}
      {host !== "" && <strong>{visible(host)}</strong>}
      {visible(after)}
    </bdi>
  );
}
