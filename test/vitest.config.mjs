// Unit and system tests run in plain Node; of end-to-end tests two files at a time, each with a VS Code of its own.
import { defineConfig } from "vitest/config";
import { fileURLToPath } from "node:url";
import { SuitesFirst } from "./harness/suites-first.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

// Two cores are busy with two: a third file only makes all of them slower.
const workers = 2;

// The tables of the file tools run over a client of sandboxes then (CONTRIBUTING.md).
const client = process.env.TOOLHOST_TEST_HOST;

/** @param {"unit" | "system"} name of the project and its folder in test */
const inNode = (name) => ({
  root,
  // Real processes on a busy machine: a limit for what hangs, not for what is slow. The files of a worker share its
  // process: to start one for each, and to load all of src into it again, takes a third of a second of processor time.
  test: {
    name,
    maxWorkers: workers,
    isolate: false,
    include: [`test/${name}/**/*.test.ts`],
    globalSetup: [
      "test/harness/node-state.ts",
      ...(client === "ssh" ? ["test/harness/sshd.ts"] : client === "podman" ? ["test/harness/podman.ts"] : []),
    ],
    ...(client !== undefined && { setupFiles: ["test/harness/departures.ts"] }),
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
  },
});

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: SuitesFirst },
    projects: [
      inNode("unit"),
      inNode("system"),
      {
        root,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.e2e.test.ts"],
          setupFiles: ["test/harness/e2e-setup.ts"],
          // The files of a worker share its process, and with it one browser; windows and servers end with each file.
          isolate: false,
          maxWorkers: workers,
          testTimeout: 480_000,
          hookTimeout: 480_000,
          // A failing window is looked at, not tried again until it passes.
          retry: 0,
        },
      },
    ],
  },
});
