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
  noServers: "none yet",
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
    live: (n: number) => (n === 1 ? "1 task is not over." : `${count(n)} tasks are not over.`),
    goOn: {
      window:
        "Tasks go on at their servers. But nobody looks at them, notices their questions or keeps their results until Signalbox is started again.",
      command:
        "A signalbox command follows them for as long as it runs. When it ends, nobody looks at them, notices their questions or keeps their results until Signalbox is started again.",
    },
    plain: {
      window: "Tool calls that still wait for their first answer end, and so do servers that run as programs of this window, often with their tasks.",
      command:
        "With it end tool calls that still wait for their first answer, and servers that run as its programs, often with their tasks.",
    },
    keep: "Keep following lets signalbox serve go on in the background: it follows the tasks and notifies you, and all is here when you come back.",
    secretsEnd: "Secrets and sign-ins that are kept for this run only are not handed on: servers that need them wait until they are given again.",
    keepFollowing: "Keep following",
    close: "Close",
    notClosed: "The window is still open.",
    stay: "Stay",
    handingOver: "Handing over",
  },
  help: {
    title: "Keyboard",
    groups: { move: "Move", answer: "Answer", task: "Tasks", window: "Window" },
    then: "then",
  },
};
