import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

// jsdom lays nothing out; lists need a size to have something in sight.
Object.defineProperties(HTMLElement.prototype, {
  offsetHeight: { configurable: true, get: () => 720 },
  offsetWidth: { configurable: true, get: () => 720 },
});
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollBy = () => undefined;

class NoResizes implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
globalThis.ResizeObserver = NoResizes;
