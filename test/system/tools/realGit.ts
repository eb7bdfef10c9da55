import { execFileSync } from "node:child_process";

/** Runs git in a folder. @returns what it prints */
export type Git = (...words: string[]) => string;

/** The git of this machine, without its user's settings. */
export function gitIn(cwd: string): Git {
  const env = {
    ...process.env,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  return (...words) =>
    execFileSync("git", ["-c", "init.defaultBranch=main", ...words], {
      cwd,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
}
