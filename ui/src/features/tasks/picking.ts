import { createContext } from "react";

/** Whether tasks are picked: then the keys that cancel, forget and tag are about them, and no longer about the task in hand. */
export const Picking = createContext(false);
