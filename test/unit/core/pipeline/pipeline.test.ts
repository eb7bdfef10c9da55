import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { ActivityEntry, CallStart } from "../../../../src/core/pipeline/activity.js";
import type { Tool, ToolContext } from "../../../../src/core/contract.js";
import { defineTool } from "../../../../src/core/defineTool.js";
import { Cancelled, ToolError } from "../../../../src/core/errors.js";
import { PathGate } from "../../../../src/core/paths/pathGate.js";
import { Pipeline, type Caller, type PipelineSettings } from "../../../../src/core/pipeline/pipeline.js";
import { Registry } from "../../../../src/core/registry.js";
import type { CapabilityName } from "../../../../src/ports/capabilities.js";
import type { Question } from "../../../../src/ports/confirm.js";
import type { Files } from "../../../../src/ports/files.js";
import type { Search } from "../../../../src/ports/search.js";
import { FakeDisk, rootAt } from "../../features/changes/fakeDisk.js";
import { sample, toolLike } from "../someTool.js";

/** A capability of which only the named part is there: what a tool may not touch is not. */
const partOf = <T>(part: Partial<T>): T => part as T;

const never = new AbortController().signal;

interface Rig {
  pipeline: Pipeline;
  registry: Registry;
  /** Changed by a test to change the settings. */
  settings: PipelineSettings;
  activity: ActivityEntry[];
  /** What was asked, in order. */
  asked: Question[];
  /** A model at a door that can ask and gets the answer `yes` unless told otherwise. */
  model: Caller;
  disk: { links: Record<string, string> };
  /** From now on the log throws. */
  failRecords: () => void;
}

function rig(
  tools: readonly Tool[],
  answer: (question: Question, signal: AbortSignal) => Promise<boolean> = async () => true,
  began?: (call: CallStart) => void,
): Rig {
  const registry = new Registry();
  tools.forEach((tool) => registry.register(tool));
  const disk = { links: { "/work/link": "/work/.git" } as Record<string, string> };
  const files = partOf<Files>({
    resolve: (path) =>
      new PathGate(
        new FakeDisk({
          roots: [rootAt("/work")],
          paths: ["/work/a", "/work/b", "/work/.git/hooks", "/work/.env", "/etc/passwd"],
          links: disk.links,
        }),
      ).resolve(path),
  });
  const settings: PipelineSettings = {
    mode: "default",
    trusted: true,
    defaultTimeout: 30_000,
    timeoutSetBy: "the setting x",
    isGroupEnabled: () => true,
  };
  const activity: ActivityEntry[] = [];
  let failing = false;
  let time = 1_000;
  const pipeline = new Pipeline({
    registry,
    capabilities: { files, search: partOf<Search>({}) },
    settings: () => settings,
    activity: {
      ...(began && { began }),
      record: (entry) => {
        if (failing) {
          throw new Error("Channel has been closed");
        }
        activity.push(entry);
      },
    },
    now: () => time++,
  });
  const asked: Question[] = [];
  const model: Caller = {
    door: "lm",
    session: "s",
    signal: never,
    authority: "model",
    confirm: {
      ask: async (question, signal) => {
        asked.push(question);
        return (await answer(question, signal)) ? "once" : "no";
      },
    },
  };
  return { pipeline, registry, settings, activity, asked, model, disk, failRecords: () => void (failing = true) };
}

/** A tool that writes `path` and tells what it was handed. */
function writer(more: Partial<Tool> = {}): { tool: Tool; ran: unknown[] } {
  const ran: unknown[] = [];
  const base = defineTool({
    name: "put",
    group: "fs",
    title: "Put",
    description: "Puts.",
    input: () => z.object({ path: z.string().describe("Where.") }),
    aliases: { file: "path" },
    output: () => z.object({ path: z.string() }),
    needs: [],
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    touches: ({ path }) => [{ kind: "write", path }],
    summary: ({ path }) => `Putting ${path}`,
    preview: async ({ path }) => ({ language: "diff", text: `+${path}`, plan: `plan for ${path}` }),
    execute: async ({ path }, _context, plan: string | undefined) => {
      ran.push(plan ?? `no plan for ${path}`);
      return { text: `put ${path}`, data: { path } };
    },
  });
  return { tool: { ...base, ...more }, ran };
}

/** A read-only tool that does what it is told. */
function runs(execute: (context: ToolContext<CapabilityName>) => Promise<unknown>, more: Partial<Tool> = {}): Tool {
  return toolLike({
    checkData: () => [],
    execute: (_input, context) => execute(context) as ReturnType<Tool["execute"]>,
    ...more,
  });
}

const once = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", resolve));

function thrower(thrown: unknown): never {
  throw thrown;
}

const INPUT = { path: "a" };

/** A tool that runs from `started` to `end`. */
function slow(): { tool: Tool; started: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  let start = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const started = new Promise<void>((resolve) => (start = resolve));
  const tool = runs(async () => {
    start();
    await ended;
    return { text: "whole" };
  });
  return { tool, started, end };
}

