// What is rolled back again after a first try was killed too: a link may have its place back by then.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashOf } from "../../../src/hosts/node/disk/fileState.js";
import { takeAllBack } from "../../../src/hosts/node/state/takeBack.js";
import type { StepNote } from "../../../src/hosts/shared/disk.js";

test.skipIf(process.platform === "win32")("a rollback leaves alone what a link above its files leads to", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-links-")));
  const at = (path: string): string => join(folder, path);
  mkdirSync(at("other/sub"), { recursive: true });
  writeFileSync(at("other/a"), "same\n");
  symlinkSync("other", at("lib"));
  const hash = hashOf(Buffer.from("same\n"));
  // The bytes of a file that was removed are nowhere else.
  writeFileSync(at(".old"), "mine\n");
  const notes: StepNote[] = [
    { kind: "remove", path: at("lib/a"), old: at(".old"), folders: [at("lib/sub")] },
    { kind: "create", path: at("lib/a"), temporary: at(".new"), back: at("lib/.back"), hash, folders: [at("lib/sub")] },
  ];
  await takeAllBack(notes);
  expect(readdirSync(at("other"))).toEqual(["a", "sub"]);
  expect(readFileSync(at("other/a"), "utf8")).toBe("same\n");
  expect(readFileSync(at(".old"), "utf8")).toBe("mine\n");
  rmSync(folder, { recursive: true });
});
