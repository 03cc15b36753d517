import { useEffect, useRef, useState, type Ref } from "react";

import { JsonBlock } from "../../components/JsonBlock";
import { Place } from "../../components/Place";
import { Facts, Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { Tabs } from "../../components/Tabs";
import { openInboxOf, openTasksOf } from "../../places/nav";
import { PaneBar, PaneBody, Spring } from "../../places/Panes";
import { t, WIRE } from "../../strings";
import type { ServerView } from "../../types";
import { AccessSection } from "./AccessSection";
import { clockWords, isWorthAsking } from "./health";
import { HealthSection } from "./HealthSection";
import { RenameButton } from "./RenameButton";
import { ServerAdopt } from "./ServerAdopt";
import { ServerFoot } from "./ServerFoot";
import { ServerLevel } from "./ServerLevel";
import css from "./Servers.module.css";
import { ServerTools } from "./ServerTools";
import { TransportFacts, Words } from "./TransportFacts";
import type { Check } from "./useCheck";
import { WithheldNote } from "./WithheldNote";

/** A page that was open for so long was opened to be read, in ms. */
const PASSING_MS = 400;

type Tab = "overview" | "tools" | "adopt";

const TABS = [
  { value: "overview", label: t.servers.overview },
  { value: "tools", label: t.servers.tools },
  { value: "adopt", label: t.servers.adopt.title },
] as const;

interface Props {
  server: ServerView;
  check: Check | undefined;
  onCheck: () => void;
  onEdit: () => void;
  onAccess: () => void;
  /** What reaching it takes was changed just now. */
  saved: boolean;
  onRemoved: () => void;
  /** Gets the focus when the server is opened. */
  bodyRef: Ref<HTMLDivElement>;
}

/** The right pane: all about one server. */
export function ServerDetail(props: Props) {
  const { server, check, onCheck, onEdit, onRemoved, bodyRef } = props;
  const [tab, setTab] = useState<Tab>("overview");
  useCheckOnce(server, onCheck);
  return (
    <>
      <PaneBar>
        <Tabs label={t.servers.detail} value={tab} onChange={setTab} tabs={TABS} />
        <Spring />
        <span className={css.id}>{server.id}</span>
      </PaneBar>
      <PaneBody label={t.servers.detail} ref={bodyRef}>
        <div>
          <div className={css.titleLine}>
            <h1 className={css.title}>
              <ServerWord text={server.name} />
            </h1>
            <RenameButton server={server} />
          </div>
          <p className={css.under}>
            <Place place={server.place} />
          </p>
        </div>
        {tab === "overview" && <Overview {...props} />}
        {tab === "tools" && <ServerTools server={server} />}
        {tab === "adopt" && <ServerAdopt key={server.id} server={server} />}
      </PaneBody>
      <ServerFoot server={server} check={check} onCheck={onCheck} onEdit={onEdit} onRemoved={onRemoved} />
    </>
  );
}

function Overview({ server, check, onCheck, onAccess, saved }: Props) {
  const { peer, wire, capabilities } = server;
  return (
    <>
      <HealthSection server={server} check={check} />
      {server.withheld && <WithheldNote server={server.id} withheld={server.withheld} />}
      {server.transport.kind === "http" && <AccessSection server={server} saved={saved} onChange={onAccess} onSignedOut={() => server.enabled && onCheck()} />}
      <Section title={t.servers.identity}>
        <Facts
          facts={[
            [t.servers.claims, peer && <Claim key="claim" text={`${peer.name} ${peer.version}`} />],
            [t.servers.wire, wire && WIRE[wire]],
            [t.servers.protocol, server.protocolVersion && <ServerWord key="protocol" text={server.protocolVersion} />],
            [t.servers.tasks, server.protocolVersion && (server.supportsTasks ? t.servers.tasksYes : t.servers.tasksNo)],
            [t.servers.push, server.push && (server.push === "on" ? t.servers.pushOn : t.servers.pushOff)],
            [t.servers.leftOut, server.leftOut === undefined ? undefined : t.servers.leftOutWords(server.leftOut)],
            [t.servers.clock, clockWords(server.health)],
            [t.servers.kept, <Kept key="kept" server={server} />],
            [t.servers.rootsLabel, server.roots.length > 0 ? <Words key="roots" words={server.roots} /> : undefined],
          ]}
        />
      </Section>
      <ServerLevel server={server} />
      <TransportFacts transport={server.transport} />
      {capabilities !== undefined && (
        <Section title={t.servers.capabilities}>
          <JsonBlock json={capabilities} label={t.servers.capabilities} />
        </Section>
      )}
    </>
  );
}

/** Asks once, when the page is opened, where what is known is old. Who only passes by asks nothing: it may start a program. */
function useCheckOnce(server: ServerView, check: () => void) {
  const [wanted] = useState(() => isWorthAsking(server, Date.now()));
  const ask = useRef(check);
  useEffect(() => {
    if (!wanted) return;
    const timer = setTimeout(() => ask.current(), PASSING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
}

/** Its questions and its tasks, each a way to them. */
function Kept({ server: { id, inbox, tasks } }: { server: ServerView }) {
  const words = t.servers.counts;
  const underWay = tasks.working + tasks.ended;
  if (inbox + underWay === 0) return words.none;
  return (
    <>
      {inbox > 0 && (
        <button type="button" className={`${css.link} ${css.waits}`} onClick={() => openInboxOf(id)}>
          {words.needsYou(inbox)}
        </button>
      )}
      {inbox > 0 && underWay > 0 && " · "}
      {underWay > 0 && (
        <button type="button" className={css.link} onClick={() => openTasksOf(id)}>
          {[tasks.working > 0 && words.working(tasks.working), tasks.ended > 0 && words.ended(tasks.ended)].filter((part) => part !== false).join(" · ")}
        </button>
      )}
    </>
  );
}

/** What a server says of itself is never shown as if we knew it. */
function Claim({ text }: { text: string }) {
  return (
    <>
      <ServerWord text={text} /> <span className={css.soft}>({t.servers.claim})</span>
    </>
  );
}
