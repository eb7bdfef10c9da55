import { spawnSync } from "node:child_process";

/**
 * Returns why this machine cannot contain commands: some forbid what that needs.
 *
 * @throws {Error} if only bubblewrap is missing, which can be installed, or this is CI: the tests are not left out for that
 */
export function missingSandbox(): string | undefined {
  if (process.platform !== "linux") return "Commands are contained on Linux alone.";
  const { status, stderr, error } = spawnSync(
    "bwrap",
    ["--unshare-user", "--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
    { encoding: "utf8" },
  );
  if (error !== undefined) {
    throw new Error("Install bubblewrap to run the tests of contained commands (Debian: apt-get install bubblewrap).", {
      cause: error,
    });
  }
  if (status !== 0 && process.env["CI"] !== undefined) {
    throw new Error(
      `CI must run the tests of contained commands, and bubblewrap does not work on this machine: ${stderr}`,
    );
  }
  return status === 0 ? undefined : stderr;
}
