import { Place } from "../../components/Place";
import { Facts, Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { visible } from "../../format/text";
import { t } from "../../strings";
import type { Secret, Transport } from "../../types";
import { changesWhatRuns } from "./draft";
import css from "./Servers.module.css";

/** Where a secret is kept, in words. The value itself never reaches the window. */
export function secretWords(secret: Secret): string {
  switch (secret.kind) {
    case "env":
      return `env:${secret.var}`;
    case "file":
      return `@${secret.path}`;
    case "keychain":
      return t.servers.fromKeychain;
    case "plain":
      return t.servers.plainValue(secret.value);
  }
}

/** How a server is reached, part by part. */
export function TransportFacts({ transport }: { transport: Transport }) {
  return (
    <Section title={t.servers.transport}>
      {transport.kind === "http" ? (
        <Facts
          facts={[
            [t.servers.url, <Place key="url" place={transport.url} />],
            [t.servers.headers, transport.headers.length > 0 ? <Secrets key="headers" secrets={transport.headers} /> : undefined],
          ]}
        />
      ) : (
        <Facts
          facts={[
            [t.servers.program, <code key="program">{visible(transport.command)}</code>],
            [t.servers.arguments, transport.args.length === 0 ? t.servers.noArguments : <Words key="arguments" words={transport.args} />],
            [t.servers.cwd, transport.cwd === undefined ? t.servers.home : <code key="cwd">{visible(transport.cwd)}</code>],
            [t.servers.environment, transport.env.length > 0 ? <Secrets key="env" secrets={transport.env} cautions /> : undefined],
          ]}
        />
      )}
    </Section>
  );
}

/** The words of a command line, each apart, so that blanks inside one can be told from those between two. */
export function Words({ words }: { words: readonly string[] }) {
  return (
    <span className={css.words}>
      {words.map((word, index) => (
        <code key={index} className={css.argument}>
          {word === "" ? t.servers.emptyArgument : visible(word)}
        </code>
      ))}
    </span>
  );
}

function Secrets({ secrets, cautions = false }: { secrets: [string, Secret][]; cautions?: boolean }) {
  return (
    <ul>
      {secrets.map(([name, secret], index) => (
        <li key={index}>
          <code>{visible(name)}</code>{" "}
          {secret.kind === "plain" ? (
            <Words words={[secret.value]} />
          ) : (
            <span className={css.soft}>
              <ServerWord text={secretWords(secret)} />
            </span>
          )}
          {cautions && changesWhatRuns(name) && <strong className={css.caution}> {t.servers.changesWhatRuns}</strong>}
        </li>
      ))}
    </ul>
  );
}