describe("tools that come and go", () => {
  const gone = {
    error: { type: "unknown_tool", message: "sample is gone: its provider has removed or replaced it." },
  };

  test("one that waits for the user's approval is not told to be gone, nor unknown", async () => {
    const { pipeline, registry, model } = rig([]);
    const { tool } = slow();
    registry.register(tool).dispose();
    registry.waiting = new Map(
      ["sample", "never"].map((name) => [name, { why: "tools.json is not approved", approveBy: "approve it" }]),
    );
    for (const name of ["sample", "never"]) {
      expect(await pipeline.invoke(name, {}, model)).toMatchObject({
        error: {
          type: "unknown_tool",
          message: `${name}: tools.json is not approved. Nothing was run.`,
          hint: "The user can read and approve it: approve it",
        },
      });
    }
  });

  test("a call that runs ends whole, and the next is told that the tool is gone", async () => {
    const { pipeline, registry, model } = rig([]);
    const { tool, started, end } = slow();
    const registered = registry.register(tool);
    expect(pipeline.available()).toEqual([tool]);
    const running = pipeline.invoke("sample", INPUT, model);
    await started;
    registered.dispose();
    expect(pipeline.available()).toEqual([]);
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject(gone);
    end();
    expect(await running).toEqual({ ok: true, text: "whole" });
    registry.register(sample);
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({ text: "done" });
  });

  test("a tool that goes while a person is asked does not run", async () => {
    const { tool, ran } = writer();
    const { pipeline, registry, model } = rig([], async () => {
      registered.dispose();
      return true;
    });
    const registered = registry.register(tool);
    expect(await pipeline.invoke("put", INPUT, model)).toMatchObject({ error: { type: "unknown_tool" } });
    expect(ran).toEqual([]);
  });

  test("a yes to a call of one tool is none to a call of the next of its name", async () => {
    const [one, other] = [writer(), writer()];
    const { pipeline, registry, model, asked } = rig([]);
    const registered = registry.register(one.tool);
    expect((await pipeline.prepare("put", INPUT, { ...model, asksInAdvance: true })).question).toBeDefined();
    registered.dispose();
    registry.register(other.tool);
    expect(await pipeline.invoke("put", INPUT, { ...model, asksInAdvance: true })).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    expect([one.ran, other.ran]).toEqual([[], ["plan for a"]]);
  });
});

describe("finding the tool", () => {
  test.each([
    { name: "sampel", message: "sampel: there is no such tool.", hint: "Did you mean sample?" },
    { name: "", message: ": there is no such tool.", hint: "Tools: sample, put." },
    { name: "format_disk", message: "format_disk: there is no such tool.", hint: "Tools: sample, put." },
    { name: "constructor", message: "constructor: there is no such tool.", hint: "Tools: sample, put." },
  ])("unknown: $name", async ({ name, message, hint }) => {
    const { pipeline, model } = rig([sample, writer().tool]);
    expect(await pipeline.invoke(name, {}, model)).toEqual({
      ok: false,
      error: { type: "unknown_tool", message, hint },
    });
  });

  test("another system's name is decided on, run and summarized as our tool", async () => {
    const { tool, ran } = writer({ name: "write" });
    const { pipeline, model, asked } = rig([tool]);
    expect(await pipeline.invoke("create_file", { file: "a" }, model)).toMatchObject({ ok: true, text: "put a" });
    expect(asked).toMatchObject([{ tool: "write" }]);
    expect(ran).toEqual(["plan for a"]);
    expect(await pipeline.prepare("create_file", { file: "a" }, model)).toMatchObject({ summary: "Putting a" });
    expect(await pipeline.invoke("create_file", { where: "a" }, model)).toMatchObject({
      error: {
        type: "invalid_input",
        message: expect.stringMatching(/^write does here what create_file does\. write: /) as string,
      },
    });
  });

  test("how a call was understood is told in front of its result", async () => {
    const tool = runs(async () => ({ text: "done" }), {
      aliases: { max: { read: (value) => ({ fields: { limit: value }, note: "max is the limit." }) } },
    });
    const { pipeline, model } = rig([tool]);
    expect(await pipeline.invoke("sample", { path: "a", max: 3 }, model)).toMatchObject({
      text: "[max is the limit.]\ndone",
    });
  });

  test("a name of 10 MB is neither told nor remembered whole", async () => {
    const { pipeline, model, activity } = rig([sample]);
    expect(JSON.stringify(await pipeline.invoke("x".repeat(10_000_000), {}, model)).length).toBeLessThan(300);
    expect(JSON.stringify(activity).length).toBeLessThan(1_000);
  });

  test("a group that the user turned off", async () => {
    const { pipeline, settings, model } = rig([sample]);
    settings.isGroupEnabled = (group) => group !== "fs";
    expect(pipeline.available()).toEqual([]);
    expect([...pipeline.whyUnavailable()]).toEqual([["sample", { setting: "toolhost.groups.fs" }]]);
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({
      error: {
        type: "unavailable",
        message: "sample: the user has turned the fs tools off.",
        hint: "The setting toolhost.groups.fs turns them on.",
      },
    });
  });

  test("a group that another setting turned off", async () => {
    const { pipeline, settings, model } = rig([sample]);
    settings.isGroupEnabled = () => false;
    settings.turnedOffBy = (group) => (group === "fs" ? "toolhost.fs.enabled" : undefined);
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({
      error: { type: "unavailable", hint: "The setting toolhost.fs.enabled turns them on." },
    });
  });

  test("near names are those of tools that can be used now", async () => {
    const { pipeline, settings, model } = rig([
      sample,
      toolLike({ name: "sampler", group: "web" }),
      toolLike({ name: "samples", needs: ["processes"] }),
    ]);
    const hint = async (): Promise<unknown> => {
      const outcome = await pipeline.invoke("sampe", {}, model);
      return outcome.ok ? undefined : outcome.error.hint;
    };
    expect(await hint()).toBe("Did you mean sample or sampler?");
    settings.isGroupEnabled = (group) => group !== "web";
    expect(await hint()).toBe("Did you mean sample?");
    settings.isGroupEnabled = () => false;
    expect(await hint()).toBe("No tool can be used here: all are turned off.");
  });

  test("a capability that the host does not have", async () => {
    const processes = "processes" as CapabilityName;
    const { pipeline, model } = rig([sample, toolLike({ name: "exec", needs: [processes] })]);
    expect(pipeline.available().map(({ name }) => name)).toEqual(["sample"]);
    expect([...pipeline.whyUnavailable()]).toEqual([["exec", { missing: processes }]]);
    expect(await pipeline.invoke("exec", INPUT, model)).toMatchObject({
      error: { type: "unavailable", message: "exec needs processes, which is not available here." },
    });
  });
});

