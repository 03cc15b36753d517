import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Waiting ends with what is waited for; the limit is for a machine that is busy with something else.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
});

// jsdom lays nothing out; lists need a size to have something in sight.
const SIDE = { configurable: true, get: () => 720 };
Object.defineProperties(HTMLElement.prototype, { clientHeight: SIDE, clientWidth: SIDE, offsetHeight: SIDE, offsetWidth: SIDE });
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollBy = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

class NoResizes implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
globalThis.ResizeObserver = NoResizes;
