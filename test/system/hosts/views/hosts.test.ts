// Contained commands reach the hosts that the user allowed, and nothing else.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Question } from "../../../../src/ports/confirm.js";
import { stateRoot } from "../../../../src/hosts/node/state/stateFolder.js";
import { poll } from "../../../harness/poll.js";
import { startHttp } from "../../../unit/features/openapi/rig.js";
import { missingSandbox } from "../processes/missingSandbox.js";
import { openRig, type RigOptions, type ViewRig } from "./rig.js";

const NAMES = { "api.example.com": "127.0.0.1", "other.example.com": "127.0.0.1", "inside.example.com": "10.0.0.7" };
/** Runs `go.sh` of the workspace as work on the project. */
const GO = `python3 -c 'import subprocess, sys; sys.exit(subprocess.run(["bash", "go.sh"]).returncode)'`;
/** Runs it so that nobody knows what it does before it runs. */
const ASKS = 'eval "$(printf %s "bash go.sh")"';

async function rigOf(script: string, options: RigOptions = {}): Promise<ViewRig> {
  return openRig({ "go.sh": script, "a.txt": "a\n", ".env": "A=1\n" }, { names: NAMES, ...options });
}

async function startServer(answer = "of the server"): Promise<{ port: string; asked: string[] }> {
  const asked: string[] = [];
  const { origin } = await startHttp((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    response.end(answer);
  });
  return { port: new URL(origin).port, asked };
}

/** Whether a program is on this machine. */
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

const socketsOfHosts = (): string[] => {
  try {
    return readdirSync(join(stateRoot(), "hosts"));
  } catch {
    return [];
  }
};

