// Lines that are taken for reading are run with real bash, and none may leave a trace; of those that are not, some do.
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultRule } from "../../../src/core/permission/modes.js";
import { world } from "../../unit/core/permission/permissionRig.js";
import { effectProgram } from "./effectPrograms.js";
import { ENVIRONMENT, runEffects, WORKSPACE_FILES } from "./runEffects.js";

/** More of them by hand: `TOOLHOST_FUZZ=50000 TOOLHOST_SEED=7 npx vitest …`. */
const COUNT = Number(process.env.TOOLHOST_FUZZ ?? 2_500);
const SEED = Number(process.env.TOOLHOST_SEED ?? 1) * 10_000_000;

/**
 * What refuses a line, by the reason that is told: without the rule, the lines that it alone refuses would be allowed.
 */
const RULES: Readonly<Record<string, RegExp>> = {
  "a text that an array expands": /gives an array text|makes an array, and/,
  "another name for a program": /another name, which/,
  "a format that sets a variable": /format that may set/,
  "a variable that programs get": /may change what programs do|is the shell's own|decides |changes /,
  "a file's name for a flag": /reads as a flag|may expand to any flag/,
  "a subscript": /evaluates (?:a subscript|its operands)|not the name of a variable/,
  "a file that may be secret": /may not be read without asking|reads all files below/,
};

/** Lines that one rule refuses are run until one shows what it is for, at most as many. */
const MOST_OF_A_RULE = 60;

/** Lines that are run first: those with a place that a program of ours lies in. */
const LIKELY = /=evil/;

describe.runIf(existsSync("/bin/bash") && existsSync("/usr/bin/timeout") && process.platform === "linux")(
  "command lines made at random",
  () => {
    it(
      "leave no trace when they are taken for reading, and each rule that refuses some is needed",
      { timeout: 2_000_000 },
      async () => {
        const { explain } = world({ files: [], texts: WORKSPACE_FILES, exported: ENVIRONMENT });
        const allowed: string[] = [];
        const refused = new Map<string, string[]>(Object.keys(RULES).map((rule) => [rule, []]));
        for (let index = 0; index < COUNT; index++) {
          const written = effectProgram(SEED + index);
          const { decision, rule: decidedBy, reasons, instead } = await explain("exec", { command: written });
          const command = instead?.command ?? written;
          if (decidedBy === defaultRule("reads")) {
            allowed.push(command);
          }
          const [rule, ...others] =
            decision === "allow"
              ? []
              : Object.entries(RULES).filter(([, pattern]) => reasons.some((reason) => pattern.test(reason)));
          const asking = reasons.filter((reason) => !/only reads\.$/.test(reason));
          const isAlone = rule !== undefined && others.length === 0 && asking.every((reason) => rule[1].test(reason));
          if (isAlone) {
            refused.get(rule[0])?.push(command);
          }
        }
        const shown = [...refused.values()].flatMap((some) =>
          some.sort((one, other) => Number(LIKELY.test(other)) - Number(LIKELY.test(one))).slice(0, MOST_OF_A_RULE),
        );
        const lines = [...allowed, ...shown];
        const traces = new Map((await runEffects(lines)).map((trace, index) => [lines[index], trace]));
        expect(
          allowed.filter((line) => traces.get(line) !== undefined).map((line) => [line, traces.get(line)]),
        ).toEqual([]);
        // Otherwise the test would say nothing.
        expect(allowed.length).toBeGreaterThan(COUNT / 20);
        const needless = [...refused]
          .filter(([, some]) => some.every((line) => traces.get(line) === undefined))
          .map(([rule, some]) => `${rule}: ${some.length} lines`);
        expect(needless).toEqual([]);
        if (process.env.TOOLHOST_FUZZ !== undefined) {
          console.log(
            JSON.stringify(
              {
                allowed: allowed.length,
                refused: [...refused].map(([rule, some]) => [
                  rule,
                  some.length,
                  some.find((line) => traces.get(line) !== undefined),
                ]),
              },
              undefined,
              1,
            ),
          );
        }
      },
    );
  },
);
