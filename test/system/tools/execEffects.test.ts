import { describe, expect, it, vi } from "vitest";
import type { Outcome } from "../../../src/core/outcome.js";
import type { Snapshots } from "../../../src/features/effects/snapshots.js";
import type { FileWriter } from "../../../src/ports/changes.js";
import { ThreadSnapshots } from "../../../src/hosts/node/effects/threadSnapshots.js";
import { effectsFolder, PATIENT } from "../features/effects/worker.js";
import { openWorkspace, result, type TestWorkspace } from "../../unit/tools/workspace.js";

const snapshots = new ThreadSnapshots(effectsFolder, () => undefined, PATIENT);
const asModel = { as: "model", answer: true } as const;

/** What is said before changes of a command in the background. */
const PERHAPS = "while it ran, perhaps by others (undo leaves these): ";

/** Returns the lines of a command's result after the first, which has its time. */
function linesOf(text: string): string[] {
  return text.split("\n").slice(1);
}

/** Sends a line to a background command that waits for it; returns the last line that is said of its end. */
async function endOf(call: TestWorkspace["call"], started: Outcome): Promise<string | undefined> {
  const { process_id } = result(started).data as { process_id: string };
  const input = { action: "input", process_id, input: "\n", wait_for: "exit" };
  return result(await call("process", input, asModel))
    .text.split("\n")
    .at(-1);
}

