import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capabilitiesNote } from "../../../src/agent/capabilitiesNote.js";
import { offeredSkills } from "../../../src/agent/skillOffers.js";
import { workspaceNotes } from "../../../src/agent/workspaceNotes.js";
import { CAPABILITIES_PATH } from "../../../src/features/documents/capabilitiesFile.js";
import type { Files } from "../../../src/ports/files.js";
import { asOrdinaryUser, openWorkspace } from "../tools/workspace.js";

const SKILL = "---\nname: deploy\ndescription: Ship it.\n---\nText.\n";
const never = new AbortController().signal;
const cases: { path: string; what: string; told: (files: Files) => Promise<string> }[] = [
  {
    what: "a guide",
    path: "AGENTS.md",
    told: async (files) =>
      (await workspaceNotes(files, true, never)).map(({ path, text }) => `${path}: ${text}`).join("\n"),
  },
  {
    what: "the memory",
    path: ".toolhost/MEMORY.md",
    told: async (files) =>
      (await workspaceNotes(files, true, never)).map(({ path, text }) => `${path}: ${text}`).join("\n"),
  },
  {
    what: "the capabilities",
    path: CAPABILITIES_PATH,
    told: async (files) => (await capabilitiesNote(files, never)).join("\n"),
  },
  { what: "the skills", path: ".agents/skills", told: async (files) => offeredSkills(files, never) },
];

test.each(cases)(
  "of $what that cannot be read a model is told so, and not as if there were none",
  async ({ path, told }) => {
    const tree = path === ".agents/skills" ? { ".agents/skills/deploy/SKILL.md": SKILL } : { [path]: "Use tabs.\n" };
    const { folder, files } = await openWorkspace(tree);
    expect(await told(files)).toMatch(/Use tabs\.|deploy: Ship it\./);
    await chmod(folder, 0o755);
    await chmod(join(folder, path), 0);
    const text = await asOrdinaryUser(() => told(files));
    await chmod(join(folder, path), 0o755);
    expect(text).toContain(path);
    expect(text).toContain("could not be read, so its contents are unknown: ");
    expect(text).toContain("the system does not permit it");
  },
);
