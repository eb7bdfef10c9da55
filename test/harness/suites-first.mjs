// The order of test files: those that call several suites take longest, so they begin first, and no worker ends alone
// with one.
import { readFileSync } from "node:fs";
import { BaseSequencer } from "vitest/node";

export class SuitesFirst extends BaseSequencer {
  /**
   * Vitest's own order, by the last run's times or else by size, but for files that call suites.
   * @override
   * @param {import("vitest/node").TestSpecification[]} files
   */
  async sort(files) {
    const counts = new Map(files.map((file) => [file, suites(file.moduleId)]));
    return (await super.sort(files)).toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  }
}

/**
 * @param {string} path of a test file
 * @returns {number} how many modules of test/e2e/suites it imports
 */
function suites(path) {
  return readFileSync(path, "utf8").split('from "./suites/').length - 1;
}
