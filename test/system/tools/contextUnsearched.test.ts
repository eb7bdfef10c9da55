// The context store is not a source: grep and glob do not look into it, and nothing they say depends on what it holds.
import { describe, expect, test } from "vitest";
import { hosts, openWorkspace, result, type FileTree } from "../../unit/tools/workspace.js";

const STORE = ".toolhost/context";
const sources: FileTree = { "a.ts": "hay\n", ".toolhost/MEMORY.md": "hay\n", "sub/.toolhost/context.md": "hay\n" };
const kept: FileTree = {
  [`${STORE}/.gitignore`]: "*\n",
  [`${STORE}/needle.ts`]: "needle and hay\n",
  [`${STORE}/deep/needle.md`]: "needle and hay\n",
};

interface Found {
  files: { path: string }[];
}

describe.each(hosts)("on the %s host", (host) => {
  const cases: { name: string; tool: "grep" | "glob"; input: object; found: string[] }[] = [
    {
      name: "of the workspace",
      tool: "grep",
      input: { pattern: "hay" },
      found: [".toolhost/MEMORY.md", "a.ts", "sub/.toolhost/context.md"],
    },
    { name: "for what stands there alone", tool: "grep", input: { pattern: "needle" }, found: [] },
    { name: "with ignored files", tool: "grep", input: { pattern: "needle", include_ignored: true }, found: [] },
    {
      name: "with an include that names it",
      tool: "grep",
      input: { pattern: "needle", include: `${STORE}/**` },
      found: [],
    },
    {
      name: "of the folder above it",
      tool: "grep",
      input: { pattern: "hay", path: ".toolhost", include_ignored: true },
      found: [".toolhost/MEMORY.md"],
    },
    {
      name: "of the workspace",
      tool: "glob",
      input: { pattern: "**" },
      found: [".toolhost/MEMORY.md", "a.ts", "sub/.toolhost/context.md"],
    },
    { name: "by a name", tool: "glob", input: { pattern: "needle.*" }, found: [] },
    { name: "with ignored files", tool: "glob", input: { pattern: "needle.*", include_ignored: true }, found: [] },
    {
      name: "by a pattern that names it",
      tool: "glob",
      input: { pattern: `${STORE}/**`, include_ignored: true },
      found: [],
    },
    {
      name: "of the folder above it",
      tool: "glob",
      input: { pattern: "**", path: ".toolhost", include_ignored: true },
      found: [".toolhost/MEMORY.md"],
    },
  ];
  test.each(cases)("$tool $name: the same answer with and without it", async ({ tool, input, found }) => {
    const without = await openWorkspace(sources, { host });
    const withStore = await openWorkspace({ ...sources, ...kept }, { host });
    const answer = result<Found>(await withStore.call(tool, input));
    expect(answer.data.files.map(({ path }) => path)).toEqual(found);
    // Nor does it say that ignored files would match.
    expect(answer.text).toBe(result<Found>(await without.call(tool, input)).text);
  });
});
