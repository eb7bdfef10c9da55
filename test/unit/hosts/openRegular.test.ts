// A file is read and written where it was decided on, whatever its folders became meanwhile.
import { mkdir, readFile, rename, symlink, unlink, writeFile } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRegular, statWritable } from "../../../src/hosts/node/disk/openRegular.js";
import { tempFolder } from "../tools/workspace.js";

describe.skipIf(process.platform !== "linux")("a file whose folder is a link at the moment of opening", () => {
  it.each([
    ["reading", constants.O_RDONLY],
    ["writing", constants.O_WRONLY],
  ])("is not opened for %s", async (_what, access) => {
    const folder = await tempFolder();
    await mkdir(join(folder, "outside"));
    await writeFile(join(folder, "outside", "f.txt"), "theirs");
    await symlink(join(folder, "outside"), join(folder, "inside"));
    await expect(openRegular(join(folder, "inside", "f.txt"), access)).rejects.toMatchObject({ type: "stale" });
    await expect(statWritable(join(folder, "inside", "f.txt"))).rejects.toMatchObject({ type: "stale" });
    expect(await readFile(join(folder, "outside", "f.txt"), "utf8")).toBe("theirs");
  });

  it("is opened once it is a folder again, by any odd name, and one that is removed meanwhile, too", async () => {
    const folder = await tempFolder();
    for (const name of ["plain.txt", "ü é.txt", "u\u0308.txt", "x (deleted)", "a\nb"]) {
      const path = join(folder, "inside", name);
      await mkdir(join(folder, "inside"), { recursive: true });
      await writeFile(path, "ours");
      const { file } = await openRegular(path);
      await rename(path, `${path}.moved`);
      expect(await file.readFile("utf8")).toBe("ours");
      await file.close();
      await unlink(`${path}.moved`);
    }
  });
});
