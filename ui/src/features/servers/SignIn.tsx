import { useRef, useState } from "react";

import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Place } from "../../components/Place";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { call } from "../../store/call";
import { t } from "../../strings";
import type { ServerId } from "../../types";
import css from "./Servers.module.css";

/** A page that the person is to open themselves, and why. */
interface Unopened {
  url: string;
  error: DeskError;
}

/** Lets the person sign in at a server that wants it, in their browser. */
export function SignIn({ server }: { server: ServerId }) {
  const host = useHost();
  const [waiting, setWaiting] = useState(false);
  const [unopened, setUnopened] = useState<Unopened>();
  const [error, setError] = useState<DeskError>();
  // A page that was closed by mistake is opened again: only the last attempt counts.
  const last = useRef(0);
  const signIn = async () => {
    const attempt = ++last.current;
    const isLast = () => attempt === last.current;
    setWaiting(true);
    setUnopened(undefined);
    setError(undefined);
    try {
      const { url, attempt: begun } = await call(host, { type: "sign_in", server });
      if (url !== undefined) {
        // The desk waits for the page whoever opens it: without a browser of ours the person can still sign in.
        await host.openUrl(url).catch((thrown: unknown) => {
          if (isLast()) setUnopened({ url, error: DeskError.from(thrown) });
        });
      }
      await call(host, { type: "await_sign_in", server, attempt: begun });
    } catch (thrown) {
      if (isLast()) setError(DeskError.from(thrown));
    } finally {
      if (isLast()) {
        setWaiting(false);
        setUnopened(undefined);
      }
    }
  };
  return (
    <>
      <p className={css.signIn}>
        <Button onClick={() => void signIn()}>{waiting ? t.servers.signInAgain : t.servers.signIn}</Button>
      </p>
      {unopened && <ByHand {...unopened} />}
      <div role="status">{waiting && <p className={css.soft}>{t.servers.signInWaits}</p>}</div>
      {error && <ErrorNote error={error} />}
    </>
  );
}

/** The address comes from a server: text to read and copy, never a link. */
function ByHand({ url, error }: Unopened) {
  return (
    <>
      <ErrorNote error={error} title={t.servers.signInUnopened} />
      <p>{t.servers.signInByHand}</p>
      <div className={css.address}>
        <Place place={url} /> <CopyButton text={url} label={t.servers.copyAddress} />
      </div>
    </>
  );
}
