import type { Caller } from "../../core/caller.js";
import type { Outcome } from "../../core/outcome.js";
import { isRecord } from "../../core/jsonSchema.js";
import { describeValue } from "../../core/pipeline/issues.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import { permissionRules } from "../../features/manifests/permissionRules.js";
import { applyToSandbox, type LocalSources } from "../../features/manifests/sandbox.js";
import type { RuleBook } from "../../ports/rules.js";
import { excerpt } from "../../text/clip.js";
import { MANIFEST_TOOL, manifestTool, sourcesTool } from "../../tools/manifests/workspaceManifest.js";
import type { Tool } from "../../core/contract.js";
import type { ManifestOptions, ManifestResult, ManifestTarget } from "./toolTypes.js";

const OPTIONS = ["targetRoot", "hostRoot", "session", "signal", "onProgress"];

/** What calls for a program go through. */
export interface ManifestHost {
  pipeline: Pick<Pipeline, "invoke">;
  /** What every call has. */
  caller: Omit<Caller, "signal" | "session" | "report">;
  /** Takes the manifest's permissions, for the session. */
  rules: Pick<RuleBook, "grantForSession"> | undefined;
  /** The session of calls that name none. */
  session: string;
}

/**
 * Applies a manifest for a program, in the workspace or in a sandbox of the program's. Permission decides on what is
 * reached of this machine.
 *
 * @throws TypeError that names a wrong option; Error with the type and hint of a failure
 */
export async function applyForProgram(
  host: ManifestHost,
  target: ManifestTarget | "workspace",
  manifest: unknown,
  given: ManifestOptions | undefined,
): Promise<ManifestResult> {
  const {
    targetRoot,
    hostRoot,
    session = host.session,
    signal = new AbortController().signal,
    onProgress,
  } = read(given);
  const isSandbox =
    isRecord(target) && typeof target["run"] === "function" && typeof target["writeFile"] === "function";
  if (target !== "workspace" && !isSandbox) {
    throw wrong(`expected "workspace" or a sandbox {run, writeFile}, got ${describeValue(target)}`);
  }
  if (!isRecord(manifest)) {
    throw wrong(`the manifest: expected an object {entries}, got ${describeValue(manifest)}`);
  }
  const report = (message: string): void =>
    void new Promise<unknown>((resolve) => resolve(onProgress?.(message))).catch(() => undefined);
  const call = async (tool: Tool, input: object): Promise<Extract<Outcome, { ok: true }>> => {
    const outcome = await host.pipeline.invoke(
      MANIFEST_TOOL,
      { ...input, manifest, ...(hostRoot !== undefined && { host_root: hostRoot }) },
      { ...host.caller, tools: [tool], session, signal, report: ({ message }) => report(message) },
    );
    if (!outcome.ok) {
      const { message, ...rest } = outcome.error;
      throw Object.assign(new Error(message), rest);
    }
    return outcome;
  };
  if (target === "workspace") {
    const rules = permissionRules(manifest);
    const { data } = await call(manifestTool(), { action: "apply" });
    host.rules?.grantForSession(session, rules);
    return data as ManifestResult;
  }
  const entries = Object.values(isRecord(manifest["entries"]) ? manifest["entries"] : {});
  const copies = entries.some((entry) => isRecord(entry) && /^local(?:File|Dir)$/.test(String(entry["type"])));
  let sources: LocalSources = NO_SOURCES;
  if (copies) {
    await call(
      sourcesTool((found) => (sources = found)),
      {},
    );
  }
  return applyToSandbox(target, manifest, {
    ...{ sources, report, signal, targetRoot },
  }) as Promise<ManifestResult>;
}

const NO_SOURCES: LocalSources = {
  readFile: () => Promise.reject(new Error("There are no local files.")),
  readFolder: () => Promise.reject(new Error("There are no local folders.")),
};

function read(options: unknown = {}): ManifestOptions {
  if (!isRecord(options)) {
    throw wrong(`options: expected an object, got ${describeValue(options)}`);
  }
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw wrong(`${excerpt(unknown)}: there is no such option; the options are ${OPTIONS.join(", ")}`);
  }
  const { signal, onProgress } = options;
  for (const name of ["targetRoot", "hostRoot", "session"]) {
    const value = options[name];
    if (value !== undefined && (typeof value !== "string" || value === "")) {
      throw wrong(`${name}: expected a text, got ${describeValue(value)}`);
    }
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw wrong(`signal: expected an AbortSignal, got ${describeValue(signal)}`);
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw wrong(`onProgress: expected a function, got ${describeValue(onProgress)}`);
  }
  return options;
}

function wrong(problem: string): TypeError {
  return new TypeError(`Toolhost applyWorkspaceManifest: ${problem}.`);
}