describe.skipIf(missingSandbox() !== undefined)("a contained command", () => {
  test("reaches an allowed host by plain HTTP and in a tunnel, and its result names the host that it wanted", async () => {
    const { port, asked } = await startServer();
    const url = `http://api.example.com:${port}/`;
    const { told } = await rigOf(
      `curl -sS ${url}1; curl -sSp ${url}2; echo " $?"; curl -sS http://other.example.com:${port}/; curl -sSp http://inside.example.com:${port}/; exit 3`,
      { hosts: [`api.example.com:${port}`, `inside.example.com:${port}`] },
    );
    const text = await told(GO);
    expect(text).toContain("of the serverof the server 0\n");
    expect(text).toMatch(
      new RegExp(
        `^It wanted other\\.example\\.com:${port} and inside\\.example\\.com \\(on a private network\\), which the sandbox does not reach: the user can add it to toolhost\\.sandbox\\.hosts, or call exec with outside: true, which asks the user\\.\\n\\[Exit code 3`,
      ),
    );
    expect(asked).toEqual([`api.example.com:${port}/1`, `api.example.com:${port}/2`]);
    expect(socketsOfHosts()).toEqual([]);
  });

  test("reaches nothing past the proxy, by no name and no address", async () => {
    const { port, asked } = await startServer();
    const { told } = await rigOf(
      `curl -sS --noproxy '*' http://127.0.0.1:${port}/; echo "address $?"
curl -sS --noproxy '*' http://api.example.com:${port}/; echo "name $?"
python3 -c 'import socket; socket.create_connection(("1.1.1.1", 53), 5)' 2>&1 | tail -1
python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)' 2>&1 | tail -1
python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b"x", ("1.1.1.1", 53))' 2>&1 | tail -1`,
      { hosts: [`api.example.com:${port}`] },
    );
    const text = await told(GO);
    expect(text).toMatch(/address 7\n/);
    expect(text).toMatch(/name 6\n/);
    expect(text.match(/Network is unreachable/g)).toHaveLength(2);
    expect(text).toMatch(/PermissionError/);
    expect(asked).toEqual([]);
  });

  test("has no way to any host if none is allowed, after text from outside, or if it only reads", async () => {
    const look = `env | grep -ci '_proxy=http://127.0.0.1:61280'; curl -sS http://127.0.0.1:61280/ 2>&1 | tail -1`;
    const none = await rigOf(look);
    expect(await none.told(GO)).toMatch(/^0$[^]*(?:refused|connect)/m);
    const some = await rigOf(look, { hosts: ["api.example.com", "npm"], turn: "t" });
    expect(await some.told(GO)).toMatch(/^6$[^]*This proxy takes CONNECT/m);
    expect(await some.told("grep -ci '_proxy=http://127.0.0.1:61280' /proc/self/environ a.txt")).not.toMatch(/:[1-9]/);
    expect(await some.told("npm ci")).toMatch(/^\[Exit code 1/);
    // As far as its words tell, that printed what another machine sent.
    expect(await some.told("echo curl https://evil.example.org/")).toContain("evil");
    expect(await some.told(GO)).toMatch(/^0$[^]*(?:refused|connect)/m);
    expect(await some.told("npm ci")).toMatch(/^Error \(denied\)/);
  });

  test("does not see the way of another", async () => {
    const { port, asked } = await startServer();
    const rig = await rigOf(`touch ready; sleep 600`, { hosts: [`api.example.com:${port}`] });
    const stop = new AbortController();
    const first = rig.exec(GO, {}, stop.signal).catch(() => undefined);
    const [name = ""] = await poll("the first one's socket", () => {
      const names = socketsOfHosts();
      return names.length > 0 && names;
    });
    const socket = join(stateRoot(), "hosts", name);
    const script = `ls ${stateRoot()}/hosts; curl -sS --unix-socket ${socket} http://api.example.com:${port}/; echo "code $?"`;
    await writeFile(join(rig.folder, "go.sh"), script);
    const { told } = await openRig(rig.folder, { names: NAMES });
    expect(await told(GO)).toMatch(/code (?!0$)\d+/m);
    stop.abort();
    await first;
    expect([asked, socketsOfHosts()]).toEqual([[], []]);
  });

  test("keeps its exit code, input, signals and descriptors behind what passes connections on", async () => {
    const { told } = await rigOf(`ls /proc/self/fd | tr '\\n' ' '; cat; trap 'echo got; exit 9' TERM; kill -TERM $$`, {
      hosts: ["api.example.com"],
    });
    expect(await told(GO)).toMatch(/\[Exit code 9[^]*\n0 1 2 3 got\n?/);
    expect(await told(`python3 -c 'import os; os.kill(os.getpid(), 15)'`)).toMatch(/\[Exit code 143|SIGTERM/);
  });

  test("that asks is tried without any host, and the question names those that it wanted", async () => {
    const { port, asked } = await startServer();
    const questions: Question[] = [];
    const { told } = await rigOf(`curl -fsSp http://api.example.com:${port}/ || true; echo x > made`, {
      hosts: [`api.example.com:${port}`],
      ask: (question) => {
        questions.push(question);
        return "no";
      },
    });
    expect(await told(ASKS)).toMatch(/^Error \(denied\)/);
    expect(questions[0]?.reasons.join(" ")).toMatch(
      new RegExp(
        `It was tried .* 1 created .*It wanted api\\.example\\.com:${port}, which the sandbox does not reach\\. Yes runs it outside of the sandbox, since it wanted `,
      ),
    );
    expect(asked).toEqual([]);
  });

  test("that installs what package.json names runs unasked, and its packages are the sandbox's own", async () => {
    const tarball = packed({
      "package/package.json": '{"name":"greets","version":"1.0.0","bin":"b.js"}',
      "package/b.js": "#!/usr/bin/env node\nconsole.log('greeted')\n",
    });
    const { origin } = await startHttp((_request, response) => response.end(tarball));
    const { port } = new URL(origin);
    const lock = {
      ...{ name: "x", version: "1.0.0", lockfileVersion: 3, requires: true },
      packages: {
        "": { name: "x", version: "1.0.0", dependencies: { greets: "1.0.0" } },
        "node_modules/greets": {
          ...{ version: "1.0.0", resolved: `http://packages.example.com:${port}/greets.tgz`, bin: { greets: "b.js" } },
        },
      },
    };
    const files = {
      "package.json": JSON.stringify({
        name: "x",
        version: "1.0.0",
        scripts: { test: "greets" },
        dependencies: { greets: "1.0.0" },
      }),
      "package-lock.json": JSON.stringify(lock),
      ".env": "A=1\n",
    };
    const names = { "packages.example.com": "127.0.0.1" };
    const allowed = { names, hosts: ["npm", `packages.example.com:${port}`] };
    const rig = await openRig(files, allowed);
    const installed = await rig.told("npm ci --no-audit --no-fund");
    expect(installed).toMatch(/^\[Exit code 0/);
    expect(installed).toContain("node_modules/ in the sandbox alone, where contained commands have their own");
    expect(await rig.told("npm test")).toMatch(/\[Exit code 0[^]*greeted/);
    expect(await rig.told("npm ls")).toMatch(/\[Exit code 0[^]*greets@1\.0\.0\n/);
    expect(readdirSync(rig.folder).sort()).toEqual(Object.keys(files).sort());
    // Also where nothing is allowed any more; there, it asks.
    const later = await openRig(rig.folder, { names });
    expect(await later.told("npm test")).toMatch(/\[Exit code 0[^]*greeted/);
    expect(await later.told("npm ci")).toMatch(/^Error \(denied\)/);
    // Where the workspace has packages, those that were installed last count, and its own are left alone.
    const theirs = join(rig.folder, "node_modules");
    await mkdir(join(theirs, ".bin"), { recursive: true });
    await writeFile(join(theirs, ".bin/greets"), "#!/bin/sh\necho theirs\n", { mode: 0o755 });
    await writeFile(join(theirs, ".package-lock.json"), "{}");
    expect(await later.told("npm test")).toMatch(/\[Exit code 0[^]*theirs/);
    const again = await rig.told("npm ci --no-audit --no-fund");
    expect(again).toMatch(/^\[Exit code 0/);
    expect(again).toContain("own (outside: true installs in the folder itself, which asks)");
    expect(await later.told("npm test")).toMatch(/\[Exit code 0[^]*greeted/);
    expect(readdirSync(theirs).sort()).toEqual([".bin", ".package-lock.json"]);
    await writeFile(join(theirs, ".modules.yaml"), "");
    expect(await later.told("npm test")).toMatch(/\[Exit code 0[^]*theirs/);
    const without = await openRig(files, { names, hosts: ["npm"] });
    expect(await without.told("npm ci --no-audit --no-fund")).toContain(
      `It wanted packages.example.com:${port}, which`,
    );
    for (const asks of [
      "npm install left-pad",
      "npm ci -g",
      "npm ci --registry=http://evil.test",
      "npm publish",
      "npm login",
      "npm ci; npm publish",
      "sudo npm ci",
    ]) {
      expect([asks, await without.told(asks)]).toEqual([asks, expect.stringMatching(/^Error \(denied\)/)]);
    }
  });

  test.skipIf(!has("cargo"))(
    "that has Cargo fetch what Cargo.lock names runs unasked, and keeps it apart from the user's",
    async () => {
      const crate = packed({
        "greets-1.0.0/Cargo.toml": '[package]\nname = "greets"\nversion = "1.0.0"\nedition = "2021"\n',
        "greets-1.0.0/src/lib.rs": 'pub fn word() -> &\'static str { "greeted" }\n',
      });
      const cksum = createHash("sha256").update(crate).digest("hex");
      const entry = { name: "greets", vers: "1.0.0", deps: [], cksum, features: {}, yanked: false };
      const { origin } = await startHttp((request, response) => {
        const { url = "" } = request;
        const config = JSON.stringify({ dl: `http://${request.headers.host}/dl` });
        const found = url.endsWith("/config.json")
          ? config
          : url.endsWith("/gr/ee/greets")
            ? JSON.stringify(entry)
            : crate;
        response.end(found);
      });
      const { port } = new URL(origin);
      const index = `sparse+http://packages.example.com:${port}/index/`;
      const source = `[source.crates-io]\nreplace-with = "mine"\n[source.mine]\nregistry = "${index}"\n`;
      const files = {
        "Cargo.toml": '[package]\nname = "x"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\ngreets = "1.0.0"\n',
        "Cargo.lock": `version = 4\n[[package]]\nname = "greets"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${cksum}"\n[[package]]\nname = "x"\nversion = "1.0.0"\ndependencies = ["greets"]\n`,
        "src/lib.rs": "pub fn word() -> &'static str { greets::word() }\n",
        ".cargo/config.toml": source,
      };
      const names = { "packages.example.com": "127.0.0.1" };
      const users = join(homedir(), ".cargo/registry");
      const before = existsSync(users);
      const rig = await openRig(files, { names, hosts: ["crates", `packages.example.com:${port}`] });
      const fetched = await rig.told("cargo fetch --locked");
      expect(fetched).toMatch(/^\[Exit code 0/);
      expect(fetched).toMatch(/~\/\.cargo\/registry\/? in the sandbox alone/);
      expect(existsSync(users)).toBe(before);
      const later = await openRig(rig.folder, { names });
      expect(await later.told("cargo check --locked --offline")).toMatch(/^\[Exit code 0/);
      expect(await later.told("cargo fetch --locked")).toMatch(/^Error \(denied\)/);
      expect(readdirSync(rig.folder).sort()).toEqual([".cargo", "Cargo.lock", "Cargo.toml", "src"]);
    },
  );

  test("makes a virtual environment that other contained commands run with, and no other", async () => {
    const files = { "requirements.txt": "", "a.py": "import sys; print(sys.prefix)\n" };
    const rig = await openRig(files, { hosts: ["pypi"] });
    expect(await rig.told("python3 -m venv .venv && .venv/bin/pip --version")).toMatch(/\[Exit code 0[^]*\/\.venv\//);
    expect(await rig.told(".venv/bin/pip install --no-input -r requirements.txt")).toMatch(/^\[Exit code 0/);
    const later = await openRig(rig.folder);
    expect(
      await later.told('python3 -c \'import subprocess; subprocess.run([".venv/bin/python", "a.py"])\''),
    ).toContain(join(rig.folder, ".venv"));
    expect(readdirSync(rig.folder).sort()).toEqual(Object.keys(files).sort());
  });
});

/** Returns a package as registries have it. */
function packed(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const head = Buffer.alloc(512);
    const body = Buffer.from(text);
    head.write(name, 0);
    head.write("0000755\0", 100);
    head.write("0000000\0", 108);
    head.write("0000000\0", 116);
    head.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
    head.write("00000000000\0", 136);
    head.write("        0", 148);
    head.write("ustar\0" + "00", 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [head, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]));
}
