import { useEffect, useState } from "react";

import { Button } from "../components/Button";
import { Dialog } from "../components/Dialog";
import { ErrorNote } from "../components/States";
import { useHost } from "../host/context";
import { DeskError } from "../host/error";
import type { CloseRequest } from "../host/host";
import { t } from "../strings";

/** Asked when the window is to close while tasks run: what that means, and whether they are to be followed on. */
export function CloseDialog() {
  const host = useHost();
  const [request, setRequest] = useState<CloseRequest>();
  const [error, setError] = useState<DeskError>();
  useEffect(() => host.onCloseRequested(setRequest), [host]);

  const stay = () => setRequest(undefined);
  const close = (keepFollowing: boolean) => {
    setError(undefined);
    host.closeWindow({ keepFollowing }).catch((thrown: unknown) => setError(DeskError.from(thrown)));
  };
  return (
    <Dialog
      open={request !== undefined}
      onClose={stay}
      title={t.app.closing.title}
      actions={
        <>
          <Button look="primary" onClick={() => close(true)}>
            {t.app.closing.keepFollowing}
          </Button>
          <Button onClick={() => close(false)}>{t.app.closing.close}</Button>
          <Button look="quiet" onClick={stay}>
            {t.app.closing.stay}
          </Button>
        </>
      }
    >
      <p>{t.app.closing.stops(request?.live ?? 0)}</p>
      <p>{t.app.closing.plain}</p>
      <p>{t.app.closing.keep}</p>
      {error && <ErrorNote error={error} />}
    </Dialog>
  );
}
