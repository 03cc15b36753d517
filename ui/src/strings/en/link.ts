export const link = {
  offer: {
    title: "A link offers a server",
    says: "Any page or program can make such a link. Nothing was added, and nothing was asked or started. The form shows all of it, and there you decide.",
    name: "Name",
    text: "Server",
    look: "Look at it in the form",
    leave: "Leave it",
  },
  nowhere: {
    title: "This link leads nowhere",
    why: (why: string) => `Nothing was done, because ${why}.`,
    close: "Close",
  },
};