describe("validate, then permission, then the question, then the run", () => {
  test("a wrong input is refused before anything is decided", async () => {
    const { tool, ran } = writer();
    const { pipeline, settings, model, asked } = rig([tool]);
    settings.trusted = false;
    expect(await pipeline.invoke("put", { pth: "a" }, model)).toMatchObject({ error: { type: "invalid_input" } });
    expect({ asked, ran }).toEqual({ asked: [], ran: [] });
  });

  test("a path that is refused is refused before anything is asked, at the user's own command line, too", async () => {
    const { tool, ran } = writer();
    const { pipeline, model, asked } = rig([tool]);
    for (const authority of ["owner", "model"] as const) {
      expect(await pipeline.invoke("put", { path: "../etc/passwd" }, { ...model, authority })).toMatchObject({
        error: { type: "outside_workspace" },
      });
      expect(await pipeline.invoke("put", { path: "a\0" }, { ...model, authority })).toMatchObject({
        error: { type: "invalid_input" },
      });
    }
    expect({ asked, ran }).toEqual({ asked: [], ran: [] });
  });

  test.each([
    { what: "untrusted", change: { trusted: false }, type: "untrusted" },
    { what: "plan", change: { mode: "plan" as const }, type: "denied" },
  ])("what is denied is not asked: $what", async ({ change, type }) => {
    const { tool, ran } = writer();
    const { pipeline, settings, model, asked } = rig([tool]);
    Object.assign(settings, change);
    expect(await pipeline.invoke("put", INPUT, model)).toMatchObject({
      error: { type, message: expect.stringMatching(/^put: refused: the /) as string },
    });
    expect({ asked, ran }).toEqual({ asked: [], ran: [] });
  });

  test("a change is asked with its preview, which is what runs", async () => {
    const { tool, ran } = writer();
    const { pipeline, model, asked } = rig([tool]);
    expect(await pipeline.invoke("put", { file: "a" }, model)).toEqual({
      ok: true,
      text: "put a",
      data: { path: "a" },
    });
    expect(asked).toEqual([
      {
        tool: "put",
        title: "Putting a",
        reasons: ["Changes a."],
        detail: { language: "diff", text: "+a" },
        derived: [{ tool: "put", params: { path: "a" }, decision: "allow" }],
      },
    ]);
    expect(ran).toEqual(["plan for a"]);
  });

  test("the question names the protected file that a link hides", async () => {
    const { pipeline, model, asked } = rig([writer().tool]);
    await pipeline.invoke("put", { path: "link/hooks/pre-commit" }, model);
    expect(asked[0]?.reasons).toEqual([
      "Changes link/hooks/pre-commit (really .git/hooks/pre-commit), which is protected: Git runs hooks and filters from it.",
    ]);
  });

  test("a tool without a preview is asked with its input", async () => {
    const { pipeline, model, asked } = rig([toolLike({ name: "x", touches: undefined })]);
    expect(await pipeline.invoke("x", { path: "a" }, model)).toMatchObject({ ok: true, text: "done" });
    expect(asked[0]).toEqual({
      tool: "x",
      title: "Sampling a",
      reasons: ["What x reaches is unknown."],
      detail: { language: "json", text: '{\n  "path": "a",\n  "mode": "fast"\n}' },
      derived: [{ tool: "x", decision: "allow" }],
    });
  });

  test("no is no", async () => {
    const { tool, ran } = writer();
    const { pipeline, model } = rig([tool], async () => false);
    expect(await pipeline.invoke("put", INPUT, model)).toEqual({
      ok: false,
      error: {
        type: "denied",
        message: "put: the user said no. Nothing was done.",
        hint: "Do not try the same thing again. Ask the user how to continue.",
      },
    });
    expect(ran).toEqual([]);
  });

  test("nobody to ask is no, with what would have been asked", async () => {
    const { tool, ran } = writer();
    const { pipeline } = rig([tool]);
    expect(
      await pipeline.invoke("put", INPUT, { door: "chat", session: "s", signal: never, authority: "model" }),
    ).toMatchObject({
      error: {
        type: "denied",
        message: "put needs the user's permission, and no one can be asked here.",
        hint: "Changes a.",
      },
    });
    expect(ran).toEqual([]);
  });

  test("a question that fails is no yes", async () => {
    const { tool, ran } = writer();
    const { pipeline, model } = rig([tool], () => Promise.reject(new Error("no window")));
    expect(await pipeline.invoke("put", INPUT, model)).toMatchObject({
      ok: false,
      error: {
        type: "denied",
        message: "put needs the user's permission, and asking failed. Nothing was done.",
        hint: "no window",
      },
    });
    expect(ran).toEqual([]);
  });

  test("a person's own command line is not asked", async () => {
    const { tool, ran } = writer();
    const { pipeline, settings, model, asked } = rig([tool]);
    settings.mode = "plan";
    expect(await pipeline.invoke("put", INPUT, { ...model, authority: "owner" })).toMatchObject({ ok: true });
    expect({ asked, ran }).toEqual({ asked: [], ran: ["no plan for a"] });
  });

  test("a preview that fails is told, and nothing is asked", async () => {
    const { tool, ran } = writer({
      preview: () => Promise.reject(new ToolError("no_match", "a: old_text was not found.")),
    });
    const { pipeline, model, asked } = rig([tool]);
    expect(await pipeline.invoke("put", INPUT, model)).toMatchObject({ error: { type: "no_match" } });
    expect({ asked, ran }).toEqual({ asked: [], ran: [] });
  });
});

