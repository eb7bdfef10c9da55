import type { Files } from "../../ports/files.js";
import { findHandles, replaceHandles, type FoundHandle } from "../../text/secrets/handles.js";
import type { MaskedPlace, SecretMask } from "../../text/secrets/mask.js";
import type { SecretPlace, Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import { LARGEST_CHANGED_FILE } from "../largestFile.js";
import { resolveAnywhere } from "../permission/commands/resolveAnywhere.js";
import type { SecretTouch } from "../permission/touches.js";
import { shownName } from "../../text/shownName.js";
import type { Secrets } from "./secrets.js";

/** An input with secrets in place of their handles, and where they go. */
export interface ResolvedInput {
  input: Record<string, unknown>;
  /** Secrets that go where they were not before. */
  touches: readonly SecretTouch[];
}

/** A text of an input that has handles. */
interface GivenText {
  field: string;
  text: string;
  place: SecretPlace;
}

/** A file that a call quotes or changes. */
interface KnownFile {
  path: string;
  text: string;
  places: readonly MaskedPlace[];
}

/**
 * Puts secrets in place of their handles, where a tool takes them.
 *
 * A handle is looked for in the file that it is for, then in what is known of variables and files with secrets, so that
 * a handle which another process gave means the same. A file may have the text of a handle itself: then it is kept.
 *
 * @throws ToolError `unknown_id` for a handle of no known value, `invalid_input` where none can be given
 */
export async function resolveHandles(
  tool: Tool,
  input: Record<string, unknown>,
  secrets: Secrets,
  files: Files | undefined,
): Promise<ResolvedInput> {
  const given: GivenText[] = [];
  tool.withSecrets?.(input, (field, text, place) => {
    if (findHandles(text).length > 0 || place.kind === "shown") {
      given.push({ field, text, place });
    }
    return text;
  });
  if (given.length === 0) {
    return { input, touches: [] };
  }
  const mask = await secrets.mask();
  const written = tool.touches?.(input).flatMap((touch) => (touch.kind === "write" ? [touch.path] : [])) ?? [];
  const touches: SecretTouch[] = [];
  const results = new Map<GivenText, string>();
  for (const each of given) {
    const { place } = each;
    const paths =
      place.kind === "patch" ? written : place.kind === "quote" || place.kind === "file" ? [place.path] : [];
    const opened = await Promise.all([...new Set(paths)].map((path) => openFile(path, files, mask)));
    const { text, added } = resolveText(tool.name, each, secrets, opened);
    results.set(each, text);
    touches.push(...added);
  }
  const resolved = tool.withSecrets?.(input, (field, text, place) => {
    const index = given.findIndex(
      (each) => each.field === field && each.text === text && JSON.stringify(each.place) === JSON.stringify(place),
    );
    const each = given[index];
    return (each && results.get(each)) ?? text;
  });
  return { input: resolved ?? input, touches };
}

function resolveText(
  tool: string,
  { field, text, place }: GivenText,
  secrets: Secrets,
  files: readonly KnownFile[],
): { text: string; added: SecretTouch[] } {
  if (place.kind === "quote" && files.some((file) => file.text.includes(text))) {
    return { text, added: [] };
  }
  if (place.kind === "shown" && findHandles(text)[0]?.text !== text) {
    throw new ToolError(
      "invalid_input",
      `${tool}: ${field}: not a handle.`,
      "Give one exactly as a result shows it: ⟦secret NAME #id⟧.",
    );
  }
  const added: SecretTouch[] = [];
  const values = new Map<string, string>();
  for (const handle of findHandles(text)) {
    if (place.kind === "refused") {
      throw new ToolError(
        "invalid_input",
        `${tool}: ${field} has the handle ${handle.text}, which means nothing there. Nothing was done.`,
        place.advice,
      );
    }
    const found = findValue(handle, secrets, files);
    const has = files.filter((file) => found !== undefined && file.text.includes(found));
    const isText = files.some((file) => file.text.includes(handle.text));
    if (found === undefined || (isText && has.length === 0)) {
      if (isText) {
        continue;
      }
      throw new ToolError(
        "unknown_id",
        `${tool}: ${field} has the handle ${handle.text}, whose value is not known here. Nothing was done.`,
        "Copy the handle exactly as a result shows it. If it is, read the file that has the value again, or ask the user to put it into .env or the environment.",
      );
    }
    values.set(handle.text, found);
    added.push(...touchesOf(handle, text, place, files, has.length));
  }
  return { text: place.kind === "patch" ? inPatch(text, values) : replaceHandles(text, values), added };
}

/** Returns the value of a handle, as a file has it; undefined if it is not known, or could be several. */
function findValue(handle: FoundHandle, secrets: Secrets, files: readonly KnownFile[]): string | undefined {
  const values = secrets.find(handle.id);
  for (const { text, places } of files) {
    const place = places.find(({ id, value }) => id === handle.id || values.includes(value));
    if (place !== undefined) {
      return text.slice(place.start, place.end);
    }
  }
  return values.length === 1 ? values[0] : undefined;
}

/** @param has number of files that have the value */
function touchesOf(
  handle: FoundHandle,
  text: string,
  place: SecretPlace,
  files: readonly KnownFile[],
  has: number,
): SecretTouch[] {
  switch (place.kind) {
    case "variable":
      return [{ kind: "secret", reason: `Passes ${handle.text} to the command, as ${place.name}.` }];
    case "shown":
      return [{ kind: "secret", reason: `Shows the value of ${handle.text} to the model.`, shown: true }];
    case "file":
    case "patch": {
      const isAdded =
        place.kind === "file" || text.split("\n").some((line) => /^\+/.test(line) && line.includes(handle.text));
      return isAdded && has < files.length
        ? [
            {
              kind: "secret",
              reason: `Writes ${handle.text} into ${files.map(({ path }) => shownName(path)).join(", ")}.`,
            },
          ]
        : [];
    }
    case "quote":
    case "refused":
      return [];
  }
}

/** Replaces handles in a patch: each line of a value begins as the handle's line does. */
function inPatch(patch: string, values: ReadonlyMap<string, string>): string {
  return patch
    .split("\n")
    .map((line) =>
      replaceHandles(
        line,
        new Map([...values].map(([handle, value]) => [handle, value.replaceAll("\n", `\n${line.slice(0, 1)}`)])),
      ),
    )
    .join("\n");
}

/** Reads a file as it is now; one that cannot be read has no text. */
async function openFile(path: string, files: Files | undefined, mask: SecretMask): Promise<KnownFile> {
  try {
    if (files !== undefined) {
      const { text } = await files.readSnapshot(await resolveAnywhere(files, path), LARGEST_CHANGED_FILE);
      return { path, text, places: mask.places(text) };
    }
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
  }
  return { path, text: "", places: [] };
}
