import { splitHost } from "../format/place";
import { visible } from "../format/text";

/** Where a server is: its URL with the host emphasised, or its command line. */
export function Place({ place }: { place: string }) {
  const { before, host, after } = splitHost(place);
  if (host === "") return <code translate="no">{visible(place)}</code>;
  return (
    <bdi dir="ltr" translate="no">
      {visible(before)}
      <strong>{visible(host)}</strong>
      {visible(after)}
    </bdi>
  );
}