describe("a call shown in advance", () => {
  const inAdvance = (model: Caller): Caller => ({ ...model, asksInAdvance: true });

  test("runs exactly as shown, once, without a second question", async () => {
    let made = 0;
    const { tool, ran } = writer({ preview: async () => ({ language: "diff", text: "+", plan: `plan ${++made}` }) });
    const { pipeline, model, asked } = rig([tool]);
    const { question, summary } = await pipeline.prepare("put", INPUT, inAdvance(model));
    expect({ summary, reasons: question?.reasons }).toEqual({ summary: "Putting a", reasons: ["Changes a."] });
    expect(await pipeline.invoke("put", INPUT, inAdvance(model))).toMatchObject({ ok: true });
    expect({ asked, ran }).toEqual({ asked: [], ran: ["plan 1"] });
    // The second time nobody was shown anything.
    await pipeline.invoke("put", INPUT, inAdvance(model));
    expect(asked).toHaveLength(1);
    expect(ran).toEqual(["plan 1", "plan 2"]);
  });

  test("runs without a second question where the preview added to the reasons", async () => {
    const remarks = ["Undo will not cover it."];
    const { tool, ran } = writer({ preview: async () => ({ language: "diff", text: "+", plan: "plan", remarks }) });
    const { pipeline, model, asked } = rig([tool]);
    const { question } = await pipeline.prepare("put", INPUT, inAdvance(model));
    expect(question?.reasons).toEqual(["Changes a.", ...remarks]);
    expect(await pipeline.invoke("put", INPUT, inAdvance(model))).toMatchObject({ ok: true });
    expect({ asked, ran }).toEqual({ asked: [], ran: ["plan"] });
  });

  test("tells of the yes it relied on, and only when it ran", async () => {
    const told: string[][] = [];
    const inAdvanceTold = (model: Caller): Caller => ({
      ...inAdvance(model),
      answeredInAdvance: ({ reasons }) => void told.push([...reasons]),
    });
    const { pipeline, model } = rig([writer().tool]);
    await pipeline.prepare("put", INPUT, inAdvanceTold(model));
    await pipeline.invoke("put", INPUT, inAdvanceTold(model));
    // Nobody was shown this one in advance: it is asked in a dialog.
    await pipeline.invoke("put", INPUT, inAdvanceTold(model));
    expect(told).toEqual([["Changes a."]]);
    const failing = rig([writer({ execute: () => Promise.reject(new ToolError("stale", "a: changed.")) }).tool]);
    await failing.pipeline.prepare("put", INPUT, inAdvanceTold(failing.model));
    await failing.pipeline.invoke("put", INPUT, inAdvanceTold(failing.model));
    expect(told).toHaveLength(1);
  });

  test("two at once need two answers", async () => {
    const { tool, ran } = writer();
    const { pipeline, model, asked } = rig([tool]);
    await pipeline.prepare("put", INPUT, inAdvance(model));
    await Promise.all([
      pipeline.invoke("put", INPUT, inAdvance(model)),
      pipeline.invoke("put", INPUT, inAdvance(model)),
    ]);
    expect(asked).toHaveLength(1);
    expect(ran).toHaveLength(2);
  });

  test.each([
    { what: "never shown", prepared: undefined },
    { what: "shown to another session", prepared: { input: INPUT, session: "t" } },
    { what: "shown with another input", prepared: { input: { path: "b" }, session: "s" } },
    { what: "shown with the input spelled otherwise", prepared: { input: { file: "a" }, session: "s" } },
  ])("is asked after all when it was $what", async ({ prepared }) => {
    const { tool } = writer();
    const { pipeline, model, asked } = rig([tool]);
    if (prepared) {
      await pipeline.prepare("put", prepared.input, { ...inAdvance(model), session: prepared.session });
    }
    await pipeline.invoke("put", INPUT, inAdvance(model));
    expect(asked).toHaveLength(1);
  });

  test("is asked at a door that does not say it asks in advance", async () => {
    const { tool } = writer();
    const { pipeline, model, asked } = rig([tool]);
    await pipeline.prepare("put", INPUT, model);
    await pipeline.invoke("put", INPUT, model);
    expect(asked).toHaveLength(1);
  });

  test.each([".git/hooks/pre-commit", ".env", "link/hooks/x"])(
    "%s is asked about by us alone, every time: an editor's own yes may be nobody's",
    async (path) => {
      const { tool } = writer();
      const { pipeline, model, asked } = rig([tool]);
      for (const times of [1, 2]) {
        expect((await pipeline.prepare("put", { path }, inAdvance(model))).question).toBeUndefined();
        expect(await pipeline.invoke("put", { path }, inAdvance(model))).toMatchObject({ ok: true });
        expect(asked).toHaveLength(times);
      }
    },
  );

  test("is asked when it needed no question then and needs one now", async () => {
    const { tool } = writer();
    const { pipeline, settings, model, asked } = rig([tool]);
    settings.mode = "plan";
    expect((await pipeline.prepare("put", INPUT, inAdvance(model))).question).toBeUndefined();
    settings.mode = "default";
    expect(await pipeline.invoke("put", INPUT, inAdvance(model))).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
  });

  test("is denied when it may not run any more", async () => {
    const { tool, ran } = writer();
    const { pipeline, settings, model } = rig([tool]);
    await pipeline.prepare("put", INPUT, inAdvance(model));
    settings.mode = "plan";
    expect(await pipeline.invoke("put", INPUT, inAdvance(model))).toMatchObject({ error: { type: "denied" } });
    settings.mode = "default";
    settings.trusted = false;
    expect(await pipeline.invoke("put", INPUT, inAdvance(model))).toMatchObject({ error: { type: "untrusted" } });
    expect(ran).toEqual([]);
  });

  test("is asked again when its path has come to mean another file", async () => {
    const { tool, ran } = writer();
    const { pipeline, model, asked, disk } = rig([tool]);
    expect((await pipeline.prepare("put", { path: "b" }, inAdvance(model))).question?.reasons).toEqual(["Changes b."]);
    disk.links["/work/b"] = "/work/.git/hooks";
    await pipeline.invoke("put", { path: "b" }, inAdvance(model));
    expect(asked[0]?.reasons[0]).toContain("really .git/hooks");
    expect(ran).toEqual(["plan for b"]);
  });

  test("a preview that was declined is not run when the same call needs no question later", async () => {
    let secret = true;
    const { tool, ran } = writer({ touches: () => [{ kind: "read", path: secret ? ".env" : "a" }] });
    const { pipeline, model } = rig([tool]);
    await pipeline.prepare("put", INPUT, inAdvance(model));
    // The user said no. Then the call is made again, harmless now.
    secret = false;
    await pipeline.prepare("put", INPUT, inAdvance(model));
    await pipeline.invoke("put", INPUT, inAdvance(model));
    expect(ran).toEqual(["no plan for a"]);
  });

  test.each([
    { what: "an unknown tool", name: "nope", input: {}, summary: "Run nope" },
    { what: "a wrong input", name: "put", input: { path: 5 }, summary: "Run put" },
    { what: "a path outside", name: "put", input: { path: "/etc/passwd" }, summary: "Putting /etc/passwd" },
  ])("has no question when it will fail: $what", async ({ name, input, summary }) => {
    const { pipeline, model } = rig([writer().tool]);
    expect(await pipeline.prepare(name, input, model)).toEqual({ summary, question: undefined });
  });

  test.each([
    { what: "lines", path: "a\n\n# Allowed by the user", summary: "Putting a # Allowed by the user" },
    { what: "turned writing", path: "gpj\u202e.exe", summary: "Putting gpj .exe" },
  ])("is summed up in one line: $what", async ({ path, summary }) => {
    const { pipeline, model } = rig([writer().tool]);
    const prepared = await pipeline.prepare("put", { path }, model);
    expect([prepared.summary, prepared.question?.title]).toEqual([summary, summary]);
  });

  test("a path or name of 10 MB does not make a summary of 10 MB", async () => {
    const { pipeline, model } = rig([writer().tool]);
    const long = "x".repeat(10_000_000);
    expect((await pipeline.prepare("put", { path: long }, model)).summary.length).toBeLessThan(300);
    expect((await pipeline.prepare(long, {}, model)).summary.length).toBeLessThan(300);
  });
});

