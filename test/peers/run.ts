// Nine agents on the same script, offline, on a scripted model: `npm run peers`. Every round gives each agent its turn, in
// random order, so that a noisy machine disturbs all alike. Writes its part of docs/benchmarks.md.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ripgrepOfPackage } from "../../src/hosts/node/ripgrep/run.js";
import { writePart } from "../bench/page.js";
import type { Tally } from "../bench/tally.js";
import { agents, type Agent, type Calls } from "./agents.js";
import { cache, installAgent } from "./install.js";
import { measureParts, NAME, type Parts } from "./parts.js";
import { pageOf, verdicts, type Row } from "./report.js";
import { AgentSession, homeOf, killLeftovers, type Program } from "./session.js";
import {
  CHECK,
  editedFile,
  editedLine,
  FAILURE,
  MAX_ROUNDS,
  prepareWorkspace,
  readFileOf,
  wordOf,
} from "./workspace.js";

const STARTS = 7;
const ROUNDS = 15;
/** Milliseconds between turns, in which an agent finishes what it does behind a request. */
const PAUSE = 150;

/** An agent that takes part, until something fails. */
interface Player {
  agent: Agent;
  program: Program;
  row: Row;
  session?: AgentSession;
}

/**
 * Measures, prints the table, and writes it into docs/benchmarks.md if nothing was left out.
 *
 * @param options.words beginnings of agents' names; none for all of them. `--rounds 3` measures less
 * @throws Error if `words` names nobody or asks for more rounds than the workspace has files for
 */
