import { execFileSync, spawn } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";

export interface SshServer {
  /** The name under which `ssh` knows it. */
  host: string;
  /** The environment in which `ssh` reaches it, with a key of its own. */
  env: NodeJS.ProcessEnv;
  /** Ends the server and every connection to it. */
  stop: () => Promise<void>;
  /** Ends the server and removes its files. */
  remove: () => Promise<void>;
}

/** Starts Debian's sshd on the loopback, with keys of its own. */
export async function startSshd(): Promise<SshServer> {
  // Short: the socket of a connection is in it.
  const folder = await mkdtemp(join(tmpdir(), "sshd-"));
  for (const key of ["host", "user"]) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, key)]);
  }
  await copyFile(join(folder, "user.pub"), join(folder, "authorized_keys"));
  await chmod(join(folder, "authorized_keys"), 0o600);
  const port = await freePort();
  // Without the start files of this machine's user: one that is killed in them may leave a lock behind, as pyenv's do,
  // for which every later shell of the user's would wait.
  await writeFile(
    join(folder, "sshd_config"),
    `Port ${port}
ListenAddress 127.0.0.1
HostKey ${join(folder, "host")}
AuthorizedKeysFile ${join(folder, "authorized_keys")}
PermitRootLogin yes
StrictModes no
UsePAM no
PidFile none
MaxSessions 100
MaxStartups 100
SetEnv HOME=${folder}
`,
  );
  await writeFile(
    join(folder, "config"),
    `Host box
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}
  IdentityFile ${join(folder, "user")}
  UserKnownHostsFile ${join(folder, "known")}
  StrictHostKeyChecking accept-new
  LogLevel ERROR
`,
  );
  // ssh reads the configuration of the user's home as the system has it, whatever HOME says.
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin", "ssh"), `#!/bin/sh\nexec /usr/bin/ssh -F ${join(folder, "config")} "$@"\n`);
  await chmod(join(folder, "bin", "ssh"), 0o755);
  if (process.getuid?.() === 0) {
    await mkdir("/run/sshd", { recursive: true });
  }
  const child = spawn("/usr/sbin/sshd", ["-D", "-e", "-f", join(folder, "sshd_config")], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const { stderr } = child;
  await new Promise<void>((resolve, reject) => {
    child.once("error", () =>
      reject(new Error("Install OpenSSH's server to run these tests (Debian: apt-get install openssh-server).")),
    );
    let said = "";
    stderr?.on("data", (part: Buffer) => {
      said += part.toString("utf8");
      if (said.includes("listening on 127.0.0.1")) {
        resolve();
      }
    });
    child.once("exit", (code) => reject(new Error(`sshd ended with ${code}: ${said}`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // Its connections are processes of their own, which would go on.
      execFileSync("sh", ["-c", 'kill -STOP "$1"; pkill -KILL -P "$1"; kill -KILL "$1"', "sh", String(child.pid)]);
      await ended;
    }
  };
  return {
    host: "box",
    env: {
      ...process.env,
      PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
    },
    stop,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One for all tests of a run: `ssh box` reaches it. */
export async function setup(): Promise<() => Promise<void>> {
  const { env, remove } = await startSshd();
  const sockets = await mkdtemp(join(tmpdir(), "ssh-"));
  process.env["PATH"] = env["PATH"];
  process.env["TOOLHOST_TEST_SSH"] = sockets;
  return async () => {
    await remove();
    await rm(sockets, { recursive: true, force: true });
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") {
    throw new Error("no port");
  }
  return address.port;
}
