// Real folders and a real PATH: where the program that a name leads to is the workspace's, or is told by it what to
// run, the command asks.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gateCommand } from "../../../src/core/permission/commands/gate.js";
import { programDoubt } from "../../../src/core/permission/commands/programDoubt.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import { NodePrograms } from "../../../src/hosts/node/programs.js";
import { grammar } from "../shell/grammar.js";

const SYSTEM = "/usr/bin:/bin";
/** Says that it was run. */
const CANARY = '#!/bin/sh\ntouch "$CANARY"\n';

interface Case {
  name: string;
  command: string;
  /** Entries of PATH before the system's: `W` is the workspace, `O` a folder next to it. */
  path: string;
  /** Scripts by their path; a text without `#!` is a plain file. */
  files: Readonly<Record<string, string>>;
  links?: Readonly<Record<string, string>>;
}

const THEIRS: readonly Case[] = [
  {
    name: "node_modules/.bin",
    command: "jq --version",
    path: "W/node_modules/.bin",
    files: { "W/node_modules/.bin/jq": CANARY },
  },
  {
    name: "a virtual environment",
    command: "pip --version",
    path: "W/.venv/bin",
    files: { "W/.venv/bin/pip": CANARY },
  },
  { name: "a relative folder", command: "ls", path: "bin", files: { "W/bin/ls": CANARY } },
  { name: "a relative folder after cd", command: "cd sub && ls", path: "bin", files: { "W/sub/bin/ls": CANARY } },
  { name: "an empty entry", command: "ls", path: "", files: { "W/ls": CANARY } },
  {
    name: "a link to the workspace",
    command: "ls",
    path: "O/bin",
    files: { "W/tool": CANARY, "O/bin/x": "" },
    links: { "O/bin/ls": "W/tool" },
  },
  {
    name: "a folder that is a link to it",
    command: "ls",
    path: "O/bin",
    files: { "W/tools/ls": CANARY, "O/x": "" },
    links: { "O/bin": "W/tools" },
  },
  {
    name: "a link in the workspace that leads out",
    command: "ls",
    path: "W/bin",
    files: { "O/ls": CANARY, "W/bin/x": "" },
    links: { "W/bin/ls": "O/ls" },
  },
  {
    name: "an interpreter by env",
    command: "pip --version",
    path: "O/bin:W/bin",
    files: { "O/bin/pip": "#!/usr/bin/env python9\n", "W/bin/python9": CANARY },
  },
  {
    name: "an interpreter by env -S",
    command: "pip --version",
    path: "O/bin:W/bin",
    files: { "O/bin/pip": "#!/usr/bin/env -S A=b python9 -u\n", "W/bin/python9": CANARY },
  },
  { name: "a virtual environment", command: "pip list", path: "W/.venv/bin", files: { "W/.venv/bin/pip": CANARY } },
  {
    name: "an interpreter by env behind an option with a value",
    command: "pip --version",
    path: "O/bin:W/bin",
    files: { "O/bin/pip": "#!/usr/bin/env -S -u A python9\n", "W/bin/python9": CANARY },
  },
  {
    name: "the Python that black is for",
    command: "black --check .",
    path: "O/bin:W/.venv/bin",
    files: { "O/bin/black": "#!/usr/bin/env python9\n", "W/.venv/bin/python9": CANARY },
  },
  { name: "a wrapper", command: "nice cat a.txt", path: "W/bin", files: { "W/bin/nice": CANARY, "W/a.txt": "x" } },
  {
    name: "what a wrapper runs",
    command: "nice cat a.txt",
    path: "W/bin",
    files: { "W/bin/cat": CANARY, "W/a.txt": "x" },
  },
  {
    name: "what xargs runs",
    command: "ls a.txt | xargs wc -l",
    path: "W/bin",
    files: { "W/bin/wc": CANARY, "W/a.txt": "x" },
  },
];

