import { useState } from "react";

import { Button } from "../../components/Button";
import { JsonBlock } from "../../components/JsonBlock";
import { Facts, Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { bytes } from "../../format/size";
import { duration, exactly } from "../../format/time";
import { DeskError } from "../../host/error";
import { useAct } from "../../store/call";
import { PAYLOAD, t, TRACKING, WIRE } from "../../strings";
import type { CallId, Json, PayloadInfo, TaskDetail } from "../../types";
import { LongText } from "../result/LongText";
import { LONGEST_WHOLE } from "../result/whole";
import css from "./TaskDetail.module.css";

/** What is kept of a task as it was received. */
export function RawPayloads({ task }: { task: TaskDetail }) {
  const { row } = task;
  const ttl = task.ttlMs === undefined ? (task.unlimited ? t.tasks.unlimited : undefined) : duration(task.ttlMs);
  return (
    <>
      <Section title={t.tasks.facts}>
        <Facts
          facts={[
            [t.tasks.place, <ServerWord key="place" text={task.place} />],
            [t.tasks.wire, row.wire && WIRE[row.wire]],
            [t.tasks.tracking, TRACKING[row.tracking]],
            [t.tasks.taskId, task.taskId !== undefined && <ServerWord key="id" text={task.taskId} />],
            [t.tasks.ttl, ttl],
            [t.tasks.poll, task.pollIntervalMs === undefined ? undefined : exactly(task.pollIntervalMs)],
            [t.tasks.serverCreated, task.serverCreatedAt],
            [t.tasks.serverUpdated, task.lastUpdatedAt],
          ]}
        />
      </Section>
      {task.payloads.map((payload) => (
        <Section key={payload.kind} title={`${PAYLOAD[payload.kind]}, ${bytes(payload.bytes)}`}>
          <Payload call={row.id} payload={payload} />
        </Section>
      ))}
    </>
  );
}

function Payload({ call, payload }: { call: CallId; payload: PayloadInfo }) {
  const act = useAct();
  const [whole, setWhole] = useState<Json>();
  const json = payload.json ?? whole;
  if (json !== undefined) return <JsonBlock json={json} label={PAYLOAD[payload.kind]} received={payload.kind !== "arguments"} />;
  if (payload.fault) return <ErrorNote error={new DeskError(payload.fault)} />;
  if (payload.bytes > LONGEST_WHOLE) {
    return <LongText bytes={payload.bytes} pieceAt={(from) => ({ type: "payload_text", call, kind: payload.kind, from })} />;
  }
  const load = async () => {
    const reply = await act.run({ type: "payload", call, kind: payload.kind });
    setWhole(reply?.json);
  };
  return (
    <>
      <p className={css.news}>{t.tasks.tooLargeHere(bytes(payload.bytes))}</p>
      <div>
        <Button disabled={act.busy} onClick={() => void load()}>
          {t.tasks.loadWhole}
        </Button>
      </div>
      {act.error && <ErrorNote error={act.error} />}
    </>
  );
}
