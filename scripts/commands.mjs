// The commands of setup.mjs, once everything they need is there. Runs under Node 24.
import { SetupError } from "./child.mjs";
import { desktop, ensureDesktop } from "./desktop.mjs";
import { agents, bench, build, desktopIntegration, e2e, integration, parseFilter, peers, windows } from "./stages.mjs";
import { start } from "./start.mjs";
import { report, sum } from "./tally.mjs";
import { checkAll, testAll } from "./test.mjs";

/** @typedef {import("./tally.mjs").Tally} Tally */

/** @type {Record<string, (args: string[]) => Promise<number>>} each gives the exit code */
const commands = {
  start: (args) => start({ checkOnly: args.includes("--check") || process.env.TOOLHOST_START_CHECK === "1" }),
  test: testAll,
  check: checkAll,
  integration: (args) => built(() => integration(parseFilter(args))),
  e2e: (args) => built(() => e2e(parseFilter(args))),
  bench: (args) => built(() => bench(parseFilter(args))),
  peers: (args) => built(() => peers(args)),
  agents: (args) => built(() => agents(args)),
  windows: async (args) => report(await windows(parseFilter(args))),
  desktop,
  "test:desktop": async (args) => {
    await ensureDesktop();
    return built(() => desktopIntegration(parseFilter(args)));
  },
};

/** @param {() => Promise<Tally>} stage @returns {Promise<number>} */
async function built(stage) {
  const first = await build();
  return report(first.failed > 0 ? first : sum([await stage()]));
}

const [name = "", ...args] = process.argv.slice(2);
try {
  process.exitCode = (await commands[name]?.(args)) ?? 1;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
