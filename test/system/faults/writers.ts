// Writers that change the same files side by side, in one process or in several: each does its work again until it is
// accepted.
import { ChangeKeeper } from "../../../src/features/changes/changes.js";
import { ToolError } from "../../../src/core/errors.js";
import { lookAt } from "../../../src/features/changes/journal/look.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState.js";

/** What a change that came too late is told: the file is another one by now. */
const TOO_LATE = ["stale", "conflict", "path_conflict"];

/** The files of a writer: two neighbours of a ring, so that no two writers' sets are alike and each overlaps others. */
export function filesOf(writer: number, ring: number): string[] {
  return [`f${writer % ring}`, `f${(writer + 1) % ring}`];
}

/** A keeper as each process has its own. */
export function keeperOn(folder: string): { keeper: ChangeKeeper; files: NodeFiles; states: WorkspaceStates } {
  const files = new NodeFiles(new NodeDisk(), [{ name: "work", path: folder, scheme: "file" }]);
  const states = new WorkspaceStates({
    folders: () => [folder],
    look: (key) => lookAt(files, key),
    foldCase: false,
    onNotice: (message) => process.stderr.write(message),
    onRecovered: () => process.stderr.write("recovered what was still under way"),
  });
  return {
    keeper: new ChangeKeeper({ writer: files, state: (again) => states.current(again), tellsProblems: () => false }),
    files,
    states,
  };
}

/** Adds a writer's line to each of its files, all in one call; how often it was told to do it again. */
export async function addLine(
  { keeper, files }: Pick<ReturnType<typeof keeperOn>, "keeper" | "files">,
  writer: number,
  names: readonly string[],
): Promise<number> {
  const signal = new AbortController().signal;
  for (let refused = 0; ; refused++) {
    const { changes } = keeper.forCall(
      { session: `s${writer}`, turn: "t", callId: `c${writer}`, tool: "edit", door: "cli", summary: "", reads: "free" },
      files,
    );
    try {
      const befores = await Promise.all(
        names.map(async (name) => {
          const at = await files.resolve(name);
          return { at, before: await changes.before(at, 1_000_000) };
        }),
      );
      await changes.apply(
        befores.map(({ at, before }) => ({ kind: "replace", at, before, text: `${before.text}writer ${writer}\n` })),
        signal,
      );
      return refused;
    } catch (error) {
      if (!(error instanceof ToolError) || !TOO_LATE.includes(error.type)) {
        throw error;
      }
    }
  }
}

/** `node writers.cjs <folder> <ring> <first> <count>`. */
async function main([folder = "", ring, first, count]: string[]): Promise<void> {
  const host = keeperOn(folder);
  await Promise.all(
    Array.from({ length: Number(count) }, (_, index) =>
      addLine(host, Number(first) + index, filesOf(Number(first) + index, Number(ring))),
    ),
  );
  host.states.close();
}

if (process.env["FAULT_WRITERS"] !== undefined) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  });
}
