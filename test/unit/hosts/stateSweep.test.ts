import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, onTestFinished } from "vitest";
import { sweepStates } from "../../../src/hosts/node/state/stateSweep.js";
import { workspaceStateFolder } from "../../../src/hosts/node/state/stateFolder.js";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState.js";
import { tempFolder } from "../tools/workspace.js";

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2030, 0, 15, 12);
const HASH = "0123456789abcdef0123456789abcdef";

/** Puts a file or a folder, with all that is in it, to a day before now. */
function age(path: string, days: number): void {
  for (const name of statSync(path).isDirectory() ? readdirSync(path) : []) {
    age(join(path, name), days);
  }
  const at = (NOW - days * DAY) / 1000;
  utimesSync(path, at, at);
}

async function stateOf(
  folders: readonly string[],
  days: number,
  name = HASH,
): Promise<{ root: string; folder: string }> {
  const root = join(await tempFolder(), "workspaces");
  const folder = join(root, name);
  mkdirSync(join(folder, "results"), { recursive: true });
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ folders }));
  writeFileSync(join(folder, "state.db"), "texts");
  age(folder, days);
  return { root, folder };
}

describe("the state of a workspace", () => {
  const places: { name: string; folders: (real: string) => string[]; days?: number; kept: boolean }[] = [
    { name: "that is gone for more than 30 days", folders: (real) => [join(real, "gone")], kept: false },
    {
      name: "that is gone with the folders above it",
      folders: (real) => [join(real, "gone/deep/deeper")],
      kept: false,
    },
    {
      name: "all of whose folders are gone",
      folders: (real) => [join(real, "gone"), join(real, "gone too")],
      kept: false,
    },
    { name: "that is gone and was used 29 days ago", folders: (real) => [join(real, "gone")], days: 29, kept: true },
    { name: "that is there", folders: (real) => [real], kept: true },
    { name: "one of whose folders is there", folders: (real) => [join(real, "gone"), real], kept: true },
    { name: "where a file is in the folder's place", folders: (real) => [join(real, "a file")], kept: true },
    {
      name: "above which an empty folder is left, as where a disk was mounted",
      folders: (real) => [join(real, "empty/gone")],
      kept: true,
    },
    {
      name: "on a mounted disk",
      folders: () => ["/mnt/disk/gone", "/media/me/disk/gone", "/Volumes/Disk/gone", "/run/media/me/disk/gone"],
      kept: true,
    },
    { name: "on a share", folders: () => ["//server/share/gone"], kept: true },
    { name: "of which the whole home is missing", folders: () => ["/home/nobody-here/gone"], kept: true },
    { name: "that is on no disk", folders: () => ["vscode-vfs://github/a/b"], kept: true },
    { name: "that noted no folder", folders: () => [], kept: true },
  ];
  test.each(places)("$name: kept $kept", async ({ folders, days = 31, kept }) => {
    const real = await tempFolder({ "a file": "", empty: undefined, full: "" });
    const { root, folder } = await stateOf(folders(real), days);
    await sweepStates(root, NOW);
    expect(existsSync(join(folder, "state.db"))).toBe(kept);
    expect(readdirSync(root).sort()).toEqual([...(kept ? [HASH] : []), "swept-2030-01-15"].sort());
  });

  test("is nobody else's folder: what has another name stays", async () => {
    const real = await tempFolder({ x: "" });
    const { root, folder } = await stateOf([join(real, "gone")], 100, "my-own-folder");
    await sweepStates(root, NOW);
    expect(existsSync(folder)).toBe(true);
  });

  test("whose removal was cut off is removed with the next sweep", async () => {
    const { root, folder } = await stateOf([], 100, `${HASH}.gone`);
    await sweepStates(root, NOW);
    expect(existsSync(folder)).toBe(false);
  });

  test("loses results of more than a week, and damaged files of more than 90 days, though nothing is stored there", async () => {
    const { root, folder } = await stateOf([await tempFolder()], 40);
    const put = (name: string, days: number): void => {
      writeFileSync(join(folder, name), "x");
      age(join(folder, name), days);
    };
    for (const [id, days] of [
      ["r00000000000a", 6],
      ["r00000000000b", 8],
    ] as const) {
      put(`results/${id}.txt`, days);
      put(`results/${id}.json`, days);
    }
    put("results/r00000000000c.json.tmp", 8);
    put("results/somebody's.txt", 400);
    put("state.db.corrupt-2029-11-01T00-00-00-000Z", 75);
    put("state.db.corrupt-2029-10-01T00-00-00-000Z", 100);
    await sweepStates(root, NOW);
    expect(readdirSync(join(folder, "results")).sort()).toEqual([
      "r00000000000a.json",
      "r00000000000a.txt",
      "somebody's.txt",
    ]);
    expect(readdirSync(folder).sort()).toEqual([
      "results",
      "state.db",
      "state.db.corrupt-2029-11-01T00-00-00-000Z",
      "workspace.json",
    ]);
  });

  test("loses search indexes of earlier versions that nobody has used for 30 days", async () => {
    const { root, folder } = await stateOf([await tempFolder()], 40);
    for (const [name, days] of [
      ["knowledge-1.db", 31],
      ["knowledge-1.db-wal", 31],
      ["knowledge-1.db-shm", 29],
      ["knowledge-2.db", 400],
    ] as const) {
      writeFileSync(join(folder, name), "x");
      age(join(folder, name), days);
    }
    await sweepStates(root, NOW);
    expect(readdirSync(folder).sort()).toEqual([
      "knowledge-1.db-shm",
      "knowledge-2.db",
      "results",
      "state.db",
      "workspace.json",
    ]);
  });

  test("is looked at once a day, by one of many processes", async () => {
    const { root, folder } = await stateOf([await tempFolder()], 40);
    const old = join(folder, "results/r00000000000b.txt");
    const put = (): void => {
      writeFileSync(old, "x");
      age(old, 8);
    };
    put();
    await Promise.all(Array.from({ length: 5 }, () => sweepStates(root, NOW)));
    expect(existsSync(old)).toBe(false);
    put();
    await sweepStates(root, NOW + 3_600_000);
    expect(existsSync(old)).toBe(true);
    await sweepStates(root, NOW + DAY);
    expect(existsSync(old)).toBe(false);
    expect(readdirSync(root).filter((name) => name.startsWith("swept-"))).toEqual(["swept-2030-01-16"]);
  });
});

