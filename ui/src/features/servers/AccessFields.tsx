import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Field, type FieldControl } from "../../components/Field";
import field from "../../components/Field.module.css";
import { Section } from "../../components/Section";
import { t } from "../../strings";
import type { AccessDraft, AccessSpot } from "./access";
import { sourcesOf, SourceSelect, ValueInput } from "./SecretInputs";
import css from "./ServerForm.module.css";

type Errors = ReadonlyMap<AccessSpot, string>;

interface Props {
  draft: AccessDraft;
  change: (part: Partial<AccessDraft>) => void;
  errors: Errors;
}

interface SignInProps extends Props {
  /** The name under which the form has a typed client secret. */
  literal: string;
  /** Chooses another place for secrets; undefined where a secret can be kept. */
  onPlace: (() => void) | undefined;
}

const words = t.servers.access;
const PLAIN = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;

/** How to sign in, where the server asks for that. */
export function SignInFields(props: SignInProps) {
  const { draft, change, errors } = props;
  return (
    <Section title={words.signIn}>
      <div className={css.fields}>
        <Line spot="clientId" errors={errors} value={draft.clientId} onValue={(clientId) => change({ clientId })} />
        <ClientSecret {...props} />
        <Field group label={words.machine.label} errors={errorsOf(errors, "machine")}>
          {() => (
            <label className={css.check}>
              <input type="checkbox" checked={draft.machine} onChange={(event) => change({ machine: event.target.checked })} />
              {words.machine.hint}
            </label>
          )}
        </Field>
        <Line spot="clientMetadataUrl" errors={errors} value={draft.metadata} onValue={(metadata) => change({ metadata })} url />
        <Line spot="scopes" errors={errors} value={draft.scopes} onValue={(scopes) => change({ scopes })} />
      </div>
    </Section>
  );
}

/** The way to it. */
export function NetworkFields({ draft, change, errors }: Props) {
  return (
    <Section title={words.network}>
      <div className={css.fields}>
        <Shell spot="caCertificates" errors={errors}>
          {(control) => (
            <textarea
              {...control}
              {...PLAIN}
              className={`${field.input} ${field.mono} ${css.low}`}
              rows={2}
              wrap="off"
              value={draft.certificates}
              onChange={(event) => change({ certificates: event.target.value })}
            />
          )}
        </Shell>
        <Line spot="proxy" errors={errors} value={draft.proxy} onValue={(proxy) => change({ proxy })} url />
      </div>
    </Section>
  );
}

function errorsOf(errors: Errors, spot: AccessSpot): string[] {
  const error = errors.get(spot);
  return error === undefined ? [] : [error];
}

interface ShellProps {
  spot: keyof typeof words.fields;
  errors: Errors;
}

function Shell({ spot, errors, children }: ShellProps & { children: (control: FieldControl) => ReactNode }) {
  const { label, hint } = words.fields[spot];
  return (
    <Field label={label} hint={hint} optional={t.servers.optional} errors={errorsOf(errors, spot)}>
      {children}
    </Field>
  );
}

interface LineProps extends ShellProps {
  value: string;
  onValue: (value: string) => void;
  url?: boolean;
}

/** A field of one line. */
function Line({ value, onValue, url = false, ...shell }: LineProps) {
  return (
    <Shell {...shell}>
      {(control) => (
        <input
          {...control}
          {...PLAIN}
          className={`${field.input} ${field.mono} ${css.wide}`}
          inputMode={url ? "url" : undefined}
          placeholder={words.fields[shell.spot].example}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Shell>
  );
}

/** A secret that can be written here, but never read. */
function ClientSecret({ draft: { hasSecret, secret }, change, errors, literal, onPlace }: SignInProps) {
  return (
    <Field
      group
      label={words.secret.label}
      hint={words.secret.hint}
      optional={t.servers.optional}
      errors={errorsOf(errors, "clientSecret")}
    >
      {({ "aria-invalid": invalid }) => (
        <div className={css.secret}>
          <SourceSelect
            sources={["none", ...sourcesOf(secret)] as const}
            value={hasSecret ? secret.source : "none"}
            invalid={hasSecret ? undefined : invalid}
            onChange={(source) =>
              change(source === "none" ? { hasSecret: false } : { hasSecret: true, secret: { ...secret, source } })
            }
          />
          {hasSecret && (
            <ValueInput draft={secret} literal={literal} invalid={invalid} onWhere={(where) => change({ secret: { ...secret, where } })} />
          )}
          {onPlace && hasSecret && <Button onClick={onPlace}>{t.servers.ways.place}</Button>}
        </div>
      )}
    </Field>
  );
}
