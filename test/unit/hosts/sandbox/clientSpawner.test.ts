import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ClientSpawner } from "../../../../src/hosts/node/sandbox/clientSpawner.js";
import type { SandboxClient } from "../../../../src/ports/sandbox.js";
import { localE2B } from "../../../harness/e2b.js";

interface Ended {
  output: string;
  errors: string;
  code: number | undefined;
}

function run(client: SandboxClient, command: string, folder: string, hasShell = true): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let [output, errors] = ["", ""];
    let code: number | undefined;
    new ClientSpawner(client, "box", hasShell)
      .start(
        { command, folder, shownFolder: ".", env: {}, interactive: false, apart: true },
        {
          output: (bytes, isError) => {
            const text = Buffer.from(bytes).toString();
            if (isError === true) {
              errors += text;
            } else {
              output += text;
            }
          },
          exit: (exitCode) => (code = exitCode),
          close: () => resolve({ output, errors, code }),
        },
      )
      .catch(reject);
  });
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "toolhost-client-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

test("a command that leaves something running ends with its shell, with the output until then", async () => {
  const at = await folder();
  const ended = await run(localE2B(), "sleep 1000 & echo $! > pid; echo it\\'s up; echo bad >&2; exit 3", at);
  const pid = Number(await readFile(join(at, "pid"), "utf8"));
  expect(process.kill(pid, 0)).toBe(true);
  process.kill(pid, "SIGKILL");
  expect(ended).toEqual({ output: "it's up\n", errors: "bad\n", code: 3 });
});

test("a command is passed on as it is written where nothing is left running, or there is no shell", async () => {
  const seen: string[] = [];
  const client: SandboxClient = {
    run: async (command) => {
      seen.push(command);
      return { stdout: "", exitCode: 0 };
    },
    readFile: () => Promise.reject(new Error("none")),
    writeFile: () => Promise.reject(new Error("none")),
  };
  const plain = ["make 2>&1 && echo done", "make &> log", "a |& b", "cat <&3"];
  for (const command of plain) {
    await run(client, command, "/");
  }
  await run(client, "server &", "/", false);
  expect(seen).toEqual([...plain, "server &"]);
});
