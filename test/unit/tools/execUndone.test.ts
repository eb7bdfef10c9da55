import { expect, it } from "vitest";
import { exec } from "../../../src/tools/runtime/exec.js";

it.each([
  [
    "the disk with Toolhost's state is full",
    ["Undo will not cover what it changes: the disk with Toolhost's state is full."],
  ],
  [undefined, undefined],
])("the question about a command says before it runs what is lost: %s", async (why, remarks) => {
  const context = { processes: { whyNotUndone: () => why } } as unknown as Parameters<
    NonNullable<typeof exec.preview>
  >[1];
  expect((await exec.preview?.({ command: "rm -rf src" }, context))?.remarks).toEqual(remarks);
});
