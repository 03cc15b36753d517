import { count } from "../../format/size";

const unfollowed = (n: number) =>
  n === 1
    ? "1 task goes on at its server. But until Signalbox is started again nobody follows it, notices its questions or keeps its result."
    : `${count(n)} tasks go on at their servers. But until Signalbox is started again nobody follows them, notices their questions or keeps their results.`;

const demoKept = (n: number) =>
  `Its ${n === 1 ? "task is" : `${count(n)} tasks are`} kept, and followed again when Signalbox is started again.`;

const these = (n: number) => (n === 1 ? "this task" : `these ${count(n)} tasks`);

const theOthers = (n: number) => (n === 1 ? "the other task" : `the other ${count(n)} tasks`);

const quitsDemo = (n: number) => `Quitting stops the demo. ${demoKept(n)}`;

export const app = {
  name: "Signalbox",
  navigation: "Places",
  viewList: "Views",
  serverList: "Servers",
  retryIn: (time: string) => `retry ${time}`,
  disabled: "off",
  health: {
    answers: "answers",
    answered: (ago: string) => `answered ${ago} ago`,
    once: "answered before",
    untried: "not tried yet",
    connecting: "connecting",
    unreachable: "unreachable",
    notReached: (ago: string) => `not reached ${ago} ago`,
    unusable: "unusable",
    notUsable: (ago: string) => `unusable ${ago} ago`,
    confirm: "confirm command",
    confirmBrief: "confirm",
    signIn: "sign in",
    unlock: "unlock secrets",
    unlockBrief: "unlock",
  },
  openServer: (word: string, server: string) => `${word}: show ${server}`,
  needYouAt: (n: number, server: string) => (n === 1 ? `1 question of ${server} needs you` : `${count(n)} questions of ${server} need you`),
  underWayAt: (n: number, server: string) => (n === 1 ? `1 task of ${server} under way` : `${count(n)} tasks of ${server} under way`),
  inboxCount: (n: number) => (n === 1 ? "1 open question" : `${count(n)} open questions`),
  taskCount: (n: number) => (n === 1 ? "1 task under way" : `${count(n)} tasks under way`),
  noServers: "none yet",
  addServer: "Add a server",
  offline: "This window gets no answer. It shows what was last known.",
  tryNow: "Try now",
  details: "Details",
  putAway: "Hide this until it changes",
  loading: "Loading",
  noScript: "A part of this window could not be loaded. Close the window and open it again.",
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  showAll: (n: number) => `Show all ${count(n)} characters`,
  showLess: "Show less",
  formatted: "Show formatted",
  asSent: "Show as sent",
  redacted: "Where the server repeated a secret that Signalbox had given it, this text says [redacted]. The server may also have written [redacted] itself.",
  noArguments: "none",
  moreArguments: (n: number) => (n === 1 ? "Show 1 more argument" : `Show ${count(n)} more arguments`),
  moreCharacters: (n: number) => (n === 1 ? "Show 1 more character" : `Show ${count(n)} more characters`),
  retry: "Try again",
  closing: {
    title: { close: "Close Signalbox?", quit: "Quit Signalbox?" },
    live: (n: number) => (n === 1 ? "1 task is not over." : `${count(n)} tasks are not over.`),
    ends: {
      window: (n: number) =>
        n === 1 ? "1 ends with this window and cannot be resumed:" : `${count(n)} end with this window and cannot be resumed:`,
      signalbox: (n: number) =>
        n === 1 ? "1 ends with Signalbox and cannot be resumed:" : `${count(n)} end with Signalbox and cannot be resumed:`,
      command: (n: number) =>
        n === 1
          ? "1 ends with the signalbox command that follows it and cannot be resumed:"
          : `${count(n)} end with the signalbox command that follows them and cannot be resumed:`,
      serve: (n: number) =>
        n === 1
          ? "1 ends with the background program and cannot be resumed:"
          : `${count(n)} end with the background program and cannot be resumed:`,
    },
    why: {
      program: {
        window: "its server is a program that this window runs",
        signalbox: "its server is a program that Signalbox runs",
        command: "its server is a program that the command runs",
        serve: "its server is a program that the background program runs",
      },
      waits: {
        window: "the call waits for its answer on this window's connection",
        signalbox: "the call waits for its answer on Signalbox's connection",
        command: "the call waits for its answer on the command's connection",
        serve: "the call waits for its answer on the background program's connection",
      },
    },
    nothing: { close: "Everything has ended meanwhile. Closing stops nothing.", quit: "Everything has ended meanwhile. Quitting stops nothing." },
    more: (n: number) => `and ${count(n)} more`,
    unnamed: (n: number) => (n === 1 ? "a task of a server that is a program" : `${count(n)} tasks of servers that are programs`),
    unsure: "Not everything could be checked. More may be lost than this says.",
    unknown:
      "Signalbox could not find out in time what would stop. Tasks may end, and answers within their undo time may go back to drafts.",
    goOn: {
      window: unfollowed,
      signalbox: unfollowed,
      serve: unfollowed,
      command: (n: number) =>
        n === 1
          ? "1 task goes on at its server. A signalbox command follows it for as long as it runs. After that, nobody does until Signalbox is started again."
          : `${count(n)} tasks go on at their servers. A signalbox command follows them for as long as it runs. After that, nobody does until Signalbox is started again.`,
    },
    demo: {
      window: (n: number) => `Closing stops the demo. ${demoKept(n)}`,
      signalbox: quitsDemo,
      serve: quitsDemo,
      command: (n: number) => `The demo stops when the signalbox command ends. ${demoKept(n)}`,
    },
    forgotten: "Their secrets or sign-ins are kept for this run only. These servers wait until you enter them or sign in again:",
    unseen: (notifies: boolean) =>
      `Nothing stops: the background program goes on following your tasks. But there is no tray here that shows it. ${
        notifies ? "Until you open Signalbox again you hear of it by notifications only." : "You hear nothing of it until you open Signalbox again."
      } You can quit it as well.`,
    held: (n: number, how: "close" | "quit") =>
      n === 1
        ? `1 answer is within its undo time. If it has not gone out when you ${how}, it goes back to a draft.`
        : `${count(n)} answers are within their undo time. What has not gone out when you ${how} goes back to drafts.`,
    keep: (n: number, notifies: boolean, loses: boolean) =>
      `“Keep following” starts signalbox serve, which goes on with ${(loses ? theOthers : these)(n)} in the background. It ${notifies ? "notifies you and " : ""}sends what you have answered.${loses ? " What ends is lost all the same." : ""}`,
    secretsEnd: "Secrets and sign-ins kept for this run only are not passed on. Servers that need them wait until you enter them again.",
    keepFollowing: "Keep following",
    close: { close: "Close", quit: "Quit" },
    quitting: "Quitting",
    notClosed: "The window is still open.",
    stay: "Stay",
    handingOver: "Handing over",
    waitFor: { when: "Close when", hasEnded: "has ended" },
    wait: (n: number) => (n === 1 ? "Close when that task has ended" : `Close when these ${count(n)} have ended`),
    waiting: (n: number) =>
      n === 1
        ? "Signalbox closes when 1 task has ended. What goes on at its server is followed in the background."
        : `Signalbox closes when ${count(n)} tasks have ended. What goes on at its server is followed in the background.`,
    waitingLast: "Signalbox is about to close.",
    waitNoMore: "Do not close",
  },
  version: {
    older: (theirs: string, ours: string) =>
      `The background program is Signalbox ${theirs}, older than this window, which is ${ours}. Restart it, so that both are alike.`,
    newer: (theirs: string, ours: string) =>
      `The background program is Signalbox ${theirs}, newer than this window, which is ${ours}. Close this window and open the newer Signalbox.`,
    other: (theirs: string, ours: string) => `The background program is Signalbox ${theirs}. This window is Signalbox ${ours}.`,
    restart: "Restart the background program",
    title: "Restart the background program?",
    goesOn: "Tasks at their servers go on, and the new program follows them. Drafts stay.",
    held: (n: number) =>
      n === 1
        ? "1 answer is within its undo time. It goes out all the same, unless its question ends with the connection it came on: then it is a draft again."
        : `${count(n)} answers are within their undo time. They go out all the same, unless their question ends with the connection it came on: then they are drafts again.`,
    locked: "The encrypted file of secrets may have to be unlocked again. Servers that need it wait until then.",
    unknown:
      "The background program is of another version, so nobody can ask it what it is doing. Tasks of servers that are programs, and calls that wait for their answer, would be lost. Secrets and sign-ins kept for one run only would have to be given again.",
    confirm: "Restart",
    later: "Not now",
    failed: "The background program was not restarted.",
  },
  news: {
    label: "News",
    questions: (n: number) => (n === 1 ? "A question has come: 1 is open." : `A question has come: ${count(n)} are open.`),
    again: (n: number) => (n === 1 ? "A question needs you again: 1 is open." : `A question needs you again: ${count(n)} are open.`),
    expiring: (n: number) => (n === 1 ? "1 question expires soon." : `${count(n)} questions expire soon.`),
    ended: (n: number) => (n === 1 ? "A task has ended." : `${count(n)} tasks have ended.`),
  },
  help: {
    title: "Keyboard",
    pickRange: "Pick or unpick up to the next",
    groups: { move: "Move", answer: "Answer", task: "Tasks", window: "Window" },
  },
};
