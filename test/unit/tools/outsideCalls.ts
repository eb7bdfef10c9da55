import { randomUUID } from "node:crypto";
import { searchLocal } from "../../../src/compose/files.js";
import type { ReadRule } from "../../../src/core/pipeline/changeOrigin.js";
import { ToolError } from "../../../src/core/errors.js";
import { ImportUpdater } from "../../../src/features/changes/importUpdates.js";
import { Ledger } from "../../../src/features/changes/ledger.js";
import { parseInput } from "../../../src/core/pipeline/input.js";
import type { ToolResult } from "../../../src/core/outcome.js";
import { pinFiles } from "../../../src/core/paths/pinnedFiles.js";
import { SecretWall } from "../../../src/core/paths/secretWall.js";
import type { Tool, ToolContext } from "../../../src/core/contract.js";
import type { CapabilityName } from "../../../src/ports/capabilities.js";
import type { Files, GatedPath } from "../../../src/ports/files.js";
import type { Search } from "../../../src/ports/search.js";
import { WorkspaceScan } from "../../../src/hosts/search/workspaceScan.js";
import { memorySearch } from "../../memory/search.js";
import { createRipgrep } from "../../../src/hosts/node/ripgrep/run.js";
import { tools } from "../../../src/tools/index.js";
import { ripgrepPath, type Host, type TestWorkspace } from "./workspace.js";

export interface PermittedCall {
  /** Default: one of its own for each call. */
  session?: string;
  turn?: string;
  /** Done after the paths were decided on and before the work. */
  meanwhile?: () => Promise<void>;
  reads?: ReadRule;
}

/**
 * Runs a tool as a call whose every path was permitted, outside the workspace, too: what the pipeline does after a yes.
 */
export async function callPermitted(
  workspace: TestWorkspace,
  host: Host,
  name: string,
  raw: unknown,
  options: PermittedCall = {},
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    throw new Error(`there is no tool ${name}`);
  }
  const input = parseInput(tool, raw);
  const pins = await pinsOf(tool, input, workspace.files);
  await options.meanwhile?.();
  const files = pinFiles(workspace.files, pins);
  const { session = randomUUID(), turn = randomUUID(), reads = "free" } = options;
  const origin = { session, turn, callId: randomUUID(), tool: name, door: "api" as const, summary: name, reads };
  const search = new SecretWall(pins.values()).guard(searchOf(workspace.files, host));
  const context = {
    signal: new AbortController().signal,
    report: () => undefined,
    session,
    callId: origin.callId,
    parentId: undefined,
    files,
    search,
    imports: new ImportUpdater({
      files: workspace.files,
      search,
      isOn: () => true,
      ledger: () => Promise.resolve(new Ledger()),
      checkWritable: () => Promise.resolve(),
    }),
    ...workspace.changes.forCall(origin, files),
  } as unknown as ToolContext<CapabilityName>;
  const preview = await tool.preview?.(input, context);
  return tool.execute(input, context, preview?.plan);
}

/** The same, for a call that fails. */
export async function refusal(call: Promise<ToolResult>): Promise<ToolError> {
  const error = await call.then(
    ({ text }) => new Error(`the call worked: ${text}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ToolError)) {
    throw error;
  }
  return error;
}

async function pinsOf(tool: Tool, input: unknown, files: Files): Promise<Map<string, GatedPath>> {
  const pins = new Map<string, GatedPath>();
  for (const touch of tool.touches?.(input) ?? []) {
    if ("path" in touch) {
      pins.set(touch.path, await outsideOf(files, touch.path));
    }
  }
  return pins;
}

/** `Files.outside` of a host that reaches outside, as all of them in these tests do. */
export function outsideOf(files: Files, path: string, within?: GatedPath): Promise<GatedPath> {
  if (files.outside === undefined) {
    throw new Error("these files reach nothing outside");
  }
  return files.outside(path, within);
}

function searchOf(files: Files, host: Host): Search {
  const run = createRipgrep(ripgrepPath);
  if (host === "memory") {
    return memorySearch(files, run);
  }
  return host === "node" || host === "worktree" ? searchLocal(files, run) : new WorkspaceScan({ files, run });
}