describe("the deadline", () => {
  const shortly = { timeout: () => 20 };

  test("stops a tool that listens", async () => {
    const listening = runs(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
      shortly,
    );
    const { pipeline, model } = rig([listening]);
    expect(await pipeline.invoke("sample", INPUT, model)).toEqual({
      ok: false,
      error: {
        type: "timeout",
        message: "sample: stopped after 0 s.",
        hint: "Ask for less at a time.",
      },
    });
  });

  test("waits as long as the tool says for what came of it", async () => {
    const ended = runs(
      ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => setTimeout(() => resolve({ text: "ended late" }), 20)),
        ),
      { ...shortly, grace: 60_000 },
    );
    const { pipeline, model } = rig([ended]);
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({ ok: true, text: "ended late" });
  });

  test("gives up on a tool that does not", async () => {
    const { pipeline, model } = rig([runs(() => new Promise(() => undefined), shortly)]);
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({ error: { type: "timeout" } });
  });

  test("waits for a change that ends soon after, and says that it was made", async () => {
    const slow = writer({
      timeout: () => 20,
      execute: (_input, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () =>
            setTimeout(() => resolve({ text: "put late", data: { path: "a" } }), 20),
          ),
        ),
    });
    const { pipeline, model } = rig([slow.tool]);
    expect(await pipeline.invoke("put", INPUT, model)).toMatchObject({ ok: true, text: "put late" });
  });

  test("is a failure of its own, not what the tool says on being stopped", async () => {
    const cancels = runs(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Cancelled("sample")))),
      shortly,
    );
    const { pipeline, model } = rig([cancels]);
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({ error: { type: "timeout" } });
  });

  test("leaves a tool's own failure as it is", async () => {
    const fails = runs(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new ToolError("stale", "a: has changed."))),
        ),
      shortly,
    );
    const { pipeline, model } = rig([fails]);
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({ error: { type: "stale" } });
  });

  test("holds for the preview, too, and not for the time to answer", async () => {
    const { pipeline, model, settings } = rig([writer({ preview: () => new Promise(() => undefined) }).tool]);
    settings.defaultTimeout = 20;
    expect(await pipeline.invoke("put", INPUT, model)).toMatchObject({ error: { type: "timeout" } });
    const patient = rig([writer().tool], () => new Promise((resolve) => setTimeout(() => resolve(true), 60)));
    patient.settings.defaultTimeout = 20;
    expect(await patient.pipeline.invoke("put", INPUT, patient.model)).toMatchObject({ ok: true });
  });

  test.each([3_000_000_000, Number.POSITIVE_INFINITY, Number.MAX_VALUE])(
    "of %d ms is a long one, not none",
    async (limit) => {
      const { pipeline, model, settings } = rig([
        runs(() => new Promise((resolve) => setTimeout(() => resolve({ text: "done" }), 20))),
      ]);
      settings.defaultTimeout = limit;
      expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({ ok: true });
    },
  );

  test("is the default where the tool names none, and told in seconds", async () => {
    const { pipeline, model, settings } = rig([runs(() => new Promise(() => undefined))]);
    settings.defaultTimeout = 50;
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({
      error: {
        message: "sample: stopped after 0.1 s.",
        // A limit of the tool's own cannot be raised.
        hint: "Ask for less at a time, or let the user raise the setting x.",
      },
    });
  });
});

