// Unit tests run in plain Node, side by side; end-to-end tests one after another, each file with a VS Code of its own.
import { defineConfig } from "vitest/config";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        // Real processes on a busy machine: a limit for what hangs, not for what is slow.
        test: { name: "unit", maxWorkers: 2, include: ["test/unit/**/*.test.ts"], globalSetup: ["test/harness/unit-state.ts"], testTimeout: 60_000 },
      },
      {
        root,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.e2e.test.ts"],
          setupFiles: ["test/harness/e2e-setup.ts"],
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A failing window is looked at, not tried again until it passes.
          retry: 0,
        },
      },
    ],
  },
});
