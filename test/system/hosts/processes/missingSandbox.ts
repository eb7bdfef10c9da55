import { spawnSync } from "node:child_process";

/** Returns why this machine cannot contain commands: some forbid what that needs. */
export function missingSandbox(): string | undefined {
  const { status, stderr, error } = spawnSync(
    "bwrap",
    ["--unshare-user", "--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
    { encoding: "utf8" },
  );
  return status === 0 ? undefined : (error?.message ?? stderr);
}
