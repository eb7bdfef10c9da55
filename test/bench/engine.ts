// The engine of edit and apply_patch alone, in plain Node: files of a usual size, inputs made to be slow, and growth.
// Writes its part of docs/benchmarks.md, and fails where a bar of issue 4 is missed.
import { cpus } from "node:os";
import { findMatch } from "../../src/text/match/match.js";
import { diagnoseMiss } from "../../src/text/miss/miss.js";
import { applyHunks } from "../../src/text/patch/applyHunks.js";
import { describeHunkError } from "../../src/text/patch/describeHunkError.js";
import { parsePatch } from "../../src/text/patch/parsePatch.js";
import { writePart } from "./page.js";

const ROUNDS = 15;

/** Milliseconds of the engine's own thread, of the median: what else the machine does does not count. */
const USUAL_BAR = 5;
const ADVERSARIAL_BAR = 100;

/**
 * One call of the engine on texts that are there. What it comes to is checked, so that no refusal is taken for speed.
 */
interface Call {
  name: string;
  run: () => string;
  gives: string;
}

/** A text as programs are: blocks, indentation, a brace every few lines, every other line its own. */
function program(lines: number): string[] {
  return Array.from({ length: lines }, (_, at) =>
    at % 7 === 6
      ? "}"
      : at % 7 === 0
        ? `function f${at}(a, b) {`
        : `  const value${at} = compute(a, ${at}); // ("note")`,
  );
}

const textOf = (lines: readonly string[], end = "\n"): string => lines.map((line) => line + end).join("");

function edit(text: string, oldText: string, newText: string): string {
  const match = findMatch(text, oldText, newText, { replaceAll: false, max: 100 });
  return match.kind === "found" || match.kind === "not_unique"
    ? `${match.kind} ${match.tier}`
    : diagnoseMiss(text, oldText, newText).hint.kind;
}

function patch(text: string, patchText: string): string {
  const parsed = parsePatch(patchText);
  const [file] = parsed.ok ? parsed.files : [];
  if (!parsed.ok || !file || file.kind === "add") {
    return "not read";
  }
  const applied = applyHunks(text, file.hunks);
  if (applied.ok) {
    return applied.notes[0]?.rule ?? "exact";
  }
  applied.errors.map(describeHunkError);
  return applied.errors[0]?.type ?? "";
}

const editing = (name: string, gives: string, text: string, oldText: string, newText: string): Call => ({
  name,
  gives,
  run: () => edit(text, oldText, newText),
});
const patching = (name: string, gives: string, text: string, patchText: string): Call => ({
  name,
  gives,
  run: () => patch(text, patchText),
});

const update = (lines: readonly string[]): string =>
  textOf(["*** Begin Patch", "*** Update File: a.ts"]) + textOf(lines) + textOf(["*** End Patch"]);

/** The lines of a hunk that changes a line of five in the middle of a block. */
function hunkAt(lines: readonly string[], at: number, write = (line: string): string => line): string[] {
  const [first = "", second = "", gone = "", fourth = "", last = ""] = lines.slice(at - 2, at + 3).map(write);
  return ["@@", ` ${first}`, ` ${second}`, `-${gone}`, "+  changed();", ` ${fourth}`, ` ${last}`];
}

/** Every way that the two find a place, or say why there is none, on a file of so many lines. */
function usualCalls(count: number): Call[] {
  const lines = program(count);
  const text = textOf(lines);
  const middle = Math.floor(count / 14) * 7 + 3;
  const old = lines.slice(middle - 2, middle + 3);
  const changed = ["  changed();", ...old.slice(1)];
  const curly = text.replaceAll('("note")', "(“note”)");
  const miss = old.map((line, at) => (at === 3 ? line.replace("note", "nota") : line));
  const tenth = (at: number): number => Math.floor((count * at) / 77) * 7 + 3;
  return [
    editing("edit, exact", "found exact", text, textOf(old), textOf(changed)),
    editing("edit, line endings", "found line_endings", textOf(lines, "\r\n"), textOf(old), textOf(changed)),
    editing("edit, trailing blanks", "found trailing_blanks", textOf(lines, " \n"), textOf(old), textOf(changed)),
    editing(
      "edit, indentation",
      "found indentation",
      text,
      textOf(old.map((line) => `  ${line}`)),
      textOf(changed.map((line) => `  ${line}`)),
    ),
    editing("edit, look-alikes", "found look_alikes", curly, textOf(old), textOf(changed)),
    editing("edit, several places", "not_unique exact", text, "}", "};"),
    editing("edit, no place, and why", "read_again", text, textOf(miss), textOf(changed)),
    patching("patch, exact", "exact", text, update([...hunkAt(lines, middle)])),
    patching(
      "patch, ten hunks",
      "exact",
      text,
      update([...Array.from({ length: 10 }, (_, at) => hunkAt(lines, tenth(at))).flat()]),
    ),
    patching(
      "patch, headers",
      "exact",
      text,
      update([`@@ ${lines[middle - 3] ?? ""}`, ...hunkAt(lines, middle).slice(1)]),
    ),
    patching(
      "patch, unified",
      "exact",
      text,
      textOf([
        "--- a/a.ts",
        "+++ b/a.ts",
        `@@ -${middle - 1},5 +${middle - 1},5 @@`,
        ...hunkAt(lines, middle).slice(1),
      ]),
    ),
    patching("patch, trailing blanks", "trailing_blanks", textOf(lines, " \n"), update([...hunkAt(lines, middle)])),
    patching("patch, look-alikes", "look_alikes", curly, update([...hunkAt(lines, middle)])),
    patching(
      "patch, context without its space",
      "bare_context",
      text,
      update([...hunkAt(lines, middle).map((line) => line.replace(/^ /, ""))]),
    ),
    patching(
      "patch, no place, and why",
      "no_match",
      text,
      update([...hunkAt(lines, middle, (line) => line.replace("note", "nota"))]),
    ),
    patching(
      "patch, five hunks without a place",
      "no_match",
      text,
      update([...[1, 2, 3, 4, 5].flatMap((at) => ["@@", `-  nowhere${at}();`])]),
    ),
  ];
}

