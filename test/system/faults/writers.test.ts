import { spawn } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { ChangeKeeper } from "../../../src/features/changes/changes.js";
import { finish } from "../cli/built.js";
import { openWorkspace, tempFolder } from "../../unit/tools/workspace.js";
import { plantTree, treeOf } from "./tree.js";
import { addLine, filesOf, keeperOn } from "./writers.js";

const WRITERS = 16;
/** Files in the ring: each writer's two are also another's. */
const RING = 5;
const writers = Array.from({ length: WRITERS }, (_, index) => index);

let script: string;

beforeAll(async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "toolhost-writers-")));
  script = join(base, "writers.cjs");
  await build({
    entryPoints: [fileURLToPath(new URL("writers.ts", import.meta.url))],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
  });
  return () => rm(base, { recursive: true, force: true });
});

async function ring(): Promise<string> {
  const folder = await tempFolder();
  await plantTree(folder, Object.fromEntries(Array.from({ length: RING }, (_, index) => [`f${index}`, "first\n"])));
  return folder;
}

/** Every line is there once, and nothing else. */
async function expectAll(folder: string): Promise<void> {
  const tree = await treeOf(folder);
  expect(Object.fromEntries(Object.entries(tree).map(([name, text]) => [name, text.split("\n").sort()]))).toEqual(
    Object.fromEntries(
      Array.from({ length: RING }, (_, index) => [
        `f${index}`,
        [
          "",
          "first",
          ...writers
            .filter((writer) => filesOf(writer, RING).includes(`f${index}`))
            .map((writer) => `writer ${writer}`),
        ].sort(),
      ]),
    ),
  );
}

describe("16 writers at once", () => {
  test("of one file, on what all have read: one whole value, and the others are told that they came too late", async () => {
    const { call, bytes, names } = await openWorkspace({ f: "old\n" });
    const texts = writers.map((writer) => `${String(writer).repeat(50_000)}\n`);
    const outcomes = await Promise.all(
      texts.map((text) => call("edit", { path: "f", old_text: "old\n", new_text: text })),
    );
    const accepted = outcomes.flatMap((outcome, index) => (outcome.ok ? [index] : []));
    expect(accepted.length).toBe(1);
    // Worked out again on the new content, which does not contain the old text.
    expect(outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error.type]))).toEqual(
      Array.from({ length: WRITERS - 1 }, () => "no_match"),
    );
    expect(String(await bytes("f")) === texts[accepted[0] ?? -1]).toBe(true);
    expect(await names()).toEqual(["f"]);
  });

  test("of sets that overlap, by patches: each is made whole or not at all", async () => {
    const workspace = await openWorkspace(
      Object.fromEntries(Array.from({ length: RING }, (_, index) => [`f${index}`, "first\n"])),
    );
    const outcomes = await Promise.all(
      writers.map((writer) =>
        workspace.call("apply_patch", {
          patch: [
            "*** Begin Patch",
            ...filesOf(writer, RING).flatMap((name) => [
              `*** Update File: ${name}`,
              "@@",
              " first",
              `+writer ${writer}`,
            ]),
            "*** Add File: made",
            `+by ${writer}`,
            "*** End Patch",
          ].join("\n"),
        }),
      ),
    );
    const accepted = writers.filter((writer) => outcomes[writer]?.ok);
    expect(accepted.length).toBe(1);
    for (const outcome of outcomes) {
      expect(["stale", "path_conflict", undefined]).toContain(outcome.ok ? undefined : outcome.error.type);
    }
    const [winner = -1] = accepted;
    expect(await treeOf(workspace.folder)).toEqual({
      ...Object.fromEntries(
        Array.from({ length: RING }, (_, index) => [
          `f${index}`,
          filesOf(winner, RING).includes(`f${index}`) ? `first\nwriter ${winner}\n` : "first\n",
        ]),
      ),
      made: `by ${winner}\n`,
    });
  });

  test("that try again until they are accepted lose nothing", async () => {
    const folder = await ring();
    const host = keeperOn(folder);
    const refused = await Promise.all(writers.map((writer) => addLine(host, writer, filesOf(writer, RING))));
    await expectAll(folder);
    // They did get into each other's way.
    expect(refused.some((times) => times > 0)).toBe(true);
    host.states.close();
  });

  test("in four processes lose nothing, and leave nothing under way", async () => {
    const folder = await ring();
    const ended = await Promise.all(
      [0, 4, 8, 12].map((first) =>
        finish(
          spawn(process.execPath, [script, folder, String(RING), String(first), "4"], {
            stdio: ["ignore", "pipe", "pipe"],
            env: { ...process.env, FAULT_WRITERS: "1" },
          }),
        ),
      ),
    );
    expect(ended.map(({ code, err }) => [code, err])).toEqual(ended.map(() => [0, ""]));
    await expectAll(folder);
    const { keeper, states } = keeperOn(folder);
    const journal = await keeper.journal();
    expect(
      journal
        .turns(100)
        .flatMap(({ calls }) => calls)
        .filter(({ pending }) => pending),
    ).toEqual([]);
    expect(journal.turns(100).length).toBe(WRITERS);
    states.close();
  });
});

test("a state that is closed while a change is under way stays open for it", async () => {
  const folder = await tempFolder({ f: "one\n" });
  const { files, states } = keeperOn(folder);
  const keeper = new ChangeKeeper({
    writer: {
      apply: async (changes, signal) => {
        // The workspace's folders change, or the window closes.
        states.close();
        return files.apply(changes, signal);
      },
      missingFolders: (at) => files.missingFolders(at),
      decode: (at, bytes) => files.decode(at, bytes),
    },
    state: () => states.current(),
    tellsProblems: () => false,
  });
  const { changes } = keeper.forCall(
    { session: "s", turn: "t", callId: "c", tool: "edit", door: "cli", summary: "", reads: "free" },
    files,
  );
  const at = await files.resolve("f");
  const outcome = await changes.apply(
    [{ kind: "replace", at, before: await changes.before(at, 100), text: "two\n" }],
    new AbortController().signal,
  );
  expect(outcome.files).toMatchObject([{ saved: true, text: "two\n" }]);
  const later = keeperOn(folder);
  const journal = await later.keeper.journal();
  expect(journal.turns(1)[0]?.calls).toMatchObject([{ callId: "c", pending: false }]);
  later.states.close();
});