/** Version managers: not run here, since their real programs are not there. */
const CHOSEN: readonly (Case & { without: string })[] = [
  {
    name: "asdf",
    command: "node --version",
    path: "O/.asdf/shims",
    files: { "O/.asdf/shims/node": CANARY, "W/.tool-versions": "nodejs path:./evil" },
    without: "W/.tool-versions",
  },
  {
    name: "asdf, in a folder above",
    command: "cd sub && node --version",
    path: "O/.asdf/shims",
    files: { "O/.asdf/shims/node": CANARY, "W/.tool-versions": "x", "W/sub/x": "" },
    without: "W/.tool-versions",
  },
  {
    name: "pyenv",
    command: "python3 --version",
    path: "O/.pyenv/shims",
    files: { "O/.pyenv/shims/python3": CANARY, "W/.python-version": "3" },
    without: "W/.python-version",
  },
  {
    name: "rustup by a link",
    command: "cargo --version",
    path: "O/bin",
    files: { "O/rust/rustup": CANARY, "O/bin/x": "", "W/rust-toolchain.toml": "x" },
    links: { "O/bin/cargo": "O/rust/rustup" },
    without: "W/rust-toolchain.toml",
  },
  {
    name: "rustup by its folder",
    command: "rustc --version",
    path: "O/.cargo/bin",
    files: { "O/.cargo/bin/rustc": CANARY, "W/rust-toolchain": "x" },
    without: "W/rust-toolchain",
  },
  {
    name: "volta",
    command: "node --version",
    path: "O/.volta/bin",
    files: { "O/.volta/bin/node": CANARY, "W/package.json": '{"volta":{}}' },
    without: "W/package.json",
  },
  {
    name: "mise",
    command: "node --version",
    path: "O/mise/shims",
    files: { "O/mise/shims/node": CANARY, "W/mise.toml": "x" },
    without: "W/mise.toml",
  },
  {
    name: "pnpm",
    command: "pnpm --version",
    path: "O/bin",
    files: { "O/bin/pnpm": CANARY, "W/.pnpmfile.cjs": "x" },
    without: "W/.pnpmfile.cjs",
  },
  {
    name: "pnpm's version",
    command: "pnpm --version",
    path: "O/bin",
    files: { "O/bin/pnpm": CANARY, "W/package.json": '{"packageManager":"pnpm@9.0.0"}' },
    without: "W/package.json",
  },
  {
    name: "yarn by Corepack",
    command: "yarn --version",
    path: "O/bin",
    files: { "O/node_modules/corepack/dist/yarn.js": CANARY, "O/bin/x": "", "W/package.json": "{}" },
    links: { "O/bin/yarn": "O/node_modules/corepack/dist/yarn.js" },
    without: "W/package.json",
  },
  {
    name: "yarn's plugins",
    command: "yarn --version",
    path: "O/bin",
    files: { "O/bin/yarn": CANARY, "W/.yarnrc.yml": "plugins: [x]\n" },
    without: "W/.yarnrc.yml",
  },
  {
    name: "pip of pyenv",
    command: "pip list",
    path: "O/.pyenv/shims",
    files: { "O/.pyenv/shims/pip": CANARY, "W/.python-version": "3" },
    without: "W/.python-version",
  },
  {
    name: "poetry",
    command: "poetry --version",
    path: "O/bin",
    files: { "O/bin/poetry": CANARY, "W/.poetry/plugins/x": "x" },
    without: "W/.poetry",
  },
  {
    name: "pdm",
    command: "pdm --version",
    path: "O/bin",
    files: { "O/bin/pdm": CANARY, "W/.pdm-plugins/x": "x" },
    without: "W/.pdm-plugins",
  },
  {
    name: "go",
    command: "go version",
    path: "O/bin",
    files: { "O/bin/go": CANARY, "W/go.mod": "module x\n\ntoolchain go1.99\n" },
    without: "W/go.mod",
  },
];

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "programs-")));
  mkdirSync(join(top, "W"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function placed(path: string): string {
  return path.replace(/^[WO](?=\/|$)/, (folder) => join(top, folder));
}

function make({ files, links = {}, path }: Case): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(placed(name)), { recursive: true });
    writeFileSync(placed(name), text);
    chmodSync(placed(name), text.startsWith("#!") ? 0o755 : 0o644);
  }
  for (const [link, target] of Object.entries(links)) {
    symlinkSync(placed(target), placed(link));
  }
  return `${path.split(":").map(placed).join(":")}:${SYSTEM}`;
}

/** Commands of a line that are not proven to only read. */
async function unproven(command: string, path: string): Promise<readonly string[]> {
  const files = new NodeFiles(new NodeDisk(), [{ name: "W", path: join(top, "W"), scheme: "file" }]);
  const { commands, doubts } = await gateCommand({ kind: "command", command }, files, {
    grammar,
    exported: () => [],
    programs: new NodePrograms(() => path),
  });
  return [...doubts, ...commands.flatMap(({ simple }) => (simple.effect === "reads" ? [] : [simple.why]))];
}

describe("a name that leads to a program of the workspace", () => {
  it.each(THEIRS)("$name", async (each) => {
    const path = make(each);
    const canary = join(top, "ran");
    spawnSync("/bin/bash", ["-c", each.command], { cwd: join(top, "W"), env: { PATH: path, CANARY: canary } });
    // It proves nothing if the program would not have been run.
    expect(existsSync(canary)).toBe(true);
    expect(await unproven(each.command, path)).toMatchObject([
      expect.stringMatching(/^`[\w.]+` is `.+` in the workspace here, by PATH or a link$/),
    ]);
    expect(await unproven(each.command, SYSTEM)).toEqual([]);
  });
});

describe("a folder of PATH whose place is not known", () => {
  // No path that a tool gives may have such a name, so that it is not resolved.
  const odd = "W/a:$b";

  it("asks where a link leads there", async () => {
    const path = make({
      name: "",
      command: "",
      path: "O/bin",
      files: { [`${odd}/ls`]: CANARY, "O/bin/x": "" },
      links: { "O/bin/ls": `${odd}/ls` },
    });
    expect(await unproven("ls", path)).toEqual(["`ls` is a program in a folder that cannot be read"]);
  });

  it("does not ask for folders of PATH that do not exist", async () => {
    expect(await unproven("ls", `${placed("O/none")}:${placed("W/none")}:${SYSTEM}`)).toEqual([]);
  });
});

describe("a program that runs what the workspace names", () => {
  it("is dotnet, too, of which no version is recorded, so that it asks anyway", async () => {
    const path = make({
      name: "",
      command: "",
      path: "O/bin",
      files: { "O/bin/dotnet": CANARY, "W/global.json": "{}" },
    });
    const files = new NodeFiles(new NodeDisk(), [{ name: "W", path: join(top, "W"), scheme: "file" }]);
    const doubt = (): Promise<string | undefined> =>
      programDoubt(new NodePrograms(() => path), files, "dotnet", join(top, "W"));
    expect(await doubt()).toBe("`dotnet` runs what `global.json` names");
    expect(await unproven("dotnet --version", path)).toEqual(["its table entry records no source version"]);
    rmSync(placed("W/global.json"));
    expect(await doubt()).toBeUndefined();
  });

  it.each(CHOSEN)("$name", async (each) => {
    const path = make(each);
    expect(await unproven(each.command, path)).toMatchObject([
      expect.stringMatching(/runs what `|^`.+` may name another /),
    ]);
    rmSync(placed(each.without), { recursive: true });
    expect(await unproven(each.command, path)).toEqual([]);
  });
});
