import { count } from "../../format/size";

const servers = (n: number) => (n === 1 ? "1 server" : `${count(n)} servers`);
const files = (n: number) => (n === 1 ? "1 configuration" : `${count(n)} configurations`);

export const first = {
  title: "Long-running work, watched from one desk",
  intro:
    "Agents start deployments, builds and research through MCP servers. Signalbox keeps every task, puts each question in front of you as a form, and keeps the results.",
  try: {
    title: "Try it with the demo",
    hint: "Starts a demo deployment and a build on this machine. Nothing real is deployed. The first question arrives in a few seconds.",
    short: "The demo runs on this machine and touches nothing real. Its first question arrives in a few seconds.",
    start: "Start the demo",
    starting: "Starting the demo",
    notStarted: "The demo did not start",
  },
  bring: {
    title: "Bring your servers",
    looking: "Looking for servers in the configurations of other programs",
    found: (n: number, from: number) => `${servers(n)} in ${files(from)} of other programs on this machine. Nothing runs before you confirm it.`,
    none: "No servers were found in the configurations of Claude, Cursor, VS Code and Windsurf. You can paste a configuration.",
    failed: "The configurations of other programs cannot be read now. You can paste one.",
    choose: "Choose servers",
    paste: "Paste a configuration",
  },
  add: {
    title: "Add a server",
    hint: "Paste what you have, or fill in a form.",
    open: "Open the form",
  },
  foot: "Nothing leaves this machine except the requests to your servers. No account, no telemetry.",
  demo: {
    title: "Demo",
    here: "The demo server is one of your servers. It runs on this machine and touches nothing real.",
    remove: "Remove the demo",
    removing: "Removing the demo",
    confirm: "Remove the demo?",
    means: "Its server, its tasks, their questions, results and drafts are deleted here, and what it is doing stops. This cannot be undone. The log of decisions keeps its entries.",
    keep: "Keep it",
    notRemoved: "The demo was not removed completely",
  },
  guide: {
    label: "Guide",
    end: "End the guide",
    next: "Next",
    done: "Done",
    steps: {
      coming: {
        title: "The demo is at work",
        text: "It deploys one service and builds another. Before the deployment goes to production, it asks you here.",
      },
      question: {
        title: "A question",
        text: "The demo waits for you. Check who asks, and for which tool call. Then fill in the form and review your answer. Nothing goes out until you send it.",
      },
      review: {
        title: "The review",
        text: "This is the exact text that the server gets. Send it, or keep editing.",
      },
      undo: {
        title: "Time to undo",
        text: "Your answer has not been sent yet. Undo takes it back, with everything you filled in. Or just wait.",
      },
      receipt: {
        title: "The receipt",
        text: "It shows what you decided, when it was sent, and when the server took it. Show task leads to the task and what comes of it.",
      },
      result: {
        title: "The result",
        text: "The task has ended. Its result is kept here, even after the server has forgotten it.",
      },
      notification: {
        title: "Notifications",
        text: "You do not have to watch. If notifications are on and work here, one tells you when a task needs you and when it ends. Try one here.",
      },
      follow: {
        title: "Without a window",
        text: "Signalbox can follow your tasks without a window.",
      },
    },
    goesOn: "Closing this window stops nothing. Signalbox goes on following your tasks until you quit. Its icon, where your desktop shows one, brings the window back. So does starting Signalbox again.",
    serve: {
      means: "To have it do so, choose “Keep following” where closing this window offers it. Or close the window, then run this command in a terminal. While it runs, you can open and close the window as you like:",
      command: (home: string) => `signalbox serve --home ${home}`,
    },
  },
};
