import { Tabs as Base } from "@base-ui/react/tabs";

import css from "./Tabs.module.css";

interface Props<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  tabs: readonly { value: T; label: string; count?: number | undefined }[];
}

/** A row of tabs. What they show is up to the place that holds them. */
export function Tabs<T extends string>({ label, value, onChange, tabs }: Props<T>) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as T)} className={css.root}>
      <Base.List className={css.list} aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={css.tab}>
            {tab.label}
            {tab.count !== undefined && <span className={css.count}>{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
    </Base.Root>
  );
}
