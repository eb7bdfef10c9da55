import * as vscode from "vscode";
import { isRecord } from "../../core/jsonSchema.js";

/** An attachment of a message, as plain data. */
export type Attachment =
  /** A file or folder. `path` is relative to the workspace, or a path or URI outside it. */
  | { kind: "file"; path: string; isOutside: boolean }
  /** Lines of a file, 1-based, `end` inclusive. */
  | { kind: "lines"; path: string; isOutside: boolean; start: number; end: number }
  | { kind: "text"; text: string }
  /** A pasted image. */
  | { kind: "image"; mimeType: string; bytes: Uint8Array }
  | { kind: "problems"; problems: { path: string; line: number; message: string }[] }
  /** Anything without a stable API. */
  | { kind: "unknown"; description: string | undefined };

export interface AttachmentPlaces {
  /** Returns the workspace path of a URI; undefined if it is outside the workspace. */
  pathOf(uri: vscode.Uri): Promise<string | undefined>;
}

/** VS Code adds it to every message: skills and agents, meant only for Copilot's own tools. */
const CUSTOMIZATIONS = "vscode.customizations.index";

/** Returns the attachments in the order of the message. */
export async function attachmentsOf(
  references: readonly vscode.ChatPromptReference[],
  places: AttachmentPlaces,
): Promise<Attachment[]> {
  // VS Code lists them in reverse order.
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
    // A selection that ends at the start of a line does not include that line.
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

/** Reads a pasted image. Its type is not stable API, but extensions receive it. */
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

/** Reads problems: pairs of a file and its diagnostics. Their type is not stable API, either. */
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
