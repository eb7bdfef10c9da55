// What a file of tools uses, for the person who approves it.
import { visibleLine } from "../../text/showHidden.js";
import { count } from "../../text/words.js";
import type { OpenApiEntry } from "../openapi/entry.js";
import type { Entry } from "./entry.js";
import type { ToolFile } from "./toolFiles.js";

/** Names of a kind that are listed. */
const MAX_NAMES = 12;

/** Returns the names of the secrets that an entry uses. */
export function secretsOf(entry: Entry | OpenApiEntry): string[] {
  if ("spec" in entry) {
    return [entry.auth ?? []].flat().map(({ secret }) => secret);
  }
  return Object.values(("env" in entry ? entry.env : undefined) ?? {}).flatMap((value) =>
    typeof value === "string" ? [] : [value.secret],
  );
}

/** Returns what a file's good entries use, a line for each kind: tools, commands, services with their servers, secrets. */
export function overviewOf({ entries, services }: Pick<ToolFile, "entries" | "services">): string[] {
  const all = entries.map(({ entry }) => entry);
  const described = services.map(({ entry }) => entry);
  const readOnly = all.filter((entry) => "command" in entry && entry.readOnly === true).map(({ name }) => name);
  return [
    line(
      "tool",
      all.map(({ name }) => name),
    ),
    line(
      "command",
      all.flatMap((entry) => ("command" in entry ? [entry.command] : [])),
    ),
    line(
      "tool of Toolhost",
      all.flatMap((entry) => ("use" in entry ? [entry.use] : [])),
      "tools of Toolhost",
    ),
    line(
      "service",
      described.map(({ spec, server }) => (server === undefined ? spec : `${spec} at ${server}`)),
    ),
    line("secret", [...all, ...described].flatMap(secretsOf)),
    ...(readOnly.length === 0 ? [] : [`Without a question, as read-only: ${shown(readOnly)}`]),
  ].filter((text) => text !== "");
}

function line(noun: string, names: readonly string[], nouns?: string): string {
  const distinct = [...new Set(names)];
  return distinct.length === 0 ? "" : `${count(distinct.length, noun, nouns)}: ${shown(distinct)}`;
}

function shown(names: readonly string[]): string {
  const some = names.slice(0, MAX_NAMES).map(visibleLine);
  const more = names.length - some.length;
  return [...some, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
