import { spawn, type ChildProcess } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { E2BSandboxClient, type E2BSandbox } from "../../src/hosts/sandbox/e2bClient.js";

/** A client of a sandbox of E2B's shape that is this machine: commands that fail throw, as with its package. */
export function localE2B(): E2BSandboxClient {
  const sandbox: E2BSandbox = {
    commands: {
      run: async (command, { cwd }) => {
        const result = await shell(command, cwd);
        if (result.exitCode !== 0) {
          throw Object.assign(new Error(`exit status ${result.exitCode}`), result);
        }
        return result;
      },
    },
    files: {
      read: (path) => readFile(path),
      write: (path, content) => writeFile(path, typeof content === "string" ? content : new Uint8Array(content)),
    },
  };
  return new E2BSandboxClient({ sandbox });
}

const running = new Set<ChildProcess>();

function shell(command: string, cwd?: string): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env["PATH"] };
    // Node's pipes are sockets, which a command could not open by the name of its stream.
    const piped = 'exec > >(exec cat) 2> >(exec cat >&2); exec bash -c "$1"';
    const child = spawn("bash", ["-c", piped, "bash", command], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    // Its shape has no way to end a command: a sandbox ends with all that runs in it.
    running.add(child);
    onTestFinished(() => {
      running.forEach(endGroup);
      running.clear();
    });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (part: Buffer) => out.push(part));
    child.stderr.on("data", (part: Buffer) => err.push(part));
    child.once("error", reject).once("close", (code) => {
      // What it left running ends with the test.
      resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), exitCode: code ?? -1 });
    });
  });
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, "SIGKILL");
    }
  } catch {
    // Nothing of it is left.
  }
}
