// Unit tests run in plain Node, side by side; of end-to-end tests two files at a time, each with a VS Code of its own.
import { defineConfig } from "vitest/config";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** They build, package or set up this checkout, which others load at the same time. */
const alone = ["test/e2e/harness.e2e.test.ts", "test/e2e/vsix.e2e.test.ts"];

/** @param {{ name: string, include: string[], exclude: string[], maxWorkers: number, groupOrder: number }} files */
const windows = ({ name, include, exclude, maxWorkers, groupOrder }) => ({
  root,
  test: {
    name,
    include,
    exclude,
    setupFiles: ["test/harness/e2e-setup.ts"],
    // The files of a worker share its process, and with it one browser; windows and servers end with each file.
    isolate: false,
    maxWorkers,
    fileParallelism: maxWorkers > 1,
    sequence: { groupOrder },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A failing window is looked at, not tried again until it passes.
    retry: 0,
  },
});

export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        // Real processes on a busy machine: a limit for what hangs, not for what is slow. The files of a worker share its
        // process: to start one for each, and to load all of src into it again, takes a third of a second of processor time.
        test: { name: "unit", maxWorkers: 2, isolate: false, include: ["test/unit/**/*.test.ts"], globalSetup: ["test/harness/unit-state.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      windows({ name: "e2e", include: ["test/e2e/**/*.e2e.test.ts"], exclude: alone, maxWorkers: 2, groupOrder: 1 }),
      windows({ name: "e2e-alone", include: alone, exclude: [], maxWorkers: 1, groupOrder: 2 }),
    ],
  },
});
