// `toolhost work` is killed before every step that changes a file or the state, from the claim of a task to the end of it.
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { parseDocument } from "../../../src/features/documents/document.js";
import { TASK } from "../../../src/features/documents/task.js";
import { OpenAiServer } from "../../harness/openai-server.js";
import { calls } from "../cli/agentRig.js";
import { builtCli, type Finished } from "../cli/built.js";
import { plantTree, treeOf } from "./tree.js";

/** Processes at a time: two cores, and each waits for its disk. */
const SIDE_BY_SIDE = 3;
const PATH = ".toolhost/tasks/a.md";
/**
 * Steps before which something is there that was not before the one before: within a transaction that is nothing, nor
 * is it while a temporary file is made ready. What is there before a BEGIN is there before the next step that counts,
 * too.
 */
const LEAVES =
  /^\d+ (?:open|writeFile|link|rename|rm|sqlite-exec COMMIT|sqlite-run (?:DELETE FROM claims|UPDATE sessions SET input))(?: |$)/;
const BEFORE = "---\ntitle: A\n---\nDo it.\n";

const cli = builtCli();
let base: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-work-")));
  await build({
    entryPoints: [fileURLToPath(new URL("preload.ts", import.meta.url))],
    outfile: join(base, "preload.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
  });
  return () => rm(base, { recursive: true, force: true });
});

/** Does the next task of a folder, with a model that ends it with these words. */
async function work(
  folder: string,
  server: OpenAiServer,
  words: string,
  faults: Record<string, string> = {},
): Promise<Finished & { asked: number }> {
  server.script(calls(["complete_task", { summary: words }]));
  const NODE_OPTIONS = `--require=${join(base, "preload.cjs")}`;
  const env = {
    ...process.env,
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "",
    OPENAI_MODEL: "test-model",
    ...(Object.keys(faults).length > 0 && { NODE_OPTIONS, ...faults }),
  };
  const ended = await cli.run(["work", "--once", "--tasks-only"], { cwd: folder, env });
  return { ...ended, asked: server.chats().length };
}

/** The task as its file is: never anything but one of the three that a worker writes, whole. */
async function statusOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, PATH), "utf8");
  const parsed = parseDocument(TASK, "a", text);
  if (!parsed.ok) {
    throw new Error(`torn: ${parsed.problem}: ${text}`);
  }
  const { fields, body } = parsed.document;
  expect([fields.title, body, text.endsWith("---\nDo it.\n")]).toEqual(["A", "Do it.", true]);
  expect(fields.output).toBe(fields.status === "complete" ? "First." : undefined);
  return text === BEFORE ? "untouched" : fields.status;
}

/** Another worker comes: the task is done by it, or was done. */
async function comeAfter(folder: string, server: OpenAiServer): Promise<string> {
  const left = await statusOf(folder).catch((error: NodeJS.ErrnoException) => {
    // Between taking the old file and naming the new one there is none, until the next process takes the change back.
    expect(error.code).toBe("ENOENT");
    return "between";
  });
  const { code, out, err, asked } = await work(folder, server, "Second.");
  const isDone = left === "complete" && !err.includes("which was rolled back");
  const [told, times] = isDone ? ["", 0] : ["task a: complete: Second.\n", 1];
  expect([left, code, out, asked]).toEqual([left, 0, told, times]);
  // A change of the task that was cut off is taken back: it was the one that took the task, or the one that ended it.
  if (!err.includes("which was rolled back")) {
    expect([left, err.includes("its previous worker is gone")]).toEqual([left, left === "in_progress"]);
  }
  expect(await readFile(join(folder, PATH), "utf8")).toContain(`status: complete`);
  expect(await readFile(join(folder, PATH), "utf8")).toContain(`output: ${isDone ? "First." : "Second."}`);
  expect(Object.keys(await treeOf(folder))).toEqual([".toolhost/", ".toolhost/tasks/", PATH]);
  return left;
}

it("leaves a task whole and has it done once, whenever the worker is killed", { timeout: 300_000 }, async () => {
  const whole = join(base, "whole");
  const log = join(base, "log");
  const server = await OpenAiServer.start();
  await plantTree(whole, { [PATH]: BEFORE });
  expect(await work(whole, server, "First.", { FAULT_LOG: log })).toMatchObject({
    code: 0,
    out: "task a: complete: First.\n",
    asked: 1,
  });
  await server.stop();
  const steps = (await readFile(log, "utf8")).trimEnd().split("\n");
  const [claimed, released] = ["INTO claims", "DELETE FROM claims"].map((statement) =>
    steps.findIndex((step) => step.includes(statement)),
  );
  // From before the claim to after its release: what comes then is not part of the task, and comes when there is time.
  const moments = steps.flatMap((step, index) =>
    index + 1 >= (claimed ?? 0) && index <= (released ?? 0) + 1 && LEAVES.test(step) ? [index + 1] : [],
  );
  const seen = new Map<string, number>();
  let unreached = 0;
  const planned = moments.length;
  const worker = async (): Promise<void> => {
    const model = await OpenAiServer.start();
    for (let killAt = moments.shift(); killAt !== undefined; killAt = moments.shift()) {
      const folder = join(base, `kill-${killAt}`);
      await plantTree(folder, { [PATH]: BEFORE });
      const ended = await work(folder, model, "First.", { FAULT_KILL_AT: String(killAt) });
      if (ended.signal === null) {
        // A run has a few steps more or less: where it waited for the state, say. This one came to its end before.
        expect(ended).toMatchObject({ code: 0, out: "task a: complete: First.\n" });
        unreached += 1;
      } else {
        expect([killAt, ended.signal]).toEqual([killAt, "SIGKILL"]);
      }
      const left = await comeAfter(folder, model).catch((error: unknown) => {
        throw new Error(
          `killed before step ${steps[killAt - 1] ?? ""}: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
      });
      seen.set(left, (seen.get(left) ?? 0) + 1);
      await rm(folder, { recursive: true });
    }
    await model.stop();
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  expect(unreached).toBeLessThan(planned / 10);
  // It was killed while it took the task, while it did it, and while it ended it.
  expect([...seen.keys()].filter((left) => left !== "between").sort()).toEqual([
    "complete",
    "in_progress",
    "untouched",
  ]);
});
