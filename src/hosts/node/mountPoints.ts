import { readFileSync } from "node:fs";

/** A place where something is mounted. */
interface MountPoint {
  path: string;
  /** Whether a part of a file system is mounted there, such as a single file. */
  isPart: boolean;
  /** The file system's type, such as `ext4`. */
  type: string;
}

/** Returns what is mounted on this Linux machine, as this process sees it. @throws Error if that cannot be read */
export function mountPoints(): MountPoint[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const words = line.split(" ");
      return {
        path: unescaped(words[4] ?? ""),
        isPart: words[3] !== "/",
        type: words[words.indexOf("-") + 1] ?? "",
      };
    });
}

function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)));
}
