import { isRecord } from "../../core/jsonSchema.js";
import { PERMISSION_MODES } from "../../core/permission/modes.js";
import { readRules, type KnownTool } from "../../core/permission/rules/readRules.js";
import { describeValue } from "../../core/pipeline/issues.js";
import type { PlacedRule } from "../../ports/rules.js";
import { excerpt } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import type { ToolhostOptions } from "./types.js";

const KNOWN = ["folder", "tools", "roots", "mode", "rules", "confirm", "timeout", "onNotice"];
/** How the problem of a rule begins whose tool may be registered later. */
const NO_TOOL = "tool: no tool is called ";
/** As of a tool of others: a day. */
const MAX_TIMEOUT = 86_400_000;

/**
 * Checks the options of a program, which may be written in JavaScript.
 *
 * @throws TypeError that names the problem
 */
export function readToolhostOptions(options: unknown): ToolhostOptions {
  if (!isRecord(options)) {
    throw wrong("options", `expected an object {folder, …}, got ${describeValue(options)}`);
  }
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) {
    const [near] = nearestNames(unknown, KNOWN, 1);
    throw wrong(
      excerpt(unknown),
      `there is no such option${near === undefined ? `; the options are ${KNOWN.join(", ")}` : ` (did you mean ${near}?)`}`,
    );
  }
  const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
  const isFunction = (value: unknown): boolean => typeof value === "function";
  const checks: [keyof ToolhostOptions, (value: unknown) => boolean, string][] = [
    ["tools", Array.isArray, "a list of tools"],
    ["roots", (value) => Array.isArray(value) && value.every(isText), "a list of folders"],
    ["mode", (value) => PERMISSION_MODES.some((mode) => mode === value), `one of ${PERMISSION_MODES.join(", ")}`],
    ["rules", Array.isArray, "a list of rules"],
    ["confirm", isFunction, "a function"],
    [
      "timeout",
      (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TIMEOUT,
      `milliseconds, 1 to ${MAX_TIMEOUT}`,
    ],
    ["onNotice", isFunction, "a function"],
  ];
  if (!isText(options["folder"])) {
    throw wrong("folder", `expected the path of a folder, got ${describeValue(options["folder"])}`);
  }
  for (const [name, isRight, expected] of checks) {
    const value = options[name];
    if (value !== undefined && !isRight(value)) {
      throw wrong(name, `expected ${expected}, got ${describeValue(value)}`);
    }
  }
  return options as unknown as ToolhostOptions;
}

/** A program's rules. */
export interface OptionRules {
  /** Returns them as they apply to the tools that are there now. */
  current(): readonly PlacedRule[];
  /** What is wrong with them that may be right once other tools are there, as sentences. */
  doubts: string[];
}

/**
 * Reads a program's rules.
 *
 * @param tools returns the tools that they may name; the same list until it changes
 * @throws TypeError that names the problem of a rule, other than that no tool has its name
 */
export function readOptionRules(rules: ToolhostOptions["rules"], tools: () => readonly KnownTool[]): OptionRules {
  const readFor = (known: readonly KnownTool[]): readonly PlacedRule[] =>
    readRules(rules, "command line", "rules", known);
  let list = tools();
  let read = readFor(list);
  const doubtful = read.filter(({ broken }) => broken?.startsWith(NO_TOOL) === true);
  const wrongOne = read.find((rule) => rule.broken !== undefined && !doubtful.includes(rule));
  if (wrongOne?.broken !== undefined) {
    throw wrong(wrongOne.place, wrongOne.broken);
  }
  return {
    current: () => {
      const now = tools();
      if (now !== list) {
        list = now;
        read = readFor(now);
      }
      return read;
    },
    doubts: doubtful.map(({ place, broken = "" }) => `${place}: ${broken.slice("tool: ".length)}.`),
  };
}

function wrong(name: string, problem: string): TypeError {
  return new TypeError(`Toolhost createToolhost: ${name}: ${problem}.`);
}