function adversarialCalls(): Call[] {
  const braces = "}\n".repeat(100_000);
  const many = program(30_000);
  const wide = Array.from({ length: 900 }, (_, at) => `abc ${at} `.repeat(500).slice(0, 3000));
  const nearly = wide.map((line, at) => (at === 450 ? `${line.slice(0, 2990)}ZZZZZZZZZZ` : line));
  const same = Array.from({ length: 900 }, () => "a".repeat(3000));
  const nearlySame = [...same.slice(1), `${"a".repeat(2999)}b`];
  const context = (lines: readonly string[]): string[] => lines.map((line) => ` ${line}`);
  const hunks = (write: (at: number) => string[]): string[] =>
    Array.from({ length: 10_000 }, (_, at) => write(at)).flat();
  const small = textOf(["a"]);
  return [
    editing("edit: } in 100,000 lines of }", "not_unique exact", braces, "}", "};"),
    editing(
      "edit: 1,000 lines of } and another in 100,000 lines of }",
      "nothing_near",
      braces,
      `${"}\n".repeat(1000)}x`,
      "y",
    ),
    editing("edit: 900 lines of 3,000 characters, one nearly", "read_again", textOf(wide), textOf(nearly), "x"),
    editing(
      "edit: 900 equal lines of 3,000 characters, one nearly",
      "read_again",
      textOf(same),
      textOf(nearlySame),
      "x",
    ),
    patching(
      "patch: 10,000 hunks",
      "exact",
      textOf(many),
      update([...hunks((at) => ["@@", ` ${many[at * 3] ?? ""}`, `-${many[at * 3 + 1] ?? ""}`, "+x"]).slice(0, 40_000)]),
    ),
    patching(
      "patch: 10,000 hunks without a place",
      "no_match",
      textOf(many),
      update([...hunks((at) => ["@@", ` nowhere${at}`, `-${many[at * 3] ?? ""}`])]),
    ),
    patching(
      "patch: 10,000 hunks of }, told apart by line numbers, in 100,000 lines of }",
      "line_number",
      braces,
      textOf(["--- a/a", "+++ b/a", ...hunks((at) => [`@@ -${at * 10 + 1} +${at * 10 + 1} @@`, "-}", "+x"])]),
    ),
    patching(
      "patch: 10,000 hunks of one to four }, in 100,000 lines of }",
      "not_unique",
      braces,
      update([...hunks((at) => ["@@", ...Array.from({ length: (at % 4) + 1 }, () => "-}")])]),
    ),
    patching("patch: headers of }, in 100,000 lines of }", "not_unique", braces, update(["@@ }", "@@ }", "-}"])),
    patching(
      "patch: 900 lines of 3,000 characters, one nearly",
      "no_match",
      textOf(wide),
      update(["@@", ...context(nearly), "+x"]),
    ),
    patching(
      "patch: 900 equal lines of 3,000 characters, one nearly",
      "no_match",
      textOf(same),
      update(["@@", ...context(nearlySame), "+x"]),
    ),
    patching(
      "patch: 5 MB in 49,000 lines",
      "no_match",
      small,
      update(["@@", ...Array.from({ length: 49_000 }, (_, at) => `-${"some removed line ".repeat(6)}${at}`)]),
    ),
    patching(
      "patch: 5 MB in 300,000 lines",
      "not read",
      small,
      update(["@@", ...Array.from({ length: 300_000 }, () => "-some removed line")]),
    ),
    patching("patch: 5 MB in one line", "no_match", small, update(["@@", `-${"a".repeat(5_000_000)}`])),
    patching(
      "patch: 49,000 deleted files",
      "not read",
      small,
      update([...Array.from({ length: 49_000 }, (_, at) => `*** Delete File: ${at}`)]),
    ),
    patching(
      "patch: 49,000 headers of one hunk",
      "header_missing",
      small,
      update([...Array.from({ length: 48_000 }, () => "@@ a"), "-a"]),
    ),
    patching("patch: 50,000 blanks in a marker", "not read", small, `*** Begin Patch${" ".repeat(50_000)}x`),
  ];
}

