import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** A script of ASCII alone is kept by WebKit once, as the bytes that came; any other a second time, as text. */
const ascii: Plugin = {
  name: "ascii",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      // The escape would belong to the backslash.
      if (/\\[^\0-\x7f]/.test(chunk.code)) throw new Error("a backslash stands before a character that is not ASCII");
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
    }
  },
};

export default defineConfig(({ mode }) => ({
  // `preview-data` serves the window with sample data in a plain browser; production builds never see that folder.
  root: mode === "preview-data" ? "preview" : ".",
  plugins: [react(), ascii],
  clearScreen: false,
  server: { port: 1420, strictPort: true },
  build: {
    // The oldest web views that know `light-dark()`: WebKitGTK 2.46, Safari 17.5, Chromium 123.
    target: ["safari17.5", "chrome123"],
    // Everything comes as a file: the content security policy allows no inline scripts, styles or data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In KB. The first script comes out of the program itself, not over a network.
    chunkSizeWarningLimit: 600,
    // The styles are there from the start: what comes later finds them in force, in the order that they were written for.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What the lists need is one script, what several of those need that come later (`components/later.tsx`) another.
          groups: [
            { name: "index", tags: ["$initial"], priority: 1 },
            { name: "shared", minShareCount: 2 },
          ],
        },
      },
    },
  },
  test: {
    testTimeout: 20_000,
    // One core is left out otherwise: of two, half.
    maxWorkers: "100%",
    css: { modules: { classNameStrategy: "non-scoped" } },
    // What has no JSX needs no document, which is most of a test's start-up.
    projects: [
      { extends: true, test: { name: "plain", environment: "node", include: ["src/**/*.test.ts"] } },
      { extends: true, test: { name: "window", environment: "jsdom", include: ["src/**/*.test.tsx"], setupFiles: ["src/test/setup.ts"] } },
    ],
  },
}));
