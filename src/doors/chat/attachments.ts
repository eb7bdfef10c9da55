import * as vscode from "vscode";
import { isRecord } from "../../core/jsonSchema.js";

/** What a user attached to a message, as plain data. */
export type Attachment =
  /** A file or folder. `path` is relative to the workspace; an address when it lies outside. */
  | { kind: "file"; path: string; isOutside: boolean }
  /** Lines of a file, 1-based; `end` counts. */
  | { kind: "lines"; path: string; isOutside: boolean; start: number; end: number }
  | { kind: "text"; text: string }
  /** An image that was pasted. */
  | { kind: "image"; mimeType: string; bytes: Uint8Array }
  | { kind: "problems"; problems: { path: string; line: number; message: string }[] }
  /** What VS Code has no stable form for. */
  | { kind: "unknown"; description: string | undefined };

export interface AttachmentPlaces {
  /** The path of an address in the workspace; undefined for what lies outside. */
  pathOf(uri: vscode.Uri): Promise<string | undefined>;
}

/** VS Code adds it to every message: skills and agents for Copilot's own tools, which ours are not. */
const CUSTOMIZATIONS = "vscode.customizations.index";

/** What the user attached, in the order in which it stands in the message. */
export async function attachmentsOf(
  references: readonly vscode.ChatPromptReference[],
  places: AttachmentPlaces,
): Promise<Attachment[]> {
  // VS Code lists them from the end of the prompt to its beginning.
  const attached = references.toReversed().filter(({ id }) => id !== CUSTOMIZATIONS);
  return Promise.all(attached.map((reference) => attachmentOf(reference, places)));
}

async function attachmentOf(
  { value, modelDescription }: vscode.ChatPromptReference,
  places: AttachmentPlaces,
): Promise<Attachment> {
  if (value instanceof vscode.Uri) {
    return { kind: "file", ...(await placeOf(value, places)) };
  }
  if (value instanceof vscode.Location) {
    const { start, end } = value.range;
    // A selection that ends before the first character of a line has nothing of it.
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    return { kind: "lines", ...(await placeOf(value.uri, places)), start: start.line + 1, end: last + 1 };
  }
  if (typeof value === "string") {
    return { kind: "text", text: value };
  }
  return (
    (await imageOf(value)) ?? (await problemsOf(value, places)) ?? { kind: "unknown", description: modelDescription }
  );
}

async function placeOf(uri: vscode.Uri, places: AttachmentPlaces): Promise<{ path: string; isOutside: boolean }> {
  const path = await places.pathOf(uri).catch(() => undefined);
  return path === undefined
    ? { path: uri.scheme === "file" ? uri.fsPath : uri.toString(), isOutside: true }
    : { path, isOutside: false };
}

/** VS Code's form of a pasted image is no stable API, but extensions are handed it all the same. */
async function imageOf(value: unknown): Promise<Attachment | undefined> {
  if (!isRecord(value) || typeof value["mimeType"] !== "string" || typeof value["data"] !== "function") {
    return undefined;
  }
  try {
    const bytes: unknown = await (value["data"] as () => Thenable<unknown>)();
    return bytes instanceof Uint8Array ? { kind: "image", mimeType: value["mimeType"], bytes } : undefined;
  } catch {
    return undefined;
  }
}

/** So is that of problems: pairs of a file and what is wrong with it. */
async function problemsOf(value: unknown, places: AttachmentPlaces): Promise<Attachment | undefined> {
  if (!isRecord(value) || !Array.isArray(value["diagnostics"])) {
    return undefined;
  }
  const problems = await Promise.all(
    (value["diagnostics"] as unknown[]).map(async (pair) => {
      const [uri, found] = Array.isArray(pair) ? (pair as unknown[]) : [];
      if (!(uri instanceof vscode.Uri) || !Array.isArray(found)) {
        return [];
      }
      const { path } = await placeOf(uri, places);
      return found.flatMap((problem: unknown) =>
        isRecord(problem) && typeof problem["message"] === "string"
          ? [
              {
                path,
                line: (problem["range"] instanceof vscode.Range ? problem["range"].start.line : 0) + 1,
                message: problem["message"],
              },
            ]
          : [],
      );
    }),
  );
  return { kind: "problems", problems: problems.flat() };
}
