// What is looked at to find where the paths of a command lie stays small, however deep or wide the folders are.
import { describe, expect, it } from "vitest";
import { bareRepositories, configuredDoubt } from "../../../../src/core/permission/commands/gitDoubts.js";
import { findUse } from "../../../../src/core/permission/commands/pathUse.js";
import { CommandPlaces } from "../../../../src/core/permission/commands/places.js";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";
import type { Files } from "../../../../src/ports/files.js";

interface Looked {
  /** Names of all paths that were followed. */
  names: number;
  listings: number;
  /** Listings at once, at most. */
  atOnce: number;
}

/** The files of a disk in memory, and what is looked at of them. */
function watched(disk: MemoryDisk): { files: Files; looked: Looked } {
  const real = new MemoryFiles(disk, [{ name: "work", path: "/work", scheme: "memory" }]);
  const looked: Looked = { names: 0, listings: 0, atOnce: 0 };
  let running = 0;
  const files = new Proxy<Files>(real, {
    get: (target, name: keyof Files) => {
      if (name === "resolve") {
        return (path: string) => {
          looked.names += path.split("/").length;
          return target.resolve(path);
        };
      }
      if (name === "list") {
        return async (...call: Parameters<Files["list"]>) => {
          looked.listings++;
          looked.atOnce = Math.max(looked.atOnce, ++running);
          try {
            return await target.list(...call);
          } finally {
            running--;
          }
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as (...call: unknown[]) => unknown).bind(target) : value;
    },
  });
  return { files, looked };
}

describe("the places of a command", () => {
  it("are looked for in a bounded part of a path of 1,400 folders", async () => {
    const disk = new MemoryDisk();
    const deep = Array.from({ length: 1_400 }, () => "d").join("/");
    disk.write(`/work/${deep}/f`, Buffer.from("x"));
    const { files, looked } = watched(disk);
    const places = new CommandPlaces(files, await files.resolve("."));
    expect(await bareRepositories(places, [deep])).toMatchObject([
      { problem: expect.stringMatching(/cannot be read/) as string },
    ]);
    expect(looked.names).toBeLessThan(20_000);
  });

  it("are not climbed up from in folders deeper than real ones, for a repository's configuration", async () => {
    const disk = new MemoryDisk();
    const deep = Array.from({ length: 120 }, () => "d").join("/");
    disk.write(`/work/${deep}/f`, Buffer.from("x"));
    const { files } = watched(disk);
    const places = new CommandPlaces(files, await files.resolve("."));
    await expect(configuredDoubt(places, [deep])).rejects.toThrow();
  });

  it("are followed in folders as deep as real ones", async () => {
    const disk = new MemoryDisk();
    const deep = Array.from({ length: 18 }, (_, level) => `d${level}`).join("/");
    disk.write(`/work/${deep}/f`, Buffer.from("x"));
    const { files } = watched(disk);
    const places = new CommandPlaces(files, await files.resolve("."));
    expect(await bareRepositories(places, [deep])).toEqual([]);
  });

  it("are found with one look into a folder, however many patterns there are, and no two folders at once", async () => {
    const disk = new MemoryDisk();
    for (let count = 0; count < 2_000; count++) {
      disk.write(`/work/wide${count % 2}/f${count}`, Buffer.from("x"));
    }
    const { files, looked } = watched(disk);
    const places = new CommandPlaces(files, await files.resolve("."));
    const uses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        findUse(places, { kind: "read", path: `wide${index % 2}/f${index}*`, bases: ["."] }),
      ),
    );
    expect(uses[4]?.files.map(({ path }) => path)).toContain("wide0/f4");
    expect([looked.listings, looked.atOnce]).toEqual([2, 1]);
  });

  it("are not looked for in further folders once one held too many", async () => {
    const disk = new MemoryDisk();
    for (let count = 0; count < 7_000; count++) {
      disk.write(`/work/wide${count % 7}/${count < 6_000 ? "a" : "b"}${count}`, Buffer.from("x"));
    }
    const { files, looked } = watched(disk);
    const places = new CommandPlaces(files, await files.resolve("."));
    const uses = await Promise.all(
      Array.from({ length: 7 }, (_, index) => findUse(places, { kind: "read", path: `wide${index}/*`, bases: ["."] })),
    );
    expect(uses.at(-1)?.problem).toMatch(/more files than are checked/);
    expect(looked.listings).toBeLessThan(7);
  });
});
