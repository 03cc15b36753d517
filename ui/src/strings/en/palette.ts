import { count } from "../../format/size";

export const palette = {
  field: "Search tasks, questions, tools, servers and actions",
  found: "Found",
  number: (n: number) => (n === 1 ? "1 entry" : `${count(n)} entries`),
  groups: {
    recent: "Recent",
    tool: "Start a tool",
    request: "Questions",
    task: "Tasks",
    view: "Saved views",
    server: "Servers",
    own: "Places and actions",
  },
  kinds: { tool: "tool", request: "question", task: "task", view: "saved view", server: "server" },
  left: "left",
  none: "Nothing matches",
  reading: "Tasks and questions are still being read. More may match.",
  setting: (section: string) => `Settings: ${section}`,
  settingIn: (section: string, setting: string) => `Settings: ${section}: ${setting}`,
};