export async function runPeers({ repository, words }: { repository: string; words: string[] }): Promise<Tally> {
  const { chosen, rounds, starts } = readWords(words);
  const players = await Promise.all(chosen.map((agent) => enlist(agent, repository)));
  provideRipgrep(repository);
  const folder = prepareWorkspace([...agents.map(({ name }) => name), NAME]);
  const load = loadavg()[0] ?? 0;
  process.once("exit", killLeftovers);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => process.exit(1));
  }
  for (const { agent } of players) {
    rmSync(homeOf(agent), { recursive: true, force: true });
  }
  let parts: Parts | undefined;
  try {
    await measureStarts(players, folder, starts);
    await measureCalls(players, folder, rounds);
    if (players[0]?.agent.from === undefined) {
      console.log("what permission and undo take");
      parts = await measureParts(repository, folder, { rounds, pauseTime: PAUSE });
    }
  } finally {
    killLeftovers();
  }
  const rows = players.map(({ row }) => row);
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, load ${load.toFixed(1)} at the beginning`;
  const page = pageOf(rows, { rounds, starts, machine, parts });
  console.log(`\n${page}`);
  if (chosen.length === agents.length && words.length === 0) {
    writePart(repository, "peers", page);
  }
  return tallyOf(rows);
}

function readWords(words: string[]): { chosen: readonly Agent[]; rounds: number; starts: number } {
  const at = words.indexOf("--rounds");
  const rounds = at < 0 ? ROUNDS : Number(words[at + 1]);
  if (!(rounds >= 1 && rounds < MAX_ROUNDS)) {
    throw new Error(`--rounds: a number from 1 to ${MAX_ROUNDS - 1}`);
  }
  const names = (at < 0 ? words : words.toSpliced(at, 2)).map((word) => word.toLowerCase());
  const chosen = agents.filter(({ name }) => names.some((word) => name.toLowerCase().startsWith(word)));
  if (names.length > 0 && chosen.length === 0) {
    throw new Error(`No such agent. There are: ${agents.map(({ name }) => name).join(", ")}`);
  }
  return {
    chosen: names.length === 0 ? agents : chosen,
    rounds,
    starts: at < 0 ? STARTS : Math.min(STARTS, rounds),
  };
}

async function enlist(agent: Agent, repository: string): Promise<Player> {
  const row: Row = { name: agent.name, version: agent.from?.version ?? "this checkout", times: {} };
  const node = { command: process.execPath, args: [join(repository, "dist", "cli.js")] };
  if (agent.from === undefined) {
    return { agent, program: node, row };
  }
  try {
    return { agent, program: { command: await installAgent(agent.from), args: [] }, row };
  } catch (error) {
    return { agent, program: node, row: { ...row, problem: `not installed: ${messageOf(error)}` } };
  }
}

/** Some agents search with the ripgrep of the PATH: ours, so that all have the same. */
function provideRipgrep(repository: string): void {
  const link = join(cache, "bin", "rg");
  const ripgrep = ripgrepOfPackage(repository);
  if (ripgrep !== undefined && !existsSync(link)) {
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(ripgrep, link);
  }
}

/** From the start of a process to its first request; the first round, with empty homes, does not count. */
async function measureStarts(players: readonly Player[], folder: string, starts: number): Promise<void> {
  for (let round = 0; round <= starts; round++) {
    await eachInTurn(players, `start ${round} of ${starts}`, async ({ agent, program, row }) => {
      const session = await AgentSession.open(agent, program, folder, "Say hello.");
      if (round > 0) {
        (row.times.start ??= []).push(session.startTime);
      }
      row.first = { characters: session.first.text.length, tools: session.first.tools.length };
      await session.finish();
    });
  }
}

/** From an answer of the model with one call to the next request; the first round does not count. */
async function measureCalls(players: readonly Player[], folder: string, rounds: number): Promise<void> {
  await eachInTurn(players, "begin", async (player) => {
    player.session = await AgentSession.open(player.agent, player.program, folder, "Do the work.");
    // Most agents edit only what they have read.
    await player.session.step(player.agent.calls.read(join(folder, editedFile(player.agent.name))));
  });
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, { ask, isDone }] of Object.entries(steps(folder, round))) {
      await eachInTurn(players, `${kind} ${round} of ${rounds}`, async (player) => {
        const { time, text } = await stepOf(player, ask);
        if (!isDone(text, player.agent)) {
          throw new Error(`${kind}: not done; the next request ends with ${text.slice(-300)}`);
        }
        if (round > 0) {
          (player.row.times[kind as Kind] ??= []).push(time);
        }
      });
    }
  }
  await eachInTurn(players, "a long output", async (player) => {
    const { text } = await stepOf(player, ({ run }) => run(CHECK));
    player.row.keepsFailure = text.includes(FAILURE);
  });
  await eachInTurn(players, "end", async ({ session }) => session?.finish());
}

type Kind = "read" | "search" | "run" | "edit";
type Ask = (calls: Calls, agent: Agent) => ReturnType<Calls["run"]>;

/** What every agent is asked for in a round, and how to tell that it was done. */
function steps(
  folder: string,
  round: number,
): Record<Kind, { ask: Ask; isDone: (next: string, agent: Agent) => boolean }> {
  const read = readFileOf(round);
  const { word, file } = wordOf(round);
  const edited = (agent: Agent): string => join(folder, editedFile(agent.name));
  return {
    read: { ask: (calls) => calls.read(join(folder, read.path)), isDone: (next) => next.includes(read.end) },
    search: { ask: (calls) => calls.search(word), isDone: (next) => next.includes(file) },
    // Toolhost ends a turn that repeats the same call over and over.
    run: { ask: (calls) => calls.run(`true # ${round}`), isDone: () => true },
    edit: {
      ask: (calls, agent) => calls.edit(edited(agent), editedLine(round), editedLine(round + 1)),
      isDone: (_next, agent) => readFileSync(edited(agent), "utf8").includes(editedLine(round + 1)),
    },
  };
}

async function stepOf({ agent, session }: Player, ask: Ask): ReturnType<AgentSession["step"]> {
  if (session === undefined) {
    throw new Error("it has no session");
  }
  return session.step(ask(agent.calls, agent));
}

/** Whoever fails is out, and its row says why. */
async function eachInTurn(
  players: readonly Player[],
  title: string,
  turn: (player: Player) => Promise<void>,
): Promise<void> {
  console.log(title);
  for (const player of shuffled(players.filter(({ row }) => row.problem === undefined))) {
    try {
      await turn(player);
    } catch (error) {
      player.row.problem = messageOf(error);
      player.session?.kill();
      console.log(`  ${player.row.name}: ${player.row.problem}`);
    }
    await pause(PAUSE);
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function tallyOf(rows: readonly Row[]): Tally {
  const goals = verdicts(rows);
  const failures = goals.flatMap(({ title, isHeld, found }) => (isHeld ? [] : [{ title, message: found }]));
  return { passed: goals.length - failures.length, failed: failures.length, skipped: 0, failures };
}
