/** The place of the servers, and the first page, which leads there: one script (`components/later.tsx`). */
export { FirstPlace } from "../first/FirstPlace";
export { ServersPlace } from "./ServersPlace";
