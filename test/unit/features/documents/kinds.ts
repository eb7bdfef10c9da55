// The four kinds of documents as tests have them: where they are, one that is well-formed, and what writes one.
import type { hosts } from "../../tools/workspace.js";
import { openWorkspace, type FileTree, type TestWorkspace } from "../../tools/workspace.js";

const NOW = Date.parse("2026-03-01T10:00:00.000Z");
export const STAMP = '"2026-03-01T10:00:00.000Z"';

export const PATHS = {
  skill: (name: string) => `.agents/skills/${name}/SKILL.md`,
  prompt: (name: string) => `.github/prompts/${name}.prompt.md`,
  task: (name: string) => `.toolhost/tasks/${name}.md`,
  schedule: (name: string) => `.toolhost/schedules/${name}.md`,
} as const;
export type Noun = keyof typeof PATHS;
export const nouns = Object.keys(PATHS) as Noun[];

/** A well-formed document of each kind. */
export const WELL: Record<Noun, (name: string) => string> = {
  skill: (name) => `---\nname: ${name}\ndescription: What it does.\nlicense: MIT # ours\n---\n\nDo it.\n`,
  prompt: (name) =>
    `---\ndescription: What ${name} is for.\nmode: agent\nmodel: some-model\ntools: [a, b]\n---\n\nSay it.\n`,
  task: (name) => `---\nid: ${name}\ntitle: The ${name}\n# by hand\npriority: low\n---\n\nDo it.\n`,
  schedule: (name) => `---\nid: ${name}\nschedule: 0 9 * * 1-5\n---\n\nSay it.\n`,
};

/** The input that writes one of each kind, apart from its name. */
export const INPUT: Record<Noun, object> = {
  skill: { description: "New.", body: "New text." },
  prompt: { description: "New.", body: "New text." },
  task: { description: "New text." },
  schedule: { schedule: "*/5 * * * *", prompt: "New text." },
};

export const open = (files: FileTree = {}, host: (typeof hosts)[number] = "node"): Promise<TestWorkspace> =>
  openWorkspace(files, { host, now: () => NOW });
export const text = async (workspace: TestWorkspace, path: string): Promise<string> =>
  String(await workspace.bytes(path));

/** Calls `document`. */
export const onDocument = (
  workspace: TestWorkspace,
  kind: Noun,
  action: string,
  input: object = {},
  caller?: Parameters<TestWorkspace["call"]>[2],
): ReturnType<TestWorkspace["call"]> => workspace.call("document", { action, kind, ...input }, caller);
