import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { notStarted } from "../../../src/hosts/node/processes/spawner.js";

// The folder is there, with a path as long as wanted.
const folder = (length: number): string => `${tmpdir()}/`.padEnd(length - (length % 2), "./");
const error = Object.assign(new Error("spawn pwsh.exe ENOENT"), { code: "ENOENT" });

test.each([
  { length: 258, windows: true, type: "io_error" },
  { length: 260, windows: true, type: "unsupported" },
  { length: 260, windows: false, type: "io_error" },
])("a command in a folder whose path has $length characters, on Windows: $windows: $type", (given) => {
  const told = notStarted(error, { folder: folder(given.length), shownFolder: "deep" }, given.windows);
  expect(told.type).toBe(given.type);
  expect(told.message).toContain(given.type === "unsupported" ? "this one has 260" : "could not be started");
});
