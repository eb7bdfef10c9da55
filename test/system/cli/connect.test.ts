// `toolhost connect` writes the entry of `toolhost mcp` into the configuration of other agents.
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli, type Finished } from "./built.js";

const cli = builtCli();

/** Variables that move the configuration of an agent. */
const MOVED = ["XDG_CONFIG_HOME", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME"];

interface Place {
  home: string;
  folder: string;
  connect: (...words: string[]) => Promise<Finished>;
}

async function openPlace(home: Record<string, string> = {}, folder: Record<string, string> = {}): Promise<Place> {
  const place = { home: await tempFolder(home), folder: await tempFolder(folder) };
  const moved = Object.fromEntries(MOVED.map((name) => [name, undefined]));
  const env = { ...process.env, ...moved, HOME: place.home, XDG_STATE_HOME: undefined };
  return { ...place, connect: (...words) => cli.run(["connect", ...words], { cwd: place.folder, env }) };
}

const CLIENTS: { id: string; at: "home" | "folder"; file: string; entry: (words: string[], env: object) => object }[] =
  [
    {
      ...{ id: "claude", at: "folder", file: ".mcp.json" },
      entry: ([command, ...args], env) => ({ mcpServers: { toolhost: { command, args, env } } }),
    },
    {
      ...{ id: "codex", at: "home", file: ".codex/config.toml" },
      entry: ([command, ...args], env) => ({ mcp_servers: { toolhost: { command, args, env } } }),
    },
    {
      ...{ id: "copilot", at: "home", file: ".copilot/mcp-config.json" },
      entry: ([command, ...args], env) => ({
        mcpServers: { toolhost: { type: "local", command, args, env, tools: ["*"] } },
      }),
    },
    {
      ...{ id: "gemini", at: "home", file: ".gemini/settings.json" },
      entry: ([command, ...args], env) => ({ mcpServers: { toolhost: { command, args, env } } }),
    },
    {
      ...{ id: "opencode", at: "home", file: ".config/opencode/opencode.json" },
      entry: (command, environment) => ({ mcp: { toolhost: { type: "local", command, enabled: true, environment } } }),
    },
    {
      ...{ id: "cursor", at: "folder", file: ".cursor/mcp.json" },
      entry: ([command, script, ...args], env) => ({
        mcpServers: { toolhost: { command, args: [script, "--workspace", "${workspaceFolder}", ...args], env } },
      }),
    },
    {
      ...{ id: "zed", at: "home", file: ".config/zed/settings.json" },
      entry: ([command, ...args], env) => ({ context_servers: { toolhost: { source: "custom", command, args, env } } }),
    },
  ];
const FLAGS = ["--allow", "exec(command: npm test **)"];

describe.each(CLIENTS)("$id", ({ id, at, file, entry }) => {
  const read = (text: string): unknown => (file.endsWith(".toml") ? parse(text) : JSON.parse(text));
  // An agent may start it with few of the user's variables, and without this one it would look for windows elsewhere.
  const env = { TOOLHOST_STATE: process.env["TOOLHOST_STATE"] };
  const expected = (): object => entry([process.execPath, cli.script, "mcp", ...FLAGS], env);

  test("--print prints an entry that starts this very command line with the given flags, and writes nothing", async () => {
    const { connect, home, folder } = await openPlace();
    const { code, out } = await connect(id, "--print", "--", ...FLAGS);
    expect(code).toBe(0);
    expect(read(out)).toEqual(expected());
    expect([await readdir(home), await readdir(folder)]).toEqual([[], []]);
  });

  test("--yes writes it, a second time changes nothing, and --remove takes it away", async () => {
    const place = await openPlace();
    const path = join(place[at], file);
    const written = await place.connect(id, "--yes", "--", ...FLAGS);
    expect(written).toMatchObject({ code: 0, err: "" });
    expect(written.out).toContain(`${path} is written.`);
    const text = await contentOf(place[at], file);
    expect(read(text)).toEqual(expected());
    expect(await place.connect(id, "--yes", "--", ...FLAGS)).toMatchObject({
      code: 0,
      out: `${path} has this entry already.\n`,
    });
    expect(await contentOf(place[at], file)).toBe(text);
    expect((await place.connect(id, "--remove", "--yes")).out).toContain(`${path}: the entry is removed.`);
    expect(JSON.stringify(read(await contentOf(place[at], file)))).not.toContain("toolhost");
    expect((await place.connect(id, "--remove", "--yes")).out).toBe(`${path} has no entry for Toolhost.\n`);
  });
});

const SETTINGS =
  '{\n  // dark at night\n  "theme": "One Dark",\n  "context_servers": {\n    "other": { "command": "o" }\n  }\n}\n';

test("what else is in the file stays, comments too, and the change is shown first", async () => {
  const { connect, home } = await openPlace({ ".config/zed/settings.json": SETTINGS });
  const file = join(home, ".config/zed/settings.json");
  await chmod(file, 0o640);
  const { out } = await connect("zed", "--yes");
  expect(out).toContain('+    "other": { "command": "o" },');
  expect(out).toContain('+    "toolhost": {');
  expect(await contentOf(home, ".config/zed/settings.json")).toMatch(/^\{\n {2}\/\/ dark at night\n {2}"theme"/);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await readdir(join(home, ".config/zed"))).toEqual(["settings.json"]);
});

test("without a terminal nothing is written unless the user said yes in advance, and an agent may not", async () => {
  const { connect, home, folder } = await openPlace();
  const asked = await connect("codex");
  expect(asked.code).toBe(1);
  expect(asked.out).toContain("+[mcp_servers.toolhost]");
  expect(asked.err).toContain("Error (denied)");
  expect(asked.err).toContain("was not changed: there is no terminal to ask on.");
  const env = { ...process.env, HOME: home, TOOLHOST_AGENT: "1" };
  const agents = await cli.run(["connect", "codex", "--yes", "--", "--allow-all"], { cwd: folder, env });
  expect(agents).toMatchObject({ code: 1, out: "" });
  expect(agents.err).toContain("only the user can change it");
  expect(await readdir(home)).toEqual([]);
});

test("a file that cannot be read is left alone, and the line is said", async () => {
  const broken = '{\n  "mcpServers": {\n    "a": {}\n    "b": {}\n  }\n}\n';
  const { connect, home, folder } = await openPlace({ ".codex/config.toml": "a = 1\nb =\n" }, { ".mcp.json": broken });
  const json = await connect("claude", "--yes");
  expect(json.code).toBe(1);
  expect(json.err).toContain(".mcp.json:4: The file is not valid JSON");
  expect((await connect("codex", "--yes")).err).toContain("config.toml:2: The file is not valid TOML");
  expect(await contentOf(folder, ".mcp.json")).toBe(broken);
  expect(await contentOf(home, ".codex/config.toml")).toBe("a = 1\nb =\n");
});

test("links are followed to their file, which keeps its place; one that leads nowhere is refused", async () => {
  const { connect, home } = await openPlace({ "dotfiles/gemini.json": '{ "a": 1 }\n' });
  await mkdir(join(home, ".gemini"));
  await symlink("../dotfiles/gemini.json", join(home, ".gemini/settings.json"));
  expect((await connect("gemini", "--yes")).out).toContain(`${join(home, "dotfiles/gemini.json")} is written.`);
  expect(await readlink(join(home, ".gemini/settings.json"))).toBe("../dotfiles/gemini.json");
  expect(JSON.parse(await contentOf(home, "dotfiles/gemini.json"))).toMatchObject({ a: 1, mcpServers: {} });
  await mkdir(join(home, ".codex"));
  await symlink("../nowhere.toml", join(home, ".codex/config.toml"));
  const broken = await connect("codex", "--yes");
  expect([broken.code, (await readdir(home)).includes("nowhere.toml")]).toEqual([1, false]);
});

test("opencode's configuration with comments is used if it is the one there is", async () => {
  const { connect, home } = await openPlace({ ".config/opencode/opencode.jsonc": "{ // mine\n}\n" });
  await connect("opencode", "--yes");
  expect(await readdir(join(home, ".config/opencode"))).toEqual(["opencode.jsonc"]);
  expect(await contentOf(home, ".config/opencode/opencode.jsonc")).toContain("// mine");
});

test("a variable that moves an agent's configuration counts", async () => {
  const { home, folder } = await openPlace();
  const codex = await tempFolder();
  await writeFile(join(codex, "config.toml"), "a = 1\n");
  await cli.run(["connect", "codex", "--yes"], { cwd: folder, env: { ...process.env, HOME: home, CODEX_HOME: codex } });
  expect(await contentOf(codex, "config.toml")).toMatch(/^a = 1\n\n\[mcp_servers\.toolhost\]\n/);
  expect(await readdir(home)).toEqual([]);
});

test("a folder that does not exist is named, and none is made", async () => {
  const { folder } = await openPlace();
  const { code, err } = await cli.run(["--workspace", "nope", "connect", "claude", "--yes"], { cwd: folder });
  expect(code).toBe(1);
  expect(err).toContain("Error (not_found): nope: there is no such folder.");
  expect(await readdir(folder)).toEqual([]);
});

test("another agent is wrong usage", async () => {
  expect(await (await openPlace()).connect("emacs")).toMatchObject({ code: 2 });
});

// util-linux's `script` gives a command a terminal; other systems have another `script`.
describe.skipIf(process.platform !== "linux")("on a terminal", () => {
  /** Answers the question once it is there. */
  async function answered(word: string): Promise<{ shown: string; home: string }> {
    const { home, folder } = await openPlace({ ".codex/config.toml": "# mine\n" });
    const line = [process.execPath, cli.script, "connect", "codex"].map((each) => `'${each}'`).join(" ");
    const child = spawn("script", ["-qec", line, "/dev/null"], { cwd: folder, env: { ...process.env, HOME: home } });
    let shown = "";
    let isAnswered = false;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      shown += chunk;
      if (!isAnswered && shown.includes("no (default):")) {
        isAnswered = true;
        child.stdin.write(`${word}\n`);
      }
    });
    await new Promise((resolve) => child.on("close", resolve));
    return { shown, home };
  }

  test("it shows the change and asks; a yes writes it", async () => {
    const { shown, home } = await answered("y");
    expect(shown).toContain(`Write this into ${join(home, ".codex/config.toml")}, for Codex CLI?`);
    expect(shown).toContain("+[mcp_servers.toolhost]");
    expect(await contentOf(home, ".codex/config.toml")).toMatch(/^# mine\n\n\[mcp_servers\.toolhost\]\n/);
  });

  test("anything else leaves the file alone", async () => {
    const { shown, home } = await answered("n");
    expect(shown).toContain("config.toml was not changed.");
    expect(await contentOf(home, ".codex/config.toml")).toBe("# mine\n");
  });
});