/** Medians in milliseconds: of the thread's own time, and by the clock. */
interface Times {
  own: number;
  clock: number;
}

const NEVER: Times = { own: Number.NaN, clock: Number.NaN };

/** The clock of threads ticks every few milliseconds: short calls are repeated until a round takes as long as this. */
const ROUND_MS = 20;

function medianOf(run: () => unknown): Times {
  const own: number[] = [];
  const clock: number[] = [];
  run();
  const [once] = timesOf(run, 1);
  const repeats = Math.max(1, Math.ceil(ROUND_MS / once));
  for (let round = 0; round < ROUNDS; round++) {
    const [elapsed, used] = timesOf(run, repeats);
    clock.push(elapsed);
    own.push(used);
  }
  const middle = (times: number[]): number => times.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
  return { own: middle(own), clock: middle(clock) };
}

/** Milliseconds of one call, by the clock and of this thread. */
function timesOf(run: () => unknown, repeats: number): [number, number] {
  const [before, started] = [process.threadCpuUsage(), performance.now()];
  for (let at = 0; at < repeats; at++) {
    run();
  }
  const [used, elapsed] = [process.threadCpuUsage(before), performance.now() - started];
  return [elapsed / repeats, (used.user + used.system) / 1000 / repeats];
}

/** Runs the bench. @returns which targets were met and missed, counted like tests */
export function runBench({ repository }: { repository: string }): {
  passed: number;
  failed: number;
  skipped: number;
  failures: { title: string; message: string }[];
} {
  const failures: { title: string; message: string }[] = [];
  let passed = 0;
  const check = (title: string, problem: string | undefined): void => {
    if (problem === undefined) {
      passed++;
    } else {
      failures.push({ title, message: problem });
    }
  };
  const timed = (calls: readonly Call[]): Map<string, Times> => {
    for (const { name, run, gives } of calls) {
      const given = run();
      check(`${name}: its outcome`, given === gives ? undefined : `It gives ${given}, not ${gives}.`);
    }
    return new Map(calls.map(({ name, run }) => [name, medianOf(run)]));
  };
  const barred = (calls: readonly Call[], bar: number): string[] => {
    const medians = timed(calls);
    return calls.map(({ name }) => {
      const { own, clock } = medians.get(name) ?? NEVER;
      const isHeld = own < bar;
      check(`${name}: under ${bar} ms`, isHeld ? undefined : `It takes ${own.toFixed(1)} ms.`);
      return `| ${name} | ${own.toFixed(1)} ms | ${clock.toFixed(1)} ms | ${isHeld ? "held" : "**missed**"} |`;
    });
  };

  const usual = barred(usualCalls(3000), USUAL_BAR);
  const adversarial = barred(adversarialCalls(), ADVERSARIAL_BAR);
  const sizes = [1000, 10_000, 100_000];
  const growth: Map<string, Times>[] = [];
  for (const size of sizes) {
    growth.push(timed(usualCalls(size)));
  }
  const names = [...(growth[0]?.keys() ?? [])];
  const grown = names.map((name) => {
    const cells = growth.map((medians, at) => {
      const { own } = medians.get(name) ?? NEVER;
      return `${own.toFixed(1)} ms (${((own * 1000) / (sizes[at] ?? 1)).toFixed(2)} µs)`;
    });
    return `| ${name} | ${cells.join(" | ")} |`;
  });

  const part = [
    "## The engine of edit and apply_patch",
    "",
    `Plain Node ${process.versions.node}, medians of ${ROUNDS} rounds, ${cpus().length} cores. A patch is read and applied, an edit's place looked for; a miss is diagnosed and`,
    "put into words. The bars are for the time of the engine's own thread, which other work on the machine does not lengthen.",
    "",
    `### A file of 3,000 lines: each under ${USUAL_BAR} ms`,
    "",
    "| | its thread | by the clock | |",
    "|---|---|---|---|",
    ...usual,
    "",
    `### Inputs made to be slow: each under ${ADVERSARIAL_BAR} ms`,
    "",
    "| | its thread | by the clock | |",
    "|---|---|---|---|",
    ...adversarial,
    "",
    "### Growth: the median, and its share of a line",
    "",
    `| | ${sizes.map((size) => `${size.toLocaleString("en")} lines`).join(" | ")} |`,
    `|---|${sizes.map(() => "---|").join("")}`,
    ...grown,
    "",
  ].join("\n");
  console.log(part);
  writePart(repository, "engine", part);
  return { passed, failed: failures.length, skipped: 0, failures };
}
