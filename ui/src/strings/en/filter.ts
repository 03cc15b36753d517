export const filter = {
  offers: "Suggestions",
  drop: (token: string) => `Remove ${token} from the filter`,
  allServers: {
    tasks: (name: string) => `Only tasks of ${name} are listed. Press to list the tasks of all servers`,
    inbox: (name: string) => `Only questions of ${name} are listed. Press to list the questions of all servers`,
  },
  noMatch: "Try another word, or clear the filter.",
  looking: "Still looking …",
  lookingHint: "Not all rows have been looked through yet, nor all that was sent and came back.",
  clear: "Clear the filter",
};
