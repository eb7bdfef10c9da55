import { Validator, type Schema } from "@cfworker/json-schema";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isRecord } from "../../../src/core/jsonSchema.js";
import { agentFile } from "../../../src/manifest/agentFile.js";
import { localize } from "../../../src/manifest/localize.js";
import { contributions } from "../../../src/manifest/manifest.js";
import { toolsSchema } from "../../../src/manifest/toolsSchema.js";
import { toolsPage } from "../../../src/manifest/toolsPage.js";
import { AGENT } from "../../../src/names/contributed.js";
import { readManifest } from "../../harness/manifest.js";
import { lmName } from "../../../src/names/tools.js";
import { tools } from "../../../src/tools/index.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface ToolContribution {
  name: string;
  displayName: string;
  modelDescription: string;
  userDescription: string;
  toolReferenceName: string;
  canBeReferencedInPrompt: boolean;
  icon: string;
  tags: string[];
  when: string;
  inputSchema: Record<string, unknown>;
}

interface Manifest {
  engines: { vscode: string };
  contributes: {
    languageModelTools: ToolContribution[];
    chatParticipants: Record<string, unknown>[];
    configuration: { title: string; order: number; properties: Record<string, { scope?: string }> }[];
    [point: string]: unknown;
  };
  capabilities: Record<string, unknown>;
}

const read = (path: string): string => readFileSync(root + path, "utf8");
const manifest = readManifest() as Manifest;
const contributed = manifest.contributes.languageModelTools;

/** Files of a folder of the repository, at any depth. */
function filesBelow(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

/** The settings of all sections. */
const settings = Object.assign({}, ...manifest.contributes.configuration.map(({ properties }) => properties)) as Record<
  string,
  { scope?: string; items?: Schema }
>;

describe("what people read can be translated", () => {
  const raw = JSON.parse(read("package.json")) as Manifest;
  const texts = JSON.parse(read("package.nls.json")) as Record<string, string>;
  const keys = [...JSON.stringify(raw.contributes).matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key);

  test("every text has a key, and every key a text", () => {
    expect([...new Set(keys)].toSorted()).toEqual(Object.keys(texts).toSorted());
    const { contributes } = localize(contributions(tools));
    expect(raw.contributes).toEqual(JSON.parse(JSON.stringify(contributes)));
    for (const { title } of raw.contributes["commands"] as { title: string }[]) {
      expect(title).toMatch(/^%commands\..+%$/);
    }
  });

  test("a model's texts are as they are", () => {
    for (const { modelDescription, inputSchema } of raw.contributes.languageModelTools) {
      expect(modelDescription).not.toMatch(/^%/);
      expect(JSON.stringify(inputSchema)).not.toMatch(/"%[^"%]+%"/);
    }
  });
});

describe("package.json and docs/tools.md are what the registry says (npm run manifest)", () => {
  test("contributions", () => {
    expect(manifest.contributes).toEqual(JSON.parse(JSON.stringify(contributions(tools))));
  });

  test("the schema of files of tools", () => {
    expect(JSON.parse(read("media/tools.schema.json"))).toEqual(JSON.parse(JSON.stringify(toolsSchema())));
  });

  test("the agent in VS Code's agent menu, which names no tool that it does not have", () => {
    const text = read(AGENT.file);
    expect(text).toBe(agentFile(tools));
    const [, listed = ""] = /^tools: (\[.*\])$/m.exec(text) ?? [];
    const own = (JSON.parse(listed) as string[]).flatMap((name) => name.split("toolhost.toolhost/")[1] ?? []);
    expect(own).toEqual(tools.filter(({ expose }) => expose === "default").map((tool) => lmName(tool)));
    const named = [...text.slice(text.lastIndexOf("\n---")).matchAll(/`(toolhost_\w+)`/g)].map(
      ([, name]) => name ?? "",
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !own.includes(name))).toEqual([]);
  });

  test("the settings of tools and services check entries as the file's schema does", () => {
    const items = (setting: string): Schema => (settings[setting] as { items: Schema }).items;
    const isRight = (setting: string, entry: object): boolean =>
      new Validator(items(setting), "7").validate(entry).valid;
    const { $ref, ...own } = { ...(items("toolhost.tools") as { $ref?: string }) };
    expect([$ref, JSON.stringify(own).includes("$ref")]).toEqual([undefined, false]);
    const command = { name: "count_lines", description: "Count.", command: "wc" };
    const parameters = { properties: { list: { type: "array", description: "d", items: { type: "string" } } } };
    for (const entry of [
      command,
      { ...command, parameters },
      { name: "todo", use: "grep", with: { pattern: "TODO" } },
    ]) {
      expect(isRight("toolhost.tools", entry)).toBe(true);
    }
    for (const entry of [
      { ...command, comand: "x" },
      { ...command, timeout: "5" },
      { name: "todo", use: 1 },
    ]) {
      expect(isRight("toolhost.tools", entry)).toBe(false);
    }
    expect(isRight("toolhost.openapi.services", { spec: "./pets.json", operations: ["getPet"] })).toBe(true);
    expect(isRight("toolhost.openapi.services", { spec: "./pets.json", operation: ["getPet"] })).toBe(false);
  });

  test("the page of tools", () => {
    expect(read("docs/tools.md")).toBe(toolsPage(tools));
  });

  test("every tool that may be one is a language model tool", () => {
    expect(contributed.map(({ name }) => name)).toEqual(
      tools.filter(({ expose }) => expose !== "never").map(({ name }) => `toolhost_${name}`),
    );
  });
});

