import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BUILTINS } from "../../../src/shell/builtins.js";
import { table } from "../../../src/shell/commands/index.js";
import type { CommandSpec } from "../../../src/shell/commands/spec.js";
import { NOT_RECORDED, readFrom } from "../../../src/shell/readFrom.js";
import { judge } from "../../../src/shell/judge.js";
import { WRAPPERS } from "../../../src/shell/wrappers.js";

/** Whether some call of a command runs unasked. */
function mayRead(spec: CommandSpec | undefined): boolean {
  return (
    spec !== undefined &&
    (spec.effect === "reads" || [spec.bare, spec.alone, ...Object.values(spec.subcommands ?? {})].some(mayRead))
  );
}

const commands = Object.keys(table).filter((name) => mayRead(table[name]) && !Object.hasOwn(BUILTINS, name));
const wrappers = Object.entries(WRAPPERS)
  .filter(([, { doubt, rights }]) => doubt === undefined && rights === undefined)
  .map(([name]) => name);
const unasked = [...new Set([...commands, ...wrappers])];

describe("the versions that the tables were read from", () => {
  it("are recorded of every command and wrapper that may run unasked; those without one ask", () => {
    expect(unasked.filter((name) => readFrom(name) === undefined).toSorted()).toEqual([...NOT_RECORDED].toSorted());
  });

  it.each([...NOT_RECORDED].filter((name) => commands.includes(name)))("of %s are not, so that it asks", (name) => {
    for (const flag of ["--version", "-v", "-V", "-version"]) {
      expect(judge([{ value: name }, { value: flag }]).effect).not.toBe("reads");
    }
  });

  it("are versions", () => {
    expect(unasked.filter((name) => !/\d/.test(readFrom(name) ?? "0"))).toEqual([]);
    expect(Object.values(BUILTINS).every(({ from }) => /^\d+\.\d+–\d+\.\d+$/.test(from))).toBe(true);
  });
});

/** Programs that a Debian 12 has as its own packages. */
const INSTALLED =
  "git grep rg find xargs sed jq bash make tar ls cat sort timeout diff file ps lsof less watch column setsid objdump gzip";
const isDebian12 = existsSync("/etc/debian_version") && readFileSync("/etc/debian_version", "utf8").startsWith("12.");

describe.runIf(isDebian12)("on a Debian 12, from which most were read", () => {
  it.each(INSTALLED.split(" ").filter((name) => existsSync(`/usr/bin/${name}`)))("%s has one of them", (name) => {
    const { stdout, stderr } = spawnSync(`/usr/bin/${name}`, [name === "lsof" ? "-v" : "--version"], {
      encoding: "utf8",
    });
    const version = (/\d+(?:\.\d+)+/.exec(stdout + stderr) ?? /\d+/.exec(stdout + stderr))?.[0] ?? "none";
    const from = readFrom(name) ?? BUILTINS[name]?.from ?? (name === "bash" ? readFrom("[[") : undefined) ?? "";
    const [low = "", high = low] = from.replace(/^\D+/, "").split("–");
    expect([compare(version, low) >= 0, compare(version, high) <= 0], `${name} ${version}: ${from}`).toEqual([
      true,
      true,
    ]);
  });
});

/** By their numbers, as far as the second has some: 4.9.0 is 4.9. */
function compare(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split(".").map(Number));
  const at = (right ?? []).findIndex((number, index) => number !== (left?.[index] ?? 0));
  return at < 0 ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0);
}
