// What a host lacks: a part of what a tool needs, and an undo journal.
import { expect, test } from "vitest";
import * as z from "zod";
import { RecentActivity } from "../../../../src/core/pipeline/activity.js";
import { defineTool } from "../../../../src/core/defineTool.js";
import { ToolError } from "../../../../src/core/errors.js";
import { PathGate } from "../../../../src/core/paths/pathGate.js";
import { Pipeline, type Caller, type PipelineHost } from "../../../../src/core/pipeline/pipeline.js";
import { Registry } from "../../../../src/core/registry.js";
import type { Question } from "../../../../src/ports/confirm.js";
import type { Files } from "../../../../src/ports/files.js";
import { FakeDisk, rootAt } from "../../features/changes/fakeDisk.js";

const common = {
  group: "fs",
  title: "Sample",
  description: "Does nothing.",
  input: () => z.object({ path: z.string().describe("A path."), url: z.boolean().optional().describe("A site.") }),
  output: () => z.object({}),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  summary: ({ path }: { path: string }) => `Sample ${path}`,
} as const;

const half = defineTool({
  ...common,
  name: "half",
  needs: ["files", "http"],
  canLack: ["http"],
  touches: ({ path }) => [{ kind: "read", path }],
  execute: async ({ url = false }, { http, signal }) => {
    // What a host lacks may be awaited, and resolves to itself.
    const given = await Promise.resolve(http);
    await (url && given.send({ url: "https://a.example/", method: "GET" } as never, signal));
    return { text: "done", data: {} };
  },
});
const whole = defineTool({
  ...common,
  name: "whole",
  needs: ["files", "http"],
  touches: ({ path }) => [{ kind: "read", path }],
  execute: () => expect.fail("it ran"),
});
const change = defineTool({
  ...common,
  name: "change",
  annotations: { ...common.annotations, readOnly: false },
  needs: ["files", "changes"],
  touches: ({ path }) => [{ kind: "write", path }],
  execute: () => expect.fail("it ran"),
});

function rig(changes?: PipelineHost["changes"]): { pipeline: Pipeline; asked: Question[]; model: Caller } {
  const asked: Question[] = [];
  const registry = new Registry([half, whole, change]);
  const disk = new FakeDisk({ roots: [rootAt("/work")], paths: ["/work/a"] });
  const pipeline = new Pipeline({
    registry,
    capabilities: { files: { resolve: (path: string) => new PathGate(disk).resolve(path) } as Files },
    ...(changes && { changes }),
    settings: () => ({
      ...{ mode: "default", trusted: true, defaultTimeout: 30_000, timeoutSetBy: "x" },
      isGroupEnabled: () => true,
    }),
    ...{ activity: new RecentActivity(), now: Date.now },
  });
  const { signal } = new AbortController();
  const confirm = { ask: async (question: Question) => (asked.push(question), "once" as const) };
  return {
    ...{ pipeline, asked },
    model: { session: "s", door: "lm", authority: "model", reads: "ask", signal, confirm } as unknown as Caller,
  };
}

test("a tool works without what it can lack, and says of a call that uses it what is missing", async () => {
  const { pipeline, model } = rig();
  expect(pipeline.available().map(({ name }) => name)).toContain("half");
  expect(pipeline.available().map(({ name }) => name)).not.toContain("whole");
  expect(await pipeline.invoke("half", { path: "a" }, model)).toMatchObject({ ok: true, text: "done" });
  expect(await pipeline.invoke("half", { path: "a", url: true }, model)).toMatchObject({
    ok: false,
    error: {
      type: "unavailable",
      message: "half needs http for that, which is not available here.",
      hint: "Its other calls work. Go on without this one, or tell the user what is missing.",
    },
  });
  expect(await pipeline.invoke("whole", { path: "a" }, model)).toMatchObject({
    ok: false,
    error: { type: "unavailable" },
  });
});

test("nobody is asked about a change that cannot be made, at any door", async () => {
  const refused = new ToolError("unavailable", "Nothing was changed: open in another tab.", "Go on there.");
  const { pipeline, model, asked } = rig({
    ...{ undoable: async () => false, refusal: async () => refused },
    ...{ hasSeen: async () => true, forCall: () => ({}) as never },
  });
  expect(await pipeline.prepare("change", { path: "a" }, model)).toMatchObject({ question: undefined });
  expect(await pipeline.invoke("change", { path: "a" }, model)).toMatchObject({
    ok: false,
    error: { type: "unavailable", message: refused.message, hint: refused.hint },
  });
  expect(asked).toEqual([]);
  // Reading asks and works as before.
  expect(await pipeline.invoke("half", { path: "a" }, model)).toMatchObject({ ok: true });
});

test("a change that can be made is still asked about where it could not be undone", async () => {
  const { pipeline, model } = rig({
    ...{ undoable: async () => false, refusal: async () => undefined },
    ...{ hasSeen: async () => true, forCall: () => ({}) as never },
  });
  expect((await pipeline.prepare("change", { path: "a" }, model)).question).toBeDefined();
});
