import { count } from "../../format/size";

export const app = {
  name: "Signalbox",
  inbox: "Inbox",
  tasks: "Tasks",
  servers: "Servers",
  settings: "Settings",
  navigation: "Places",
  serverList: "Servers",
  retryIn: (time: string) => `retry ${time}`,
  signIn: "sign in",
  disabled: "off",
  unusable: "unusable",
  inboxCount: (n: number) => (n === 1 ? "1 open question" : `${count(n)} open questions`),
  taskCount: (n: number) => (n === 1 ? "1 task under way" : `${count(n)} tasks under way`),
  noServers: "None yet",
  addServer: "Add a server",
  offline: "The desk does not answer. What you see is what was seen last.",
  tryNow: "Try now",
  loading: "Loading",
  close: "Close",
  cancel: "Cancel",
  back: "Back",
  copy: "Copy",
  copied: "Copied",
  showAll: (n: number) => `Show all ${count(n)} characters`,
  showLess: "Show less",
  retry: "Try again",
  closing: {
    title: "Close Signalbox?",
    stops: (n: number) =>
      n === 1
        ? "1 task is not over. It goes on at its server, but nothing looks at it, answers for it or keeps its result while Signalbox is closed."
        : `${count(n)} tasks are not over. They go on at their servers, but nothing looks at them, answers for them or keeps their results while Signalbox is closed.`,
    plain: "A tool call that still waits for its first answer ends with the connection. Servers that run as programs of this window end too.",
    keep: "Keep following without a window: signalbox serve takes over, and results and questions are here when you come back.",
    keepFollowing: "Keep following",
    close: "Close",
    stay: "Stay",
  },
  help: {
    title: "Keyboard",
    groups: { move: "Move", answer: "Answer", task: "Tasks", window: "Window" },
    then: "then",
  },
};
