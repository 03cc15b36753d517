import { useEffect, type ComponentType } from "react";

import { useModalKeys } from "../actions/registry";
import { DeskError } from "../host/error";
import { external, useExternal } from "../store/external";
import { CODES, t } from "../strings";
import { Dialog } from "./Dialog";
import { ErrorState } from "./States";

type Load<Props> = () => Promise<ComponentType<Props>>;

/** What has come of a script: at first nothing, then its component, or why it did not come. */
interface Script<Props> {
  Component?: ComponentType<Props>;
  error?: DeskError;
}

/** Looks for a script of its own once it is wanted. One that did not come never comes: a web view asks once only. */
function script<Props>(load: Load<Props>) {
  const now = external<Script<Props>>({});
  const bring = () =>
    load().then(
      (Component) => now.set({ Component }),
      () => now.set({ error: new DeskError({ code: "internal", message: t.app.noScript, retry: "never" }) }),
    );
  return (isWanted: boolean) => {
    const isMissing = useExternal(now, ({ Component, error }) => Component === undefined && error === undefined);
    useEffect(() => {
      if (isWanted && isMissing) void bring();
    }, [isWanted, isMissing]);
    return useExternal(now, (script) => script);
  };
}

/**
 * What a window may never show, or late: its script is not read, and takes no memory, before it is shown first. Until it has come, which
 * takes some ms, nothing is shown. This is not React's `lazy`, which leaves a pane empty for 300 ms once it was empty at all.
 */
export function later<Props extends object>(load: Load<Props>): ComponentType<Props> {
  const useScript = script(load);
  return function Later(props: Props) {
    const { Component, error } = useScript(true);
    if (Component) return <Component {...props} />;
    return error && <ErrorState error={error} />;
  };
}

/** The same for a dialog: it comes when it is opened first. From that moment on no key reaches what lies behind. */
export function laterDialog<Props extends { open?: boolean; onClose: () => void }>(load: Load<Props>): ComponentType<Props> {
  const useScript = script(load);
  return function Later(props: Props) {
    const isOpen = props.open !== false;
    const { Component, error } = useScript(isOpen);
    useModalKeys(isOpen && Component === undefined);
    if (Component) return <Component {...props} />;
    return (
      isOpen &&
      error && (
        <Dialog open onClose={props.onClose} title={CODES[error.code]}>
          <ErrorState error={error} />
        </Dialog>
      )
    );
  };
}
