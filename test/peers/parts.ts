// What permission and undo take of a call, measured in this process on the command line's own parts.
import { rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ChangeKeeper } from "../../src/features/changes/changes.js";
import { cache } from "./install.js";
import { editedFile, editedLine, readFileOf } from "./workspace.js";

/** The calls that are taken apart. */
export const partKinds = ["read", "run", "edit"] as const;

/** Milliseconds, one for each round. */
export type Parts = Record<(typeof partKinds)[number], { permission: number[]; undo: number[] }>;

/** Names the file that is edited here, as an agent's name does. */
export const NAME = "parts";

/** The keeper of changes, which notes how long each change took. */
class TimedKeeper extends ChangeKeeper {
  /** Of the last change. */
  time = 0;

  override forCall(...given: Parameters<ChangeKeeper["forCall"]>): ReturnType<ChangeKeeper["forCall"]> {
    const { changes, ...rest } = super.forCall(...given);
    const apply: typeof changes.apply = async (...change) => {
      const began = performance.now();
      try {
        return await changes.apply(...change);
      } finally {
        this.time = performance.now() - began;
      }
    };
    return { ...rest, changes: { ...changes, apply } };
  }
}

/**
 * Makes the calls of a turn and times two parts of each: deciding on it, as the command that explains decisions does, and
 * how much longer a change takes than writing the file's new text. The first round does not count.
 *
 * @param pauseTime milliseconds between calls, as between the turns of the agents
 */
export async function measureParts(
  repository: string,
  folder: string,
  { rounds, pauseTime }: { rounds: number; pauseTime: number },
): Promise<Parts> {
  const state = join(cache, "homes", NAME);
  rmSync(state, { recursive: true, force: true });
  process.env["TOOLHOST_STATE"] = state;
  // What esbuild.mjs puts into the product; the product's parts are loaded behind it.
  Object.assign(globalThis, { __TOOLHOST_VERSION__: "peers" });
  const { openWorkspace } = await import("../../src/compose/cli/workspace.js");
  const { wireAgents } = await import("../../src/compose/cli/agents.js");
  const { Registry } = await import("../../src/core/registry.js");
  const { tools } = await import("../../src/tools/index.js");
  const opened = openWorkspace({
    target: { workspace: folder },
    folder: join(repository, "dist"),
    warn: (message) => console.log(message),
  });
  const changes = new TimedKeeper({
    writer: opened.files,
    state: (again) => opened.state.states.current(again),
    tellsProblems: () => false,
  });
  const nobody = { ask: () => Promise.reject(new Error("A call of the script needs no permission.")) };
  const models = { list: () => Promise.resolve({ models: [], problems: [] }), find: () => Promise.reject(new Error()) };
  const own = { refresh: () => Promise.resolve(), dispose: () => undefined };
  const { pipeline } = wireAgents({
    ...{ registry: new Registry(tools), workspace: { ...opened, changes }, models, confirm: nobody, own },
    ...{ rules: [], planOnly: false, allowAll: false },
  });
  const place = { session: NAME, turn: NAME };
  const { signal } = new AbortController();
  const caller = {
    door: "cli",
    ...place,
    root: place,
    signal,
    authority: "model",
    reads: "must",
    confirm: nobody,
  } as const;
  const parts: Parts = {
    read: { permission: [], undo: [] },
    run: { permission: [], undo: [] },
    edit: { permission: [], undo: [] },
  };
  const edited = join(folder, editedFile(NAME));
  try {
    for (let round = 0; round <= rounds; round++) {
      const calls = {
        read: ["read", { path: join(folder, readFileOf(round).path) }],
        run: ["exec", { command: `true # ${round}` }],
        edit: ["edit", { path: edited, old_text: editedLine(round), new_text: editedLine(round + 1) }],
      } as const;
      for (const kind of partKinds) {
        const [tool, input] = calls[kind];
        await pause(pauseTime);
        const began = performance.now();
        await pipeline.explain(tool, input, caller);
        const permission = performance.now() - began;
        await pause(pauseTime);
        const before = changes.time;
        const outcome = await pipeline.invoke(tool, input, caller);
        if (!outcome.ok) {
          throw new Error(`${tool}: ${outcome.error.message}`);
        }
        const undo = changes.time === before ? 0 : changes.time - (await timeOfWriting(edited));
        if (round > 0) {
          parts[kind].permission.push(permission);
          parts[kind].undo.push(undo);
        }
      }
    }
  } finally {
    await opened.close();
  }
  return parts;
}

/** How long it takes to write a file's text over it, without any care. */
async function timeOfWriting(path: string): Promise<number> {
  const text = await readFile(path, "utf8");
  await pause(0);
  const began = performance.now();
  await writeFile(path, text);
  return performance.now() - began;
}
