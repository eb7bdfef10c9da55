// Figures in README.md and docs are those that the code goes by. Tests of their own hold that it
// does.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAX_CALL_IMAGES, MAX_IMAGE } from "../../../src/features/changes/journal/limits.js";
import { BOUNDS } from "../../../src/features/changes/journal/prune.js";
import { BOUNDS as LEDGER } from "../../../src/features/changes/ledger.js";
import { MAX_PATH_LENGTH } from "../../../src/core/paths/pathShape.js";
import { UNASKED_LIMITS } from "../../../src/features/processes/limits.js";
import { MAX_MEDIA, SESSION_BOUNDS } from "../../../src/features/sessions/limits.js";
import { EXIT } from "../../../src/doors/cli/exitCode.js";
import { agentTools } from "../../../src/agent/toolSets.js";
import { estimateRequest } from "../../../src/agent/tokens.js";
import { ToolDesk } from "../../../src/agent/toolDesk.js";
import { LIMITS } from "../../../src/hosts/node/jsonata/expressions.js";
import { MAX_AGE, MAX_RESULT, MAX_TOTAL } from "../../../src/hosts/node/state/results.js";
import { DAMAGED_AGE, GONE_AGE, MAX_ALL_RESULTS } from "../../../src/hosts/node/state/stateSweep.js";
import { MAX_HELD } from "../../../src/tools/context/storeLarge.js";
import { MAX_LISTED } from "../../../src/tools/fs/shownDiffs.js";
import type { ModelTool } from "../../../src/ports/models.js";
import { tools } from "../../../src/tools/index.js";

const MIB = 2 ** 20;
const days = (milliseconds: number): number => milliseconds / 86_400_000;
const words = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8").replace(/\s+/g, " ");

const agent = agentTools(tools, undefined);
const thousands = (list: readonly ModelTool[]): string =>
  (Math.round(estimateRequest({ messages: [], tools: list }) / 1_000) * 1_000).toLocaleString("en");

const FIGURES: [file: string, sentence: string][] = [
  ["docs/security.md", `more than ${MAX_PATH_LENGTH.toLocaleString("en")} characters`],
  [
    "docs/security.md",
    `more than ${UNASKED_LIMITS.processes} processes or ${UNASKED_LIMITS.memory / 2 ** 30} GB of memory`,
  ],
  ["docs/security.md", `${UNASKED_LIMITS.seconds / 60} minutes of computing`],
  ["docs/security.md", `${UNASKED_LIMITS.commands} such commands run at once`],
  [
    "docs/security.md",
    `more than ${LIMITS.reading / 1_000} s or evaluating more than ${LIMITS.evaluation / 1_000} s, and when its heap has ${LIMITS.memory} MB`,
  ],
  [
    "docs/security.md",
    `files over ${MAX_IMAGE / MIB} MB, and calls that change more than ${MAX_CALL_IMAGES / MIB} MB together`,
  ],
  ["docs/security.md", `\`pipe\` writes past ${MAX_HELD / 1e6} MB`],
  [
    "docs/security.md",
    `(${BOUNDS.bytes / MIB} MB or ${BOUNDS.calls.toLocaleString("en")} calls a workspace, the oldest first)`,
  ],
  [
    "docs/security.md",
    `The undo journal: ${BOUNDS.bytes / MIB} MB of texts and ${BOUNDS.calls.toLocaleString("en")} calls a workspace.`,
  ],
  ["docs/security.md", `texts of files up to ${LEDGER.text / 1e6} MB, ${LEDGER.texts / MIB} MB in all`],
  ["docs/security.md", `images up to ${MAX_MEDIA / MIB} MB (the latest ${SESSION_BOUNDS.media / MIB} MB a session)`],
  ["docs/security.md", `up to ${MAX_RESULT / 1e6} MB each, ${MAX_TOTAL / 1e6} MB in all`],
  [
    "docs/security.md",
    `A session: ${days(SESSION_BOUNDS.age)} days after its last message, at most ${SESSION_BOUNDS.sessions} of them and ${SESSION_BOUNDS.bytes / MIB} MB of messages a workspace`,
  ],
  [
    "docs/security.md",
    `A result: ${days(MAX_AGE) === 7 ? "a week" : "?"}, and at most ${MAX_ALL_RESULTS / 1e9} GB of them in all workspaces`,
  ],
  ["docs/security.md", `moved aside: ${days(DAMAGED_AGE)} days`],
  ["docs/security.md", `a workspace that is gone: ${days(GONE_AGE)} days after its last use`],
  ["docs/security.md", MAX_LISTED === 100 ? "the first hundred by name" : "?"],
  ["README.md", `\`pipe\` over ${MAX_HELD / 1e6} MB`],
  [
    "README.md",
    `Exit code ${EXIT.ok}: done, ${EXIT.toolError}: the tool failed, ${EXIT.usage}: the command line is wrong.`,
  ],
  [
    "README.md",
    `or ${EXIT.signal} plus the number of the signal that ended it, ${EXIT.timeout} when it timed out, ${EXIT.cancelled} when it was cancelled`,
  ],
  [
    "docs/rooms/agent.md",
    `sent ${agent.sent.length} of its ${agent.tools.length} tools and \`find_tool\` (about ${thousands(new ToolDesk(agent.tools, agent.sent).list)} of ${thousands(agent.tools)} tokens)`,
  ],
];

describe("figures that are promised", () => {
  test.each(FIGURES)("%s: %s", (file, sentence) => {
    expect(words(file)).toContain(sentence);
  });
});
