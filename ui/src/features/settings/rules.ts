import type { NotifyLevel, NotifyRules, ServerId } from "../../types";

/** What a rule is for: a server, or one of its tools. */
export interface RuleOf {
  server: ServerId;
  tool?: string;
}

/** The level that was chosen for it, where one was. */
export function chosenLevel({ rules }: NotifyRules, of: RuleOf): NotifyLevel | undefined {
  return rules.find((rule) => isOf(rule, of))?.level;
}

/** The level that is in force where none is chosen for it: a tool has its server's, a server that of all. */
export function levelAbove(all: NotifyRules, { server, tool }: RuleOf): NotifyLevel {
  return (tool === undefined ? undefined : chosenLevel(all, { server })) ?? all.level;
}

/** The rules with another level for it; without one it has none of its own. */
export function withLevel(all: NotifyRules, of: RuleOf, level: NotifyLevel | undefined): NotifyRules {
  const others = all.rules.filter((rule) => !isOf(rule, of));
  return { ...all, rules: level === undefined ? others : [...others, { ...of, level }] };
}

function isOf(rule: RuleOf, { server, tool }: RuleOf): boolean {
  return rule.server === server && rule.tool === tool;
}
