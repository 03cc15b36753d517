import { flushSync } from "react-dom";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { Facts } from "../../components/Section";
import { ServerText } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { go, openServers } from "../../places/nav";
import { useAct } from "../../store/call";
import { useExternal } from "../../store/external";
import { t } from "../../strings";
import { handOver, isOne } from "../servers/handed";
import { led, type Brought } from "./led";

/** So much is shown at first, in characters: all of it on demand, and in the form. */
const SHOWN = 400;

/** Shows what a link brought, before anything is done with it. */
export function LinkDialog() {
  const brought = useExternal(led, (now) => now.led);
  const close = () => led.set({ led: null });
  if (brought === null) return null;
  return brought.kind === "server" ? <Offer offer={brought} onClose={close} /> : <Nowhere link={brought.link} why={brought.why} onClose={close} />;
}

function Offer({ offer, onClose }: { offer: Extract<Brought, { kind: "server" }>; onClose: () => void }) {
  const act = useAct();
  const words = t.link.offer;
  const look = async () => {
    const reply = await act.run({ type: "read_pasted", text: offer.text });
    if (!reply) return;
    // What the link would have it called the person can change, as all else.
    const servers = reply.pasted.servers.map((server) => (offer.name === undefined ? server : { ...server, name: offer.name }));
    const pasted = { ...reply.pasted, servers };
    onClose();
    // A form that stands there half filled is left first, as for any other place: it keeps what was typed.
    flushSync(() => go("tasks"));
    handOver({ pasted, text: offer.text });
    openServers(isOne(pasted) ? "add" : "import");
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button disabled={act.busy} onClick={() => void look()}>
            {words.look}
          </Button>
          <Button onClick={onClose}>{words.leave}</Button>
        </>
      }
    >
      <p>{words.says}</p>
      <Facts
        facts={[
          [words.name, offer.name !== undefined && <ServerText text={offer.name} limit={SHOWN} />],
          [words.text, <ServerText key="text" text={offer.text} limit={SHOWN} />],
        ]}
      />
      {act.error && <ErrorNote error={act.error} />}
    </Dialog>
  );
}

function Nowhere({ link, why, onClose }: { link: string; why: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t.link.nowhere.title} actions={<Button onClick={onClose}>{t.link.nowhere.close}</Button>}>
      <p>{t.link.nowhere.why(why)}</p>
      <ServerText text={link} limit={SHOWN} />
    </Dialog>
  );
}
