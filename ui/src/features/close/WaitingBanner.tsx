import { Banner } from "../../components/Banner";
import { Button } from "../../components/Button";
import type { CloseRequest } from "../../host/host";
import { t } from "../../strings";
import { Afresh } from "./Afresh";

interface Props {
  request: CloseRequest;
  onSeen: (stops: CloseRequest) => void;
  onStay: () => void;
  /** Whether the person is being asked: nothing closes under their hands. */
  rests: boolean;
}

/** The window closes once what would be lost has ended: said for as long as that takes. */
export function WaitingBanner({ request, onSeen, onStay, rests }: Props) {
  const { ending } = request;
  return (
    <Banner look="warn" action={<Button onClick={onStay}>{t.app.closing.waitNoMore}</Button>}>
      {ending > 0 ? t.app.closing.waiting(ending) : t.app.closing.waitingLast}
      {!rests && <Afresh request={request} onSeen={onSeen} />}
    </Banner>
  );
}