describe("cancellation", () => {
  test("before the start runs nothing", async () => {
    let started = false;
    const { pipeline, model, activity } = rig([
      runs(async () => {
        started = true;
        return { text: "" };
      }),
    ]);
    await expect(pipeline.invoke("sample", INPUT, { ...model, signal: AbortSignal.abort() })).rejects.toBeInstanceOf(
      Cancelled,
    );
    expect(started).toBe(false);
    expect(activity).toMatchObject([{ tool: "sample", outcome: "cancelled" }]);
  });

  test.each<{ what: string; end: (signal: AbortSignal) => Promise<unknown> }>([
    {
      what: "listens",
      end: (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    },
    { what: "does not listen", end: () => new Promise(() => undefined) },
    {
      what: "fails on being stopped",
      end: (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new ToolError("io_error", "broke")))),
    },
    { what: "throws a string on being stopped", end: (signal) => once(signal).then(() => thrower("stop")) },
  ])("midway throws Cancelled and nothing else: a tool that $what", async ({ end }) => {
    const controller = new AbortController();
    const stopped = runs(({ signal }) => {
      setTimeout(() => controller.abort());
      return end(signal);
    });
    const { pipeline, model, activity } = rig([stopped]);
    await expect(pipeline.invoke("sample", INPUT, { ...model, signal: controller.signal })).rejects.toBeInstanceOf(
      Cancelled,
    );
    expect(activity.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
  });

  test("during the question runs nothing, whatever is answered, and does not wait for the answer", async () => {
    for (const answer of [Promise.resolve(true), Promise.resolve(false), new Promise<boolean>(() => undefined)]) {
      const controller = new AbortController();
      const { tool, ran } = writer();
      const { pipeline, model } = rig([tool], () => {
        controller.abort();
        return answer;
      });
      await expect(pipeline.invoke("put", INPUT, { ...model, signal: controller.signal })).rejects.toBeInstanceOf(
        Cancelled,
      );
      expect(ran).toEqual([]);
    }
  });

  test("during the preview asks and runs nothing", async () => {
    const controller = new AbortController();
    const { tool, ran } = writer({
      preview: async () => {
        controller.abort();
        return { language: "diff", text: "+", plan: 1 };
      },
    });
    const { pipeline, model, asked } = rig([tool]);
    await expect(pipeline.invoke("put", INPUT, { ...model, signal: controller.signal })).rejects.toBeInstanceOf(
      Cancelled,
    );
    expect({ asked, ran }).toEqual({ asked: [], ran: [] });
  });

  test("of one call does not touch another", async () => {
    const controller = new AbortController();
    const { pipeline, model } = rig([
      runs(
        ({ signal, callId }) =>
          new Promise((resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("stopped")));
            setTimeout(() => resolve({ text: callId }), 20);
          }),
      ),
    ]);
    const [stopped, other] = [
      pipeline.invoke("sample", INPUT, { ...model, signal: controller.signal }),
      pipeline.invoke("sample", INPUT, { ...model, callId: "other" }),
    ];
    controller.abort();
    await expect(stopped).rejects.toBeInstanceOf(Cancelled);
    expect(await other).toMatchObject({ ok: true, text: "other" });
  });

  test("that the tool claims, and the caller did not ask for, is an outcome", async () => {
    const { pipeline, model } = rig([
      runs(() => Promise.reject(new ToolError("cancelled", "The user closed the terminal."))),
    ]);
    expect(await pipeline.invoke("sample", INPUT, model)).toEqual({
      ok: false,
      error: { type: "cancelled", message: "The user closed the terminal." },
    });
  });
});