describe.skipIf(process.platform === "win32")("what a command changed", () => {
  it("is told with its result, and as data", async () => {
    const { call } = await openWorkspace({ "a.txt": "a\n" }, { snapshots });
    const { text, data } = result(await call("exec", { command: "echo b >> a.txt; mkdir d; touch d/n" }, asModel));
    expect(linesOf(text)).toEqual(["(no output)", "[Changed: M a.txt +1, A d/n]"]);
    expect(data).toMatchObject({
      changed: {
        files: [
          { change: "changed", path: "a.txt" },
          { change: "created", path: "d/n" },
        ],
        ...{ more: 0, ignored: 0, not_covered: [], more_not_covered: 0, shared: false },
      },
    });
  });

  it("is told of a command in the background when it has ended", async () => {
    const { call } = await openWorkspace({}, { snapshots });
    const started = result(await call("exec", { command: "touch early; read; touch late", background: true }, asModel));
    expect(started.text).not.toContain("Changed");
    const id = (started.data as { process_id: string }).process_id;
    const polled = result(
      await call("process", { action: "input", process_id: id, input: "\n", wait_for: "exit" }, asModel),
    );
    expect(polled.text.split("\n").at(-1)).toBe(`[Changed: ${PERHAPS}A early, A late]`);
    expect(result(await call("process", { action: "status", process_id: id }, asModel)).text).toContain(
      `[Changed: ${PERHAPS}A early, A late]`,
    );
  });

  it("is told with each poll while it runs, and what came after the last one when it has ended", async () => {
    const { call } = await openWorkspace({ "a.txt": "a\n" }, { snapshots });
    const command =
      "echo b >> a.txt; echo one; read; echo c >> a.txt; touch new; echo two; read; rm new; echo three; read";
    const started = result(await call("exec", { command, background: true }, asModel));
    const process_id = (started.data as { process_id: string }).process_id;
    const poll = async (input: object): Promise<string[]> =>
      result(await call("process", { process_id, ...input }, asModel))
        .text.split("\n")
        .filter((line) => line.includes("Changed"));
    const goOn = { action: "input", input: "\n" };
    expect(await poll({ action: "poll", wait_for: "one" })).toEqual([`[Changed: ${PERHAPS}M a.txt +1]`]);
    expect(await poll({ action: "poll" })).toEqual([]);
    expect(await poll({ ...goOn, wait_for: "two" })).toEqual([`[Changed: ${PERHAPS}M a.txt +1, A new]`]);
    expect(await poll({ ...goOn, wait_for: "three" })).toEqual(["[Changed: D new]"]);
    expect(await poll({ ...goOn, wait_for: "exit" })).toEqual([]);
  });

  it("adds nothing where nothing changed", async () => {
    const { call } = await openWorkspace({ "a.txt": "a\n" }, { snapshots });
    const { text, data } = result(await call("exec", { command: "python3 -c 'print(1)' || true" }, asModel));
    expect(text).not.toContain("Changed");
    expect(data).toMatchObject({ changed: { files: [], not_covered: [] } });
  });

  it("is not looked for after a command that only reads", async () => {
    const none: Snapshots = {
      take: () => Promise.reject(new Error("It looked.")),
      compare: () => Promise.reject(new Error("It looked.")),
      contents: () => Promise.reject(new Error("It looked.")),
      left: () => Promise.resolve([]),
      done: () => undefined,
    };
    const { call, asked } = await openWorkspace({ "a.txt": "a\n" }, { snapshots: none });
    for (const mode of ["default", "bypass"] as const) {
      const read = result(await call("exec", { command: "cat a.txt" }, { as: "model", mode }));
      expect(asked).toEqual([]);
      expect(read.data).not.toHaveProperty("changed");
    }
    const changing = await call("exec", { command: "touch c" }, { as: "model", mode: "bypass" });
    expect(result(changing).data).toHaveProperty("changed");
  });

  it("is told apart from an edit made meanwhile", async () => {
    const { call } = await openWorkspace({ "a.txt": "a\n" }, { snapshots });
    const started = await call("exec", { command: "read; touch b", background: true }, asModel);
    result(await call("edit", { path: "a.txt", old_text: "a", new_text: "b" }, { as: "owner" }));
    expect(await endOf(call, started)).toBe(`[Changed: ${PERHAPS}A b; also edited or saved meanwhile: M a.txt]`);
  });

  /** Does something after a command has started and before the files are looked at. */
  function whileLooking(during: () => Promise<unknown>): Snapshots {
    return {
      take: async (...given) => {
        await during();
        return snapshots.take(...given);
      },
      compare: (...given) => snapshots.compare(...given),
      contents: (...given) => snapshots.contents(...given),
      left: () => snapshots.left(),
      done: (id) => snapshots.done(id),
    };
  }

  it("is told apart from an edit that was in the making when the command started", async () => {
    const { call, files } = await openWorkspace({ "a.txt": "a\n", "own.txt": "x\n" }, { snapshots });
    const writer = files as unknown as FileWriter;
    const write = writer.apply.bind(writer);
    let editing: ReturnType<typeof call> | undefined;
    const running = await new Promise<Awaited<ReturnType<typeof call>>>((resolve) => {
      vi.spyOn(writer, "apply").mockImplementationOnce(async (...given) => {
        const started = await call("exec", { command: "echo y >> own.txt; read", background: true }, asModel);
        const written = await write(...given);
        resolve(started);
        return written;
      });
      editing = call("edit", { path: "a.txt", old_text: "a", new_text: "b" }, { as: "owner" });
    });
    expect(await editing).toMatchObject({ ok: true });
    expect(await endOf(call, running)).toBe(
      `[Changed: ${PERHAPS}M own.txt +1; also edited or saved meanwhile: M a.txt]`,
    );
  });

  it("is what it made of an edit that was finished before the files were looked at", async () => {
    let edit = (): Promise<unknown> => Promise.resolve();
    const looked = whileLooking(() => edit());
    const { call, bytes, changes, files } = await openWorkspace({ "a.txt": "a\n" }, { snapshots: looked });
    edit = () => call("edit", { path: "a.txt", old_text: "a", new_text: "b" }, { as: "owner", session: "other" });
    const ran = result(await call("exec", { command: "echo c >> a.txt" }, { ...asModel, session: "s", turn: "t" }));
    expect(linesOf(ran.text)).toEqual(["(no output)", "[Changed: M a.txt +1]"]);
    const journal = await changes.journal();
    const calls = journal.calls({ session: "s", turn: "t" });
    expect(journal.changes(calls.map(({ id }) => id))).toHaveLength(1);
    const undo = { session: "s", turn: "u", callId: "c", door: "cli", summary: "" } as const;
    await changes.undo(undo, { session: "s", turn: "t" }, files, AbortSignal.timeout(60_000));
    expect((await bytes("a.txt")).toString()).toBe("b\n");
  });
});
