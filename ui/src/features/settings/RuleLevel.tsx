import { t } from "../../strings";
import type { NotifyLevel } from "../../types";
import { chosenLevel, levelAbove, withLevel, type RuleOf } from "./rules";
import { SelectSetting } from "./SelectSetting";
import type { EditedSettings } from "./useSettings";

/** The levels, the loudest first. */
export const LEVELS = Object.entries(t.settings.levels) as [NotifyLevel, string][];

interface Props {
  edited: EditedSettings;
  of: RuleOf;
  label: string;
}

/** How much is told of a server or of one of its tools; first of all as of what is above it. */
export function RuleLevel({ edited, of, label }: Props) {
  const all = edited.chosen.notifications;
  const above = t.settings.sameAs(t.settings.levels[levelAbove(all, of)], of.tool !== undefined);
  const options: [NotifyLevel | "above", string][] = [["above", above], ...LEVELS];
  return (
    <SelectSetting
      label={label}
      value={chosenLevel(all, of) ?? "above"}
      options={options}
      onChange={(level) => void edited.save("notifications", withLevel(all, of, level === "above" ? undefined : level))}
      saving={undefined}
    />
  );
}
