// A server of Git's own protocol on the loopback, for tests that clone.
import { execFileSync, spawn } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { tempFolder, type FileTree } from "../unit/tools/workspace.js";

export interface GitServer {
  /** The address of its only repository. */
  url: string;
  /** How many clients have come. */
  connections: () => number;
}

/** Runs Git in a folder, whoever the user is. */
export function git(folder: string, ...args: string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/**
 * Serves a repository with these files on the branch `main`.
 *
 * @param links symbolic links in it, by their place
 */
export async function serveRepository(files: FileTree, links: Record<string, string> = {}): Promise<GitServer> {
  const base = await tempFolder();
  const folder = await tempFolder(files);
  git(folder, "init", "-q", "-b", "main");
  for (const [place, target] of Object.entries(links)) {
    execFileSync("ln", ["-s", target, place], { cwd: folder });
  }
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first");
  git(base, "clone", "-q", "--bare", folder, "x.git");
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    const child = spawn("git", ["daemon", "--inetd", "--export-all", `--base-path=${base}`, base], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    socket.on("error", () => child.kill());
    child.stdin.on("error", () => undefined);
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `git://127.0.0.1:${port}/x.git`, connections: () => connections };
}