describe("what a tool is handed", () => {
  test("the capabilities it named and no others", async () => {
    const seen: string[][] = [];
    const look = (context: ToolContext<CapabilityName>): Promise<unknown> => {
      seen.push(Object.keys(context).sort());
      return Promise.resolve({ text: "" });
    };
    const { pipeline, model } = rig([
      runs(look, { name: "none", needs: [] }),
      runs(look, { name: "one", needs: ["files"] }),
      runs(look, { name: "two", needs: ["files", "search"] }),
    ]);
    for (const name of ["none", "one", "two"]) {
      await pipeline.invoke(name, INPUT, model);
    }
    const always = [
      ...[
        "byPerson",
        "callId",
        "isInner",
        "keeps",
        "onlyReads",
        "origin",
        "parentId",
        "readsData",
        "report",
        "session",
        "signal",
      ],
      "unasked",
    ];
    expect(seen).toEqual([always, [...always, "files"].sort(), [...always, "files", "search"].sort()]);
  });

  test("its place and a way to report", async () => {
    const reports: unknown[] = [];
    const { pipeline, model } = rig([
      runs(async ({ session, callId, parentId, report }) => {
        report({ message: "half", fraction: 0.5 });
        return { text: [session, callId, parentId].join(" ") };
      }),
    ]);
    const outcome = await pipeline.invoke("sample", INPUT, {
      ...model,
      callId: "c1",
      parentId: "t1",
      report: (progress) => reports.push(progress),
    });
    expect(outcome).toMatchObject({ text: "s c1 t1" });
    expect(reports).toEqual([{ message: "half", fraction: 0.5 }]);
  });

  test("an id of its own when the caller has none", async () => {
    const { pipeline, model, activity } = rig([runs(async ({ callId }) => ({ text: callId }))]);
    await pipeline.invoke("sample", INPUT, model);
    await pipeline.invoke("sample", INPUT, model);
    expect(new Set(activity.map(({ callId }) => callId)).size).toBe(2);
  });
});

describe("what a tool gives", () => {
  test.each<{ what: string; result: unknown; message: RegExp }>([
    {
      what: "data of another shape",
      result: { text: "", data: { done: "yes" } },
      message: /promised shape \(done: expected boolean, got string "yes"\)/,
    },
    { what: "no data", result: { text: "" }, message: /promised shape/ },
    {
      what: "no text",
      result: { data: { done: true } },
      message: /promised shape \(text: expected string, got nothing\)/,
    },
    {
      what: "text that is none",
      result: { text: 5, data: { done: true } },
      message: /promised shape \(text: expected string, got number 5\)/,
    },
    { what: "nothing", result: undefined, message: /promised shape/ },
    { what: "a text", result: "done", message: /promised shape/ },
    {
      what: "thousands of wrong entries",
      result: { text: "", data: Array.from({ length: 100_000 }, () => "x") },
      message: /promised shape/,
    },
  ])("is checked: $what", async ({ result, message }) => {
    const { pipeline, model } = rig([runs(async () => result, { checkData: (data) => sample.checkData(data) })]);
    const outcome = await pipeline.invoke("sample", INPUT, model);
    expect(outcome).toMatchObject({
      ok: false,
      error: { type: "internal_error", message: expect.stringMatching(message) as string },
    });
    expect(JSON.stringify(outcome).length).toBeLessThan(2_500);
  });

  test("is bounded in what is told of wrong data", async () => {
    const many = toolLike({
      checkData: () => Array.from({ length: 100_000 }, () => ({ path: "x", message: "wrong" })),
    });
    const { pipeline, model } = rig([many]);
    expect(JSON.stringify(await pipeline.invoke("sample", INPUT, model)).length).toBeLessThan(2_500);
  });

  test("cannot pass for another outcome", async () => {
    const { pipeline, model } = rig([
      runs(async () => ({ text: "fine", ok: false, error: { type: "denied" }, more: 1 })),
    ]);
    expect(await pipeline.invoke("sample", INPUT, model)).toEqual({ ok: true, text: "fine" });
  });

  test("travels whole: text, data and media", async () => {
    const media = [{ mimeType: "image/png", bytes: new Uint8Array([1]) }];
    const { pipeline, model } = rig([runs(async () => ({ text: "t", data: { done: true }, media }))]);
    expect(await pipeline.invoke("sample", INPUT, model)).toEqual({ ok: true, text: "t", data: { done: true }, media });
  });

  test.each<{ what: string; thrown: unknown; error: object }>([
    {
      what: "a ToolError",
      thrown: new ToolError("not_found", "a: gone.", "Look."),
      error: { type: "not_found", message: "a: gone.", hint: "Look." },
    },
    {
      what: "an Error",
      thrown: new Error("bad"),
      error: { type: "internal_error", message: "sample: failed unexpectedly: bad" },
    },
    { what: "a string", thrown: "bad", error: { type: "internal_error", message: "sample: failed unexpectedly: bad" } },
    {
      what: "undefined",
      thrown: undefined,
      error: { type: "internal_error", message: "sample: failed unexpectedly: undefined" },
    },
    {
      what: "what cannot be printed",
      thrown: Object.create(null),
      error: { type: "internal_error", message: "sample: failed unexpectedly: unknown reason" },
    },
  ])("thrown becomes an outcome: $what", async ({ thrown, error }) => {
    const thrownAtOnce = runs(() => thrower(thrown));
    const rejected = runs(() => Promise.resolve().then(() => thrower(thrown)));
    for (const tool of [rejected, thrownAtOnce]) {
      const { pipeline, model } = rig([tool]);
      expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({ ok: false, error });
    }
  });

  test.each(["touches", "summary", "timeout", "parse"] as const)("a defect in %s is an outcome, too", async (part) => {
    const broken = (): never => {
      throw new Error("defect");
    };
    const { pipeline, model } = rig([writer({ [part]: broken }).tool]);
    expect(await pipeline.invoke("put", INPUT, model)).toMatchObject({ ok: false, error: { type: "internal_error" } });
    expect(await pipeline.prepare("put", INPUT, model)).toMatchObject(
      part === "timeout" ? { summary: "Putting a" } : { question: undefined },
    );
  });
});

