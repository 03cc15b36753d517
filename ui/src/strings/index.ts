/** Every text of the window. */
export * as t from "./en";

export * from "./codes";
export * from "./note";
export * from "./words";
