// Named one by one, so that a bundler follows `t.servers` to its file and leaves the words of a place to the place's own script.
export { actions } from "./actions";
export { app } from "./app";
export { filter } from "./filter";
export { first } from "./first";
export { forms } from "./forms";
export { inbox } from "./inbox";
export { link } from "./link";
export { palette } from "./palette";
export { result } from "./result";
export { secrets } from "./secrets";
export { servers } from "./servers";
export { settings } from "./settings";
export { start } from "./start";
export { tasks } from "./tasks";
export { units } from "./units";