/** Reference names that built-in tools of VS Code and Copilot have (vscode.md §1.1, VS Code 1.139). */
const TAKEN = [
  "readFile",
  "listDirectory",
  "fileSearch",
  "textSearch",
  "codebase",
  "symbols",
  "createFile",
  "createDirectory",
  "editFiles",
  "applyPatch",
  "replaceString",
  "multiReplaceString",
  "insertEdit",
  "problems",
  "changes",
  "fetch",
  "githubRepo",
  "githubTextSearch",
  "memory",
  "viewImage",
  "usages",
  "rename",
  "runTests",
  "testFailure",
  "runTask",
  "createAndRunTask",
  "getTaskOutput",
  "getTerminalOutput",
  "killTerminal",
  "sendToTerminal",
  "terminalLastCommand",
  "terminalSelection",
  "todo",
  "askQuestions",
  "reviewPlan",
  "extensions",
  "new",
  "skill",
  "vscodeAPI",
  "runCommand",
  "installExtension",
  "switchAgent",
  "toolSearch",
  "newWorkspace",
  "artifacts",
];

/** What VS Code's schema of a language model tool knows; it allows nothing else. */
const TOOL_FIELDS = [
  "name",
  "displayName",
  "modelDescription",
  "userDescription",
  "toolReferenceName",
  "canBeReferencedInPrompt",
  "inputSchema",
  "tags",
  "icon",
  "when",
];

/** Tools that are not offered in a browser. */
const NEED_COMPUTER = ["exec", "process", "run_task", "pipe", "query", "web_fetch", "web_search", "message"].map(
  (name) => `toolhost_${name}`,
);

describe.each(contributed)("$name", (tool) => {
  test("has a name of its own that VS Code and model APIs take", () => {
    expect(tool.name).toMatch(/^(?!copilot_|vscode_)[\w-]+$/);
    expect(tool.name.length).toBeLessThanOrEqual(64);
    expect(tool.toolReferenceName).toMatch(/^[\w-]+$/);
    expect(TAKEN).not.toContain(tool.toolReferenceName);
    expect(tool.tags.filter((tag) => /^(copilot_|vscode_)/.test(tag))).toEqual([]);
  });

  test("is in the picker, while its group is on", () => {
    expect(tool.canBeReferencedInPrompt).toBe(true);
    const all = tool.when.split(" && ");
    const isOnComputers = all[0] === "!toolhost.inBrowser";
    expect(isOnComputers).toBe(NEED_COMPUTER.includes(tool.name));
    const conditions = all.slice(isOnComputers ? 1 : 0);
    expect(conditions.at(-1)).toMatch(/^config\.toolhost\.groups\.\w+ (!= off|== all)$/);
    for (const condition of conditions) {
      expect(condition).toMatch(/^config\.\S+( != off| == all)?$/);
      expect(settings).toHaveProperty([condition.replace(/^config\.| .*$/g, "")]);
    }
  });

  test("is described for models and people", () => {
    expect(tool.modelDescription.length).toBeGreaterThan(40);
    expect(tool.modelDescription.length).toBeLessThanOrEqual(1_024);
    expect(tool.userDescription).toMatch(/\.$/);
    expect(tool.userDescription.length).toBeLessThanOrEqual(150);
    expect(tool.displayName.trim()).not.toBe("");
    expect(tool.icon).toMatch(/^\$\([a-z-]+\)$/);
  });

  test("describes every field, nested ones too", () => {
    expect(fieldsWithoutDescription(tool.inputSchema)).toEqual([]);
  });

  test("has an object at the root of its schema, with no choice there", () => {
    expect(tool.inputSchema["type"]).toBe("object");
    for (const keyword of ["oneOf", "anyOf", "allOf", "additionalProperties"]) {
      expect(tool.inputSchema).not.toHaveProperty(keyword);
    }
  });

  test("has no field that VS Code does not know", () => {
    expect(Object.keys(tool).filter((field) => !TOOL_FIELDS.includes(field))).toEqual([]);
  });
});

test("names are there once", () => {
  for (const names of [
    contributed.map(({ name }) => name),
    contributed.map(({ toolReferenceName }) => toolReferenceName),
  ]) {
    expect(new Set(names).size).toBe(names.length);
  }
});

