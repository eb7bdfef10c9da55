import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { ripgrepWasm } from "../../../../scripts/bundles.mjs";
import type { Ripgrep } from "../../../../src/hosts/ripgrep/ripgrep.js";
import type { FromWorker } from "../../../../src/hosts/web/ripgrep/messages.js";
import { ripgrepInThreads, type Thread } from "../../../../src/hosts/web/ripgrep/workers.js";

/** Matches a text that has these words. */
const containing = (words: string): unknown => expect.stringContaining(words);

const program = ripgrepWasm();

/** The thread's own program, in a thread of Node that has a browser's names. */
const worker = build({
  entryPoints: [join(import.meta.dirname, "../../../../src/hosts/web/ripgrep/worker.ts")],
  ...{ bundle: true, write: false, platform: "browser", format: "iife", target: "es2022" },
}).then(
  ({ outputFiles: [file] }) =>
    `const { parentPort } = require("node:worker_threads");
     globalThis.postMessage = (data) => parentPort.postMessage(data);
     parentPort.on("message", (data) => globalThis.onmessage({ data }));
     ${file?.text ?? ""}`,
);

/** Searches as in a browser's tab. */
function searcher(): { run: Ripgrep; started: () => number; ended: () => number } {
  let started = 0;
  let ended = 0;
  const run = ripgrepInThreads({
    program: () => program,
    start: async () => {
      started++;
      const thread = new Worker(await worker, { eval: true });
      onTestFinished(async () => void (await thread.terminate()));
      const seen: Thread = {
        onmessage: null,
        onerror: null,
        postMessage: (message) => thread.postMessage(message),
        terminate: () => {
          ended++;
          void thread.terminate();
        },
      };
      thread.on("message", (data: FromWorker) => seen.onmessage?.({ data }));
      thread.on("error", ({ message }) => seen.onerror?.({ message }));
      return seen;
    },
  });
  return { run, started: () => started, ended: () => ended };
}

const { signal } = new AbortController();

async function lines(
  run: Ripgrep,
  input: string,
  ...args: string[]
): Promise<{ code: unknown; lines: string[]; errors: string }> {
  const found: string[] = [];
  const { exitCode, errors } = await run({
    ...{ args: ["--no-config", ...args, "--", "-"], cwd: "/", input, signal },
    onLine: (line) => found.push(line),
  });
  return { code: exitCode, lines: found, errors };
}

it("searches texts with ripgrep itself, many at a time in two threads", async () => {
  const { run, started } = searcher();
  const texts = Array.from({ length: 12 }, (_, index) => `größe\nmatch ${index}\n`);
  const all = await Promise.all(texts.map((text) => lines(run, text, "--line-number", "--regexp=match \\d+")));
  expect(all.map(({ lines: found }) => found)).toEqual(texts.map((_, index) => [`2:match ${index}`]));
  expect(await lines(run, "nothing", "--regexp=match")).toEqual({ code: 1, lines: [], errors: "" });
  expect(started()).toBe(2);
});

it("gives lines whole, however large the output is", async () => {
  const { run } = searcher();
  const text = Array.from({ length: 50_000 }, (_, index) => `ä${index} of many`).join("\n");
  const { lines: found } = await lines(run, text, "--regexp=of many");
  expect(found.join("\n")).toBe(text);
});

it("says in ripgrep's words what is wrong with a pattern, and that there is no PCRE2", async () => {
  const { run } = searcher();
  expect(await lines(run, "", "--regexp=(")).toMatchObject({
    code: 2,
    errors: containing("unclosed group"),
  });
  expect((await lines(run, "", "--pcre2", "--regexp=a(?=b)")).errors).toContain("PCRE2 is not available");
});

it("ends the thread of a search that is stopped, and goes on with another", async () => {
  const { run, ended } = searcher();
  const controller = new AbortController();
  const stopped = run({
    // As slow as a pattern gets in linear time.
    ...{ args: ["--no-config", "--regexp=(x+x+)+y", "--regexp=\\w{400}\\W", "--", "-"], cwd: "/" },
    ...{ input: `${"x".repeat(200_000)}\n`.repeat(200), signal: controller.signal, onLine: () => undefined },
  });
  setTimeout(() => controller.abort(), 50);
  expect((await stopped).exitCode).toBeUndefined();
  expect(ended()).toBe(1);
  expect((await lines(run, "found", "--regexp=found")).lines).toEqual(["found"]);
});

it("waits for no thread beyond its signal, and starts no third one", async () => {
  const { run, started } = searcher();
  const slow = (stop: AbortSignal): ReturnType<Ripgrep> =>
    run({
      ...{ args: ["--no-config", "--regexp=\\w{400}\\W", "--", "-"], cwd: "/", signal: stop, onLine: () => undefined },
      input: `${"x".repeat(200_000)}\n`.repeat(200),
    });
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const busy = [slow(first.signal), slow(second.signal)];
  const waits = slow(third.signal);
  third.abort();
  expect((await waits).exitCode).toBeUndefined();
  const next = lines(run, "found", "--regexp=found");
  first.abort();
  second.abort();
  await Promise.all(busy);
  expect((await next).lines).toEqual(["found"]);
  expect(started()).toBeLessThanOrEqual(3);
});

it("fails with the reason where no thread can be started", async () => {
  const run = ripgrepInThreads({
    program: () => program,
    start: () => Promise.reject(new Error("blocked by the page")),
  });
  await expect(lines(run, "", "--regexp=a")).rejects.toMatchObject({
    type: "unavailable",
    message: containing("blocked by the page"),
  });
  // Nobody waits for a thread that never came.
  await expect(lines(run, "", "--regexp=a")).rejects.toMatchObject({ type: "unavailable" });
  await expect(lines(run, "", "--regexp=a")).rejects.toMatchObject({ type: "unavailable" });
});

it("fails where the thread crashes", async () => {
  const seen: Thread = {
    ...{ onmessage: null, onerror: null, terminate: () => undefined },
    postMessage: (message) => "args" in message && queueMicrotask(() => seen.onerror?.({ message: "out of memory" })),
  };
  const run = ripgrepInThreads({
    program: () => readFile(join(import.meta.dirname, "none")).catch(() => program),
    start: async () => seen,
  });
  await expect(lines(run, "", "--regexp=a")).rejects.toMatchObject({ message: "ripgrep failed: out of memory" });
});
