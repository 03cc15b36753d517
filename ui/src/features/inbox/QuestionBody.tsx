import { ServerWord } from "../../components/ServerText";
import { ClockTime } from "../../components/Time";
import { useClock } from "../../store/clock";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import { AnswerAgain } from "./AnswerAgain";
import { FormSection } from "./FormSection";
import css from "./inbox.module.css";
import { Meanwhile } from "./Meanwhile";
import { NoLongerAsked } from "./NoLongerAsked";
import { PagePanel } from "./PagePanel";
import { Raw } from "./QuestionHead";
import { Receipt } from "./Receipt";
import { Reworded } from "./Reworded";
import { SamplingRequest } from "./SamplingRequest";
import { Sentence } from "./Sentence";
import type { Stage } from "./stage";
import { Typed } from "./Typed";
import type { Answering } from "./useAnswering";

/** What every question on a sheet gets. */
export interface BodyProps {
  detail: RequestDetail;
  stage: Stage;
  answering: Answering;
  /** Whether its page is being opened at this moment. */
  opening: boolean;
  /** Where a form says in sight what does not fit. */
  misfitsAt: HTMLElement | null;
  /** The person's name for the server. */
  server: string;
}

/** What a question asks for as it stands: a form, a page, a refusal; or how far its answer got. */
export function QuestionBody({ detail, stage, answering, opening, misfitsAt, server }: BodyProps) {
  const { row, ways } = detail;
  const page = row.mode === "url" && detail.url !== undefined;
  return (
    <>
      <Meanwhile detail={detail} />
      <Reworded detail={detail} stage={stage} />
      {detail.sampling && <SamplingRequest sampling={detail.sampling} />}
      {stage === "open" && <AnswerAgain detail={detail} />}
      {stage === "no_longer_asked" && <NoLongerAsked detail={detail} />}
      {page && <PagePanel detail={detail} opening={opening} />}
      {(ways.accept === "content" || ways.accept === "text") && <FormSection detail={detail} answering={answering} misfitsAt={misfitsAt} />}
      {stage === "open" && ways.accept === undefined && <p className={css.again}>{t.inbox.refuseOnly}</p>}
      {stage === "waiting" && <Waiting detail={detail} server={server} />}
      {stage === "sending" && (
        <p className={css.quiet} role="status">
          {row.answer?.sentAt === undefined ? t.inbox.notHandedOver : t.inbox.handedOver}
        </p>
      )}
      {stage !== "open" && (row.answer !== undefined || stage === "over") && <Receipt detail={detail} stage={stage} />}
      {row.state === "closed" && <Typed detail={detail} />}
      <Raw detail={detail} open={stage === "open" ? ways.accept === undefined : stage === "no_longer_asked"} />
    </>
  );
}

const DAY_MS = 24 * 3_600_000;

/** An answer that has not gone out because its server does not answer. */
function Waiting({ detail: { row }, server }: { detail: RequestDetail; server: string }) {
  const decidedAt = row.answer?.decidedAt;
  const long = useClock((now) => decidedAt !== undefined && now - Date.parse(decidedAt) > DAY_MS);
  return (
    <p className={css.again} role="status">
      <strong>
        {long ? t.inbox.stillWaitingSince : t.inbox.waitingSince} {decidedAt !== undefined && <ClockTime at={decidedAt} />}.
      </strong>{" "}
      <Sentence text={t.inbox.waitingMeans} part={<ServerWord text={server} />} />
    </p>
  );
}
