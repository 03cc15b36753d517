import { useState, type Ref } from "react";

import { ActionHint } from "../../components/Button";
import { later } from "../../components/later";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { PaneBar, PaneBody, Spring } from "../../places/Panes";
import { useAdjusted } from "../../store/useAdjusted";
import { useView, useViews } from "../../store/useView";
import { t } from "../../strings";
import type { Overview, RequestDetail, RequestId } from "../../types";
import { notifies } from "../settings/notifies";
import { DraftNote } from "./DraftNote";
import type { Tab } from "./InboxPlace";
import css from "./inbox.module.css";
import type { GivenTogether } from "./StackAnswered";

/** What the list can do with the pane beside it. */
export interface PaneHandle {
  /** Goes to what is to be filled in, else to the pane itself. */
  focus: () => void;
}

interface Props {
  id: RequestId | null;
  /** Whether another question was chosen that is still on its way. */
  isAwaited: boolean;
  tab: Tab;
  /** Where it stands among those that its tab counts. */
  position: { n: number; of: number } | undefined;
  overview: Overview | undefined;
  /** Goes to the next open question; undefined when there is none. */
  next: (() => void) | undefined;
  /** Takes which questions were just decided here, once the view shows it and nothing on the sheet wants anybody now. */
  onDecided: (ids: readonly RequestId[]) => void;
  /** The same for one that was put off. */
  onPutOff: (ids: readonly RequestId[]) => void;
  /** How many open questions are like it, itself included. */
  alike: number;
  /** Takes what became of an answer to all of them. */
  onGiven: (given: GivenTogether) => void;
  ref: Ref<PaneHandle>;
}

const Sheet = later(async () => (await import("./Sheet")).Sheet);

/** More questions of one round than this are not shown side by side. */
const MOST = 12;

/** The question in hand, with those that are answered together with it. */
export function RequestPane({ id, isAwaited, tab, position, ...rest }: Props) {
  return (
    <>
      <PaneBar>
        {position && t.inbox.position(position.n, position.of)}
        {id !== null && !isAwaited && <DraftNote id={id} />}
        <Spring />
        {id !== null && (
          <span className={css.keys} aria-hidden="true">
            <ActionHint action="list.next" /> <ActionHint action="list.previous" /> {t.inbox.move} <ActionHint action="request.next" />{" "}
            {t.inbox.next} <ActionHint action="help" />
          </span>
        )}
      </PaneBar>
      {isAwaited ? (
        <PaneBody label={t.inbox.question}>
          <LoadingState />
        </PaneBody>
      ) : id === null ? (
        <PaneBody label={t.inbox.question}>
          {tab === "answered" ? (
            <EmptyState title={t.inbox.receipt.title} hint={t.inbox.aboutAnswered} />
          ) : (
            <EmptyState title={t.inbox.about} hint={t.inbox.aboutHint(notifies(rest.overview))} />
          )}
        </PaneBody>
      ) : (
        <Followed id={id} {...rest} />
      )}
    </>
  );
}

type FollowedProps = Omit<Props, "id" | "isAwaited" | "tab" | "position"> & { id: RequestId };

/** Follows a question. One that is on the sheet already is only taken in hand there: what is typed on it stays where it is. */
function Followed({ id, ...rest }: FollowedProps) {
  const held = useState(id);
  const view = useView({ type: "request", request: held[0] });
  const [anchor] = useAdjusted(held, (last) => (view.data?.round?.requests.includes(id) ? last : id));
  if (view.data) return <Round key={anchor} anchor={view.data} id={id} {...rest} />;
  return (
    <PaneBody label={t.inbox.question}>
      {view.data === null ? (
        <EmptyState title={t.inbox.gone} hint={t.inbox.goneHint} />
      ) : view.error ? (
        <ErrorState error={view.error} onRetry={view.retry} />
      ) : (
        <LoadingState />
      )}
    </PaneBody>
  );
}

/** Brings the questions of a round together, each as it stands now. */
function Round({ anchor, id, ...rest }: FollowedProps & { anchor: RequestDetail }) {
  const all = anchor.round?.requests ?? [id];
  const shown = all.length > MOST ? [id] : all;
  const views = useViews(shown.map((request) => ({ type: "request", request }) as const));
  const members = views.map((view) => view.data).filter((data): data is RequestDetail => data !== undefined && data !== null);
  const hand = members.find((detail) => detail.row.id === id) ?? (anchor.row.id === id ? anchor : undefined);
  // One that is still on its way is never mixed up with another.
  if (!hand) return <LoadingState />;
  return <Sheet hand={hand} members={members.length > 0 ? members : [hand]} {...rest} />;
}
