// Other agents call our tools through `toolhost mcp`: `npm run agents`. They come from the npm registry and have a
// scripted model on this machine. Writes its part of docs/mcp.md.
import { cpus, loadavg } from "node:os";
import { writePart } from "../bench/page.js";
import type { Tally } from "../bench/tally.js";
import { closeBrowser } from "../harness/browser.js";
import { killLeftovers } from "../peers/session.js";
import { ROUNDS, runAlone } from "./alone.js";
import { copyBuild, type Build } from "./build.js";
import { clients, type Client } from "./clients.js";
import { openAskingWindow, runInWindow } from "./inWindow.js";
import { pageOf, type Row } from "./report.js";

/**
 * Runs both scripts with each agent, prints the table, and writes it into docs/mcp.md if no agent was left out.
 *
 * @param options.words arguments of `toolhost connect`; none for all of them
 * @throws Error if `words` names nobody
 */
export async function runAgents({ repository, words }: { repository: string; words: string[] }): Promise<Tally> {
  const chosen = clients.filter(({ name }) => words.length === 0 || words.includes(name));
  if (chosen.length === 0) {
    throw new Error(`No such agent. There are: ${clients.map(({ name }) => name).join(", ")}`);
  }
  process.once("exit", killLeftovers);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => process.exit(1));
  }
  const build = copyBuild(repository);
  const rows: Row[] = [];
  const load = (loadavg()[0] ?? 0).toFixed(1);
  for (const client of chosen) {
    rows.push(await runEachAlone(client, build));
  }
  await runAllInWindow(chosen, rows, build);
  const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? "an unknown processor"}, load ${load} at the beginning`;
  const page = pageOf(rows, { rounds: ROUNDS, machine, date: new Date().toISOString().slice(0, 10) });
  console.log(`\n${page}`);
  if (chosen.length === clients.length) {
    writePart(repository, "agents", page, "docs/mcp.md");
  }
  const failures = rows.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [{ title: name, message: problem }],
  );
  return { passed: rows.length - failures.length, failed: failures.length, skipped: 0, failures };
}

async function runEachAlone(client: Client, build: Build): Promise<Row> {
  const { name, from } = client.agent;
  const row: Row = {
    name: name.replace(/ with .*/, ""),
    version: from?.version ?? "",
    revision: undefined,
    worked: [],
    inWindow: [],
    times: { read: [], edit: [] },
  };
  build.takeRevision();
  await noteProblem(row, "without a window", () => runAlone(client, build, row));
  row.revision = build.takeRevision();
  return row;
}

async function runAllInWindow(chosen: readonly Client[], rows: readonly Row[], build: Build): Promise<void> {
  const place = await openAskingWindow();
  try {
    for (const [at, client] of chosen.entries()) {
      const row = rows[at];
      if (row?.problem === undefined && row !== undefined) {
        await noteProblem(row, "in a window", () => runInWindow(client, build, row, place));
      }
    }
  } finally {
    await place.window.close();
    await place.server.stop();
    await closeBrowser();
  }
}

/** Whoever fails is out, and its row says why. */
async function noteProblem(row: Row, title: string, script: () => Promise<void>): Promise<void> {
  console.log(`${row.name} ${title}`);
  try {
    await script();
  } catch (error) {
    row.problem = `${title}: ${error instanceof Error ? error.message : String(error)}`;
    console.log(`  ${row.problem}`);
  }
  killLeftovers();
}
