import { useState } from "react";

import { ActionButton, Button } from "../../components/Button";
import { Place } from "../../components/Place";
import { Facts, Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { visible } from "../../format/text";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import { mayBeSignedIn, signInState } from "./access";
import css from "./Servers.module.css";
import { SignOutDialog } from "./SignOutDialog";
import { secretWords, Words } from "./TransportFacts";

const words = t.servers.access;

interface Props {
  server: ServerView;
  /** It was changed just now. */
  saved: boolean;
  onChange: () => void;
  onSignedOut: () => void;
}

/** Who is signed in, and what else it takes to reach a server behind a URL. */
export function AccessSection({ server, saved, onChange, onSignedOut }: Props) {
  const [leaving, setLeaving] = useState(false);
  const [left, setLeft] = useState(false);
  const { caCertificates, proxy, signIn } = server.access;
  const leave = () => {
    setLeft(true);
    onSignedOut();
  };
  return (
    <Section title={words.title}>
      <Facts
        facts={[
          [words.state, <Standing key="state" server={server} />],
          [words.granted, list(server.signedIn?.scopes)],
          [words.clientId, code(signIn.clientId)],
          [words.clientSecret, signIn.clientSecret && <ServerWord key="secret" text={secretWords(signIn.clientSecret)} />],
          [words.metadata, signIn.clientMetadataUrl && <Place key="metadata" place={signIn.clientMetadataUrl} />],
          [words.scopes, list(signIn.scopes)],
          [words.certificates, list(caCertificates)],
          [words.proxy, proxy && <Place key="proxy" place={proxy} />],
        ]}
      />
      <div className={css.buttons}>
        <ActionButton action="server.access" onRun={onChange} />
        {mayBeSignedIn(server) && <Button onClick={() => setLeaving(true)}>{words.signOut}</Button>}
        <span role="status" className={css.soft}>
          {left && server.signedIn === undefined ? words.signedOutNow : saved && words.saved}
        </span>
      </div>
      {leaving && <SignOutDialog server={server} onClose={() => setLeaving(false)} onSignedOut={leave} />}
    </Section>
  );
}

/** Says who is signed in. What the authorization server calls itself was checked when it let us in. */
function Standing({ server }: { server: ServerView }) {
  const state = signInState(server);
  const issuer = server.signedIn?.issuer;
  return (
    <span className={css.standing} data-sign-in={state}>
      {words.states[state]}
      {issuer !== undefined && (
        <>
          {` ${words.at} `}
          <Place place={issuer} />
        </>
      )}
    </span>
  );
}

function code(text: string | undefined) {
  return text && <code>{visible(text)}</code>;
}

function list(texts: readonly string[] | undefined) {
  return texts === undefined || texts.length === 0 ? undefined : <Words words={texts} />;
}
