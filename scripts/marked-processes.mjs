// Finds processes by a variable in their environment, which all descendants of a process inherit.
import { readFileSync, readdirSync } from "node:fs";

/**
 * @param {string} mark `NAME=value`
 * @returns {number[]} the processes that have it, except this one; none where there is no /proc
 */
export function markedProcesses(mark) {
  /** @type {string[]} */
  let names = [];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return names.map(Number).filter((pid) => {
    if (pid === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(mark);
    } catch {
      return false;
    }
  });
}
