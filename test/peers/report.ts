// The table of a run, and which goals it holds.
import { partKinds, type Parts } from "./parts.js";
import { FILES } from "./workspace.js";

const kinds = ["start", "read", "search", "run", "edit"] as const;

/** What was found of one agent. */
export interface Row {
  name: string;
  version: string;
  /** Milliseconds, one for each round. */
  times: Partial<Record<(typeof kinds)[number], number[]>>;
  /** Of its first request. */
  first?: { characters: number; tools: number };
  /** Whether its model is sent the failing line of a long output. */
  keepsFailure?: boolean;
  /** Why it did not take part, or not to the end. */
  problem?: string;
}

/** Characters per token, about right for English and code. */
const PER_TOKEN = 4;
/** Of the first one's median. */
const NEAR = 1.1;
const MAX_TOKENS = 4_000;

/** Toolhost's row comes first. */
export function verdicts(rows: readonly Row[]): { title: string; isHeld: boolean; found: string }[] {
  const [own] = rows;
  if (own === undefined) {
    return [];
  }
  const times = kinds.map((kind) => {
    const [first] = ranking(rows, kind);
    const ratio = median(own.times[kind]) / (first?.time ?? Number.NaN);
    return {
      title: `${kind}: at most ${NEAR}× the first`,
      isHeld: ratio <= NEAR,
      found: `${ratio.toFixed(2)}× ${first?.name ?? "nobody"}`,
    };
  });
  const tokens = own.first === undefined ? Number.NaN : own.first.characters / PER_TOKEN;
  return [
    ...times,
    {
      title: `first request: at most ${MAX_TOKENS.toLocaleString("en")} tokens`,
      isHeld: tokens <= MAX_TOKENS,
      found: Math.round(tokens).toLocaleString("en"),
    },
    {
      title: "the failing line of a long output is kept",
      isHeld: own.keepsFailure === true,
      found: own.keepsFailure === true ? "kept" : "not kept",
    },
  ];
}

/** A Markdown section. */
export function pageOf(
  rows: readonly Row[],
  { rounds, starts, machine, parts }: { rounds: number; starts: number; machine: string; parts: Parts | undefined },
): string {
  const lines = rows.map((row) => {
    const cells = kinds.map((kind) => timeCell(row, rows, kind));
    const tokens =
      row.first === undefined
        ? "–"
        : `${Math.round(row.first.characters / PER_TOKEN).toLocaleString("en")} (${row.first.tools})`;
    const kept = row.keepsFailure === undefined ? "–" : row.keepsFailure ? "kept" : "lost";
    return `| ${row.name} ${row.version} | ${[...cells, tokens, kept].join(" | ")} |`;
  });
  const problems = rows.flatMap(({ name, problem }) => (problem === undefined ? [] : [`- ${name}: ${problem}`]));
  return [
    "## Beside the peers",
    "",
    "Written by `npm run peers`, which is not part of `npm test` or `npm run bench`: the command lines of nine agents, offline,",
    "each with all its tools allowed and a model server on this machine that plays the same script for all of them, in a Git",
    `repository of ${FILES.toLocaleString("en")} files. All are up during the run and get their turns one at a time, in random order.`,
    "",
    `Start: from the process to its first request, median of ${starts}. The others: from the model's answer with one call to the next`,
    `request, median of ${rounds}, in ms, with the ratio to the fastest: read 200 lines, search a word that one file has, run \`true\`,`,
    "edit one line. Tokens of the first request are characters / 4, with the number of its tools. The last column: whether the model",
    "is sent the failing line in the middle of a test run's 1.6 MB.",
    "",
    `${machine}. Toolhost asks permission and keeps undo here as always; the others run with every check off.`,
    "",
    `What only Toolhost's edit does, and keeps: two flushes to the disk (the new text, and the journal that takes it back after a crash), which`,
    "run at the same time as a copy of the file's attributes; a search for folders from which Git runs programs; the earlier text in the",
    "journal. Its command also checks that it only reads, and what it left running.",
    "",
    "| | start | read | search | run | edit | first request | failing line |",
    "|---|---|---|---|---|---|---|---|",
    ...lines,
    "",
    ...(parts === undefined ? [] : [...partLines(rows, parts), ""]),
    ...(problems.length === 0 ? [] : ["Not measured to the end:", "", ...problems, ""]),
    ...verdicts(rows).map(
      ({ title, isHeld, found }) => `- ${isHeld ? "Held" : "**Missed**"}: ${title}; it is ${found}.`,
    ),
  ].join("\n");
}

/** What is left of Toolhost's times without what the others do not do. */
function partLines(rows: readonly Row[], parts: Parts): string[] {
  return [
    "What permission and undo take of that, medians of as many calls of the command line's own parts in one process: deciding",
    "on a call, and what a change takes beyond writing the new text over the old one.",
    "",
    ...partKinds.map((kind) => {
      const whole = median(rows[0]?.times[kind]);
      const [permission, undo] = [median(parts[kind].permission), median(parts[kind].undo)];
      const fastest = ranking(rows.slice(1), kind)[0];
      const other = fastest === undefined ? "" : `; ${fastest.name}, without either, ${fastest.time.toFixed(1)}`;
      const kept = undo === 0 ? "" : `, undo ${undo.toFixed(1)}`;
      return `- ${kind}: ${whole.toFixed(1)} ms, of which permission ${permission.toFixed(1)}${kept}; without them ${(whole - permission - undo).toFixed(1)}${other}`;
    }),
  ];
}

function timeCell(row: Row, rows: readonly Row[], kind: (typeof kinds)[number]): string {
  const time = median(row.times[kind]);
  const [first] = ranking(rows, kind);
  return Number.isNaN(time) || first === undefined ? "–" : `${time.toFixed(0)} (${(time / first.time).toFixed(1)}×)`;
}

/** Those that were measured, the fastest first. */
function ranking(rows: readonly Row[], kind: (typeof kinds)[number]): { name: string; time: number }[] {
  return rows
    .map(({ name, times }) => ({ name, time: median(times[kind]) }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((a, b) => a.time - b.time);
}

function median(values: readonly number[] = []): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}
