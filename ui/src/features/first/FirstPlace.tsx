import { useId, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { openServers } from "../../places/nav";
import { PaneBody } from "../../places/Panes";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import type { Importable, Pasted } from "../../types";
import { handOver, isOne } from "../servers/handed";
import { PasteField } from "../servers/PasteField";
import css from "./First.module.css";
import { StartDemo } from "./StartDemo";

/** The first page: what this is, and three doors. */
export function FirstPlace() {
  return (
    <PaneBody label={t.first.title}>
      <div className={css.page}>
        <h1 className={css.title}>{t.first.title}</h1>
        <p className={css.intro}>{t.first.intro}</p>
        <Door title={t.first.try.title} hint={t.first.try.hint}>
          <StartDemo look="primary" enter />
        </Door>
        <Bring />
        <Door title={t.first.add.title} hint={t.first.add.hint} below={<PasteField onPasted={toServers} />}>
          <Button onClick={() => openServers("add")}>{t.first.add.open}</Button>
        </Door>
        <p className={css.foot}>{t.first.foot}</p>
      </div>
    </PaneBody>
  );
}

/** What was pasted goes on in the form where it is looked over: nothing of it is registered before that. */
function toServers(pasted: Pasted, text: string) {
  handOver({ pasted, text });
  openServers(isOne(pasted) ? "add" : "import");
}

/** What other programs know is read while the person reads: nothing of it runs. */
function Bring() {
  const { reply, error } = useReply({ type: "read_configurations" });
  const found = reply?.servers;
  return (
    <Door title={t.first.bring.title} hint={error ? t.first.bring.failed : found ? counted(found) : `${t.first.bring.looking}…`}>
      <Button onClick={() => openServers("import")}>{found?.length === 0 || error ? t.first.bring.paste : t.first.bring.choose}</Button>
    </Door>
  );
}

function counted(found: Importable[]): string {
  return found.length === 0 ? t.first.bring.none : t.first.bring.found(found.length, new Set(found.map((server) => server.from)).size);
}

interface DoorProps {
  title: string;
  hint: string;
  children: ReactNode;
  /** What takes all of the width. */
  below?: ReactNode;
}

function Door({ title, hint, children, below }: DoorProps) {
  const id = useId();
  return (
    <section className={css.door} aria-labelledby={id}>
      <div className={css.words}>
        <h2 id={id} className={css.doorTitle}>
          {title}
        </h2>
        <p>{hint}</p>
      </div>
      <div className={css.act}>{children}</div>
      {below !== undefined && <div className={css.below}>{below}</div>}
    </section>
  );
}
