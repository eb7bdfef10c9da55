// What is said about an applied manifest, or about one that would be applied.
import type { Outcome, ToolResult } from "../../core/outcome.js";
import {
  isMount,
  readManifest,
  unsupported,
  type EntryResult,
  type Manifest,
} from "../../features/manifests/manifest.js";
import { shownName } from "../../text/shownName.js";
import { count, listed } from "../../text/words.js";
import { MAX_LISTED, showDiffs } from "../fs/shownDiffs.js";
import type { Planned } from "./plan.js";

interface Data {
  entries: EntryResult[];
  files: { path: string; change: "created" | "changed" | "same" | "cloned" }[];
  left_out: string[];
  environment: Record<string, string>;
}

/**
 * Returns what of a manifest can be applied.
 *
 * @throws ToolError `invalid_input` that names every problem by its entry
 */
export function checkManifest(value: unknown): Extract<Outcome, { ok: true }> {
  const { entries } = readManifest(value, true);
  const results = entries.filter(isMount).map(unsupported);
  return {
    ok: true,
    text: [
      `The manifest is valid: ${count(entries.length, "entry", "entries")}.`,
      ...results.map(({ path, message = "" }) => `${shownName(path)}: ${message}`),
    ].join("\n"),
    data: { entries: entries.map(({ path, type }) => ({ path, type })), unsupported: results },
  };
}

/** Returns the result of a call: its text says first what was done, and what was not. */
export function told(
  action: "apply" | "diff",
  entries: EntryResult[],
  planned: readonly Planned[],
  { manifest, leftOut }: { manifest: Manifest; leftOut: readonly string[] },
): ToolResult<Data> {
  const clones = manifest.entries.filter(({ type }) => type === "gitRepo").map(({ path }) => path);
  const files: Data["files"] = [
    ...clones.map((path) => ({ path, change: "cloned" as const })),
    ...planned.map(({ path, change, isFolder }) => ({ path: isFolder ? `${path}/` : path, change })),
  ];
  const mounts = entries.flatMap(({ path, message }) =>
    message === undefined ? [] : [`${shownName(path)}: ${message}`],
  );
  const made = files.filter(({ change }) => change !== "same");
  const lines = made.slice(0, MAX_LISTED).map(({ path, change }) => `${change.padEnd(8)} ${shownName(path)}`);
  const variables = Object.keys(manifest.environment ?? {});
  const shown = action === "diff" ? planned.flatMap((each) => each.shown ?? []) : [];
  return {
    text: [
      `${action === "apply" ? "Applied the manifest" : "Applying the manifest would change this"}: ${countsOf(files)}.`,
      ...lines,
      ...(made.length > lines.length ? [`and ${made.length - lines.length} more`] : []),
      ...mounts,
      ...(leftOut.length > 0 ? [`Links and special files are not copied: ${listed(leftOut.map(shownName), 5)}.`] : []),
      ...(variables.length > 0 ? [`Its variables are not set: ${listed(variables, 10)}.`] : []),
      ...(action === "apply" && clones.length > 0
        ? [`Undo does not cover what was cloned: ${listed(clones.map(shownName), 10)}.`]
        : []),
      ...(shown.length > 0 ? ["", showDiffs(shown)] : []),
    ].join("\n"),
    data: { entries, files, left_out: [...leftOut], environment: manifest.environment ?? {} },
  };
}

function countsOf(files: Data["files"]): string {
  const parts = (["cloned", "created", "changed", "same"] as const).flatMap((change) => {
    const number = files.filter((file) => file.change === change).length;
    return number === 0 ? [] : [change === "same" ? `${number} the same` : `${number} ${change}`];
  });
  return parts.length === 0 ? `${count(0, "file")}` : parts.join(", ");
}
