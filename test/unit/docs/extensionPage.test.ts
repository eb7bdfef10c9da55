// The page that VS Code shows of the extension: it names nothing that is not there.
import { readManifest } from "../../harness/manifest.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extensionPage, repository } from "../../../scripts/paths.mjs";
import { CHORD, PARTICIPANT } from "../../../src/names/contributed.js";

interface Manifest {
  contributes: {
    commands: { command: string; title: string; category?: string }[];
    keybindings: { command: string; key: string }[];
    configuration: { properties: Record<string, unknown> }[];
  };
}

const page = readFileSync(join(repository, extensionPage), "utf8");
const { contributes } = readManifest() as Manifest;
const all = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, found = ""]) => found);
const titled = contributes.commands.map(({ command, title, category }) => ({
  command,
  name: category === undefined ? title : `${category}: ${title}`,
}));

describe("the extension's page", () => {
  test("is what is packaged as its readme", () => {
    // test/e2e/vsix.e2e.test.ts looks into the package.
    expect(readFileSync(join(repository, "scripts/package.mjs"), "utf8")).toContain("readmePath: extensionPage");
    expect(readFileSync(join(repository, ".vscodeignore"), "utf8")).not.toContain("README.md");
  });

  test("has no pictures, and no links that VS Code could not follow", () => {
    expect(all(/(!\[|<img|<video)/g)).toEqual([]);
    expect(all(/\]\(([^)]*)\)/g).filter((target) => !target.startsWith("https://"))).toEqual([]);
  });

  test("names commands that there are, with their keys", () => {
    const named = all(/\*(Toolhost: [^*]+)\*/g);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !titled.some((each) => each.name === name))).toEqual([]);
    for (const [, name = "", letter = ""] of page.matchAll(/\*(Toolhost: [^*]+)\* \(Ctrl\+Alt\+H (.)\)/g)) {
      const command = titled.find((each) => each.name === name)?.command;
      expect(contributes.keybindings).toContainEqual(
        expect.objectContaining({ command, key: `${CHORD} ${letter.toLowerCase()}` }),
      );
    }
    expect(all(/(Ctrl\+\S+ \w)/g)).toHaveLength(contributes.keybindings.length);
    expect(titled.map(({ name }) => name)).toContain("Search Here with Toolhost…");
  });

  test("names settings and chat commands that there are", () => {
    const settings = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    const named = all(/`(toolhost\.[\w.]+)`/g);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !settings.includes(name))).toEqual([]);
    const commands = PARTICIPANT.commands.map(({ name }) => name as string);
    expect(all(/`@toolhost \/(\w+)/g).filter((name) => !commands.includes(name))).toEqual([]);
  });
});