test("no setting that grants power can come from a workspace", () => {
  const properties = settings;
  expect(Object.entries(properties).filter(([, { scope }]) => scope !== "application" && scope !== "machine")).toEqual(
    [],
  );
});

test("Restricted Mode and virtual workspaces are supported as far as they go", () => {
  expect(manifest.capabilities).toMatchObject({
    untrustedWorkspaces: { supported: "limited", description: expect.any(String) as string },
    virtualWorkspaces: { supported: "limited", description: expect.any(String) as string },
  });
});

describe("no proposed API: the test server grants all of it, users' VS Code none", () => {
  /**
   * Stable contribution points (vscode.md §1). Tool sets, for one, are proposed: contributing them costs us every agent
   * host.
   */
  const STABLE = [
    "languageModelTools",
    "chatParticipants",
    "languageModelChatProviders",
    "configuration",
    "commands",
    "menus",
    "keybindings",
    "viewsContainers",
    "views",
    "viewsWelcome",
    "walkthroughs",
    "languages",
    "jsonValidation",
    "mcpServerDefinitionProviders",
    // Where VS Code does not know it, there is no such agent, and all else is as it was.
    "chatAgents",
  ];

  test("is asked for", () => {
    expect(manifest).not.toHaveProperty("enabledApiProposals");
    expect(read("esbuild.mjs") + read("scripts/start.mjs") + read("scripts/desktop.mjs")).not.toContain(
      "enable-proposed-api",
    );
  });

  test("is contributed to", () => {
    expect(Object.keys(manifest.contributes).filter((point) => !STABLE.includes(point))).toEqual([]);
    for (const participant of manifest.contributes.chatParticipants) {
      expect(Object.keys(participant)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(isDefault|modes|locations)$/)]),
      );
    }
  });

  test("is declared", () => {
    const declarations = ["src", "test", "scripts"]
      .flatMap(filesBelow)
      .filter((file) => /vscode\.proposed.*\.d\.ts$/.test(file));
    expect(declarations).toEqual([]);
    expect(read("tsconfig.json")).not.toContain("proposed");
  });

  test("is reached around the types", () => {
    const around = /@ts-(ignore|expect-error|nocheck)|\bas any\b|<any>|:\s*any\b|vscode\.proposed|no-explicit-any/;
    const found = filesBelow("src").flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, index) =>
          around.test(line) && !/^\s*(\*|\/\/)/.test(line)
            ? [`${file.slice(root.length)}:${index + 1}: ${line.trim()}`]
            : [],
        ),
    );
    expect(found).toEqual([]);
  });

  test("is typed: the types are not newer than the oldest VS Code we run in", () => {
    const numbers = (version: string): number[] =>
      version
        .replace(/^[\^~>=]+/, "")
        .split(".")
        .map(Number);
    const types = numbers((JSON.parse(read("node_modules/@types/vscode/package.json")) as { version: string }).version);
    const engine = numbers(manifest.engines.vscode);
    const difference = engine.map((part, index) => part - (types[index] ?? 0)).find((part) => part !== 0) ?? 0;
    expect(difference).toBeGreaterThanOrEqual(0);
  });
});

function fieldsWithoutDescription(schema: unknown, path = ""): string[] {
  if (!isRecord(schema)) {
    return [];
  }
  const properties = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  return [
    ...properties.flatMap(([name, field]) => [
      ...(isRecord(field) && typeof field["description"] === "string" && field["description"].endsWith(".")
        ? []
        : [`${path}.${name}`]),
      ...fieldsWithoutDescription(field, `${path}.${name}`),
    ]),
    ...fieldsWithoutDescription(schema["items"], `${path}[]`),
  ];
}

test("commands of the palette are in title case", () => {
  const commands = manifest.contributes["commands"] as { title: string }[];
  const small = /^(?:a|an|and|as|at|but|by|for|from|in|into|of|on|or|the|to|up|with)$/i;
  const odd = commands.filter(({ title }) =>
    title.split(" ").some((word, index) => /^[A-Z]/.test(word) === (index > 0 && small.test(word))),
  );
  expect(odd).toEqual([]);
});

test("icons tell tools apart: a pencil changes files, a magnifier looks for something", () => {
  const icons = Object.fromEntries(contributed.map(({ name, icon }) => [name.replace("toolhost_", ""), icon]));
  expect(icons).toMatchObject({
    ...{ read: "$(file)", ls: "$(list-tree)", glob: "$(files)", grep: "$(search)", edit: "$(edit)", write: "$(edit)" },
    ...{ exec: "$(terminal)", process: "$(server-process)", query: "$(json)", sessions_spawn: "$(hubot)" },
    ...{ cron: "$(watch)", message: "$(mail)", web_fetch: "$(globe)" },
  });
});