test("compiled code goes after 7 days", async () => {
  const { root } = await stateOf(["/gone"], 0);
  const code = join(root, "../code/v24");
  mkdirSync(code, { recursive: true });
  for (const [name, days] of [
    ["old", 8],
    ["new", 6],
  ] as const) {
    writeFileSync(join(code, name), "code");
    age(join(code, name), days);
  }
  await sweepStates(root, NOW);
  expect(readdirSync(code)).toEqual(["new"]);
});

test("reading is enough: the state that is opened sweeps in the background", async () => {
  const workspace = await tempFolder();
  // A state of its own: the other tests share one, of which the day may be claimed, and whose steps they count.
  const shared = process.env["TOOLHOST_STATE"];
  process.env["TOOLHOST_STATE"] = await tempFolder();
  onTestFinished(() => void (process.env["TOOLHOST_STATE"] = shared));
  const folder = workspaceStateFolder([workspace]);
  mkdirSync(join(folder, "results"), { recursive: true });
  const old = join(folder, "results/r00000000000b.txt");
  writeFileSync(old, "x");
  utimesSync(old, 1, 1);
  const states = new WorkspaceStates({
    folders: () => [workspace],
    look: () => Promise.resolve(undefined),
    foldCase: false,
    onNotice: () => undefined,
    onRecovered: () => undefined,
  });
  onTestFinished(() => states.close());
  await states.current();
  await expect.poll(() => existsSync(old)).toBe(false);
});
