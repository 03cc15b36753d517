export const filter = {
  offers: "Suggestions",
  drop: (token: string) => `Remove ${token} from the filter`,
  allServers: {
    tasks: (name: string) => `Only tasks of ${name} are listed. Press to list the tasks of all servers`,
    inbox: (name: string) => `Only questions of ${name} are listed. Press to list the questions of all servers`,
  },
  noMatch: "Try another word, or clear the filter.",
  clear: "Clear the filter",
};