describe("the record", () => {
  test("has every call, with what it came to", async () => {
    const { pipeline, model, activity, settings } = rig([sample, writer().tool]);
    await pipeline.invoke("sample", INPUT, { ...model, callId: "c", parentId: "t" });
    await pipeline.invoke("nope", { x: 1 }, { ...model, door: "mcp:Codex" });
    await pipeline.invoke("sample", { path: 5 }, model);
    settings.mode = "plan";
    await pipeline.invoke("put", INPUT, model);
    expect(activity.map(({ tool, door, outcome, bytes }) => [tool, door, outcome, bytes])).toEqual([
      ["sample", "lm", "ok", 4],
      ["nope", "mcp:Codex", "unknown_tool", 0],
      ["sample", "lm", "invalid_input", 0],
      ["put", "lm", "denied", 0],
    ]);
    expect(activity[0]).toMatchObject({
      callId: "c",
      parentId: "t",
      session: "s",
      input: INPUT,
      started: 1_000,
      duration: 1,
    });
  });

  test("has a call when it begins, and its result as far as it may be kept", async () => {
    const began: CallStart[] = [];
    const { pipeline, model, activity } = rig(
      [
        writer({ execute: async () => ({ text: "x".repeat(10_000), data: { path: "a" } }) }).tool,
        writer({ name: "reveal", showsSecrets: true }).tool,
        writer({
          name: "fail",
          execute: async () => {
            expect(began.at(-1)).toMatchObject({ tool: "fail", root: { session: "r", turn: "t" } });
            throw new ToolError("not_found", "Nothing there.", "Look elsewhere.");
          },
        }).tool,
      ],
      undefined,
      (call) => began.push(call),
    );
    await pipeline.invoke("put", INPUT, model);
    await pipeline.invoke("reveal", INPUT, model);
    await pipeline.invoke("fail", INPUT, { ...model, root: { session: "r", turn: "t" } });
    expect(began.map(({ callId }) => callId)).toEqual(activity.map(({ callId }) => callId));
    const [put, reveal, fail] = activity;
    expect(put?.result).toMatch(/^x+\n\[… 6000 characters omitted …\]\nx+$/);
    expect(reveal).not.toHaveProperty("result");
    expect(fail).toMatchObject({ session: "s", root: { session: "r", turn: "t" }, failed: "not found" });
    expect(fail?.result).toBe("Error (not_found): Nothing there.\nHint: Look elsewhere.");
  });

  test("that fails changes no outcome", async () => {
    const { pipeline, model, failRecords } = rig([sample]);
    failRecords();
    expect(await pipeline.invoke("sample", INPUT, model)).toMatchObject({ ok: true, text: "done" });
    expect(await pipeline.invoke("sample", { path: 5 }, model)).toMatchObject({
      ok: false,
      error: { type: "invalid_input" },
    });
    const aborted = AbortSignal.abort();
    await expect(pipeline.invoke("sample", INPUT, { ...model, signal: aborted })).rejects.toBeInstanceOf(Cancelled);
  });

  test("cuts long inputs", async () => {
    const { pipeline, model, activity } = rig([sample]);
    await pipeline.invoke("sample", { path: "a", more: "x".repeat(10_000_000) }, model);
    expect(JSON.stringify(activity[0]).length).toBeLessThan(1_000);
  });

  test("does not have what was only prepared", async () => {
    const { pipeline, model, activity } = rig([writer().tool]);
    await pipeline.prepare("put", INPUT, model);
    expect(activity).toEqual([]);
  });
});

test("calls side by side keep their inputs, plans and results apart", async () => {
  const { tool } = writer({
    preview: async (input) => ({ language: "diff", text: "", plan: input }),
    execute: async (input, _context, plan) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      return { text: JSON.stringify([input, plan]), data: { path: "a" } };
    },
  });
  const { pipeline, model, asked } = rig([tool]);
  const paths = Array.from({ length: 40 }, (_, index) => `f${index}`);
  const outcomes = await Promise.all(paths.map((path) => pipeline.invoke("put", { path }, model)));
  expect(outcomes.map((outcome) => outcome.ok && outcome.text)).toEqual(
    paths.map((path) => JSON.stringify([{ path }, { path }])),
  );
  expect(asked).toHaveLength(40);
});

test("a link exchanged between the decision and the work leads nowhere new", async () => {
  const opened: string[] = [];
  const reader = runs(
    async (context) => {
      const { files } = context as ToolContext<"files">;
      opened.push((await files.resolve("link")).absolute, (await files.resolve("b")).absolute);
      return { text: "" };
    },
    { needs: ["files"], touches: () => [{ kind: "read", path: "link" }] },
  );
  const { pipeline, model, disk, registry } = rig([reader]);
  disk.links["/work/link"] = "/work/a";
  const execute = reader.execute.bind(reader);
  // The exchange happens after the gate looked and before the tool does.
  const exchanged: Tool = {
    ...reader,
    name: "exchanged",
    execute: (input, context, plan) => {
      disk.links["/work/link"] = "/work/.env";
      return execute(input, context, plan);
    },
  };
  registry.register(exchanged);
  expect(await pipeline.invoke("exchanged", { path: "link" }, model)).toEqual({ ok: true, text: "" });
  expect(opened).toEqual(["/work/a", "/work/b"]);
});
