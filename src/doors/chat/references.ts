import type { Files } from "../../ports/files.js";
import type { ModelContent } from "../../ports/models.js";
import { keepHeadAndTail, oneLine, shorten } from "../../text/clip.js";
import type { Attachment } from "./attachments.js";
import { messageOf } from "../../text/words.js";

/** Maximum code units of a selection or text sent with the message; `read` shows the rest of a file. */
const MAX_INLINE = 8_000;
/** Maximum bytes of an image: model providers refuse larger ones. */
const MAX_IMAGE = 5_000_000;
/** Maximum number of named entries of a folder. */
const MAX_ENTRIES = 50;
const MAX_PROBLEMS = 30;
const IMAGES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

export interface ReferenceHost {
  files: Pick<Files, "resolve" | "stat" | "list" | "readChunks" | "readBytes">;
  /** Whether the model accepts images. */
  seesImages: boolean;
}

/** Describes attachments for the model, in their order. */
export async function describeAttachments(
  attachments: readonly Attachment[],
  host: ReferenceHost,
  signal: AbortSignal,
): Promise<ModelContent[]> {
  const all = await Promise.all(attachments.map((attachment) => describe(attachment, host, signal)));
  return all.flat();
}

async function describe(attachment: Attachment, host: ReferenceHost, signal: AbortSignal): Promise<ModelContent[]> {
  switch (attachment.kind) {
    case "text":
      return [text(`Attached text:\n${keepHeadAndTail(attachment.text, MAX_INLINE)}`)];
    case "image":
      return image("Attached image", attachment.mimeType, attachment.bytes, host);
    case "problems":
      return [text(describeProblems(attachment.problems))];
    case "unknown":
      return [
        text(
          `Attached: something that Toolhost cannot read${attachment.description === undefined ? "" : ` (${shorten(oneLine(attachment.description), 200)})`}.`,
        ),
      ];
    case "lines":
      return [text(await describeLines(attachment, host, signal))];
    case "file":
      return describeFile(attachment, host);
  }
}

async function describeLines(
  { path, isOutside, start, end }: Extract<Attachment, { kind: "lines" }>,
  { files }: ReferenceHost,
  signal: AbortSignal,
): Promise<string> {
  const place = `${path}, line${end > start ? `s ${start}-${end}` : ` ${start}`}`;
  if (isOutside) {
    return `Attached: ${place} (outside the workspace).`;
  }
  try {
    const { lines, rest } = await readLines(files.readChunks(await files.resolve(path), signal), start, end);
    const left =
      rest > 0
        ? `\n[… line${rest > 1 ? `s ${end - rest + 1}-${end} are` : ` ${end} is`} omitted; read {"path": ${JSON.stringify(path)}, "offset": ${end - rest + 1}} shows ${rest > 1 ? "them" : "it"}.]`
        : "";
    return `Attached: ${place}, from the editor:\n${lines.map((line, index) => `${start + index}\t${line}`).join("\n")}${left}`;
  } catch (error) {
    signal.throwIfAborted();
    return `Attached: ${place}. It could not be read: ${reason(error)}`;
  }
}

/** @returns the lines that fit, and the number of requested lines that do not */
async function readLines(
  chunks: AsyncIterable<string>,
  start: number,
  end: number,
): Promise<{ lines: string[]; rest: number }> {
  const lines: string[] = [];
  let size = 0;
  let number = 1;
  let part = "";
  const take = (line: string): void => {
    if (number >= start && number <= end && size <= MAX_INLINE) {
      // If the first line is too long, cut the line itself.
      const shown = lines.length === 0 ? keepHeadAndTail(line, MAX_INLINE) : line;
      size += shown.length + 1;
      if (lines.length === 0 || size <= MAX_INLINE) {
        lines.push(shown);
      }
    }
    number += 1;
  };
  for await (const chunk of chunks) {
    const parts = (part + chunk).split("\n");
    part = parts.pop() ?? "";
    parts.forEach((line) => take(line.replace(/\r$/, "")));
    if (number > end) {
      break;
    }
  }
  if (number <= end && part !== "") {
    take(part);
  }
  return { lines, rest: Math.max(0, Math.min(end, number - 1) - start + 1 - lines.length) };
}

async function describeFile(
  { path, isOutside }: Extract<Attachment, { kind: "file" }>,
  host: ReferenceHost,
): Promise<ModelContent[]> {
  if (isOutside) {
    return [text(`Attached: ${path} (outside the workspace).`)];
  }
  try {
    const at = await host.files.resolve(path);
    const { kind } = await host.files.stat(at);
    if (kind === "directory") {
      const entries = await host.files.list(at);
      const names = entries
        .slice(0, MAX_ENTRIES)
        .map((entry) => `${entry.name}${entry.kind === "directory" ? "/" : ""}`);
      const more = entries.length > MAX_ENTRIES ? ` and ${entries.length - MAX_ENTRIES} more` : "";
      return [
        text(
          `Attached: the folder ${path}, which contains ${names.length === 0 ? "nothing" : `${names.join(", ")}${more}`}.`,
        ),
      ];
    }
    const mimeType = IMAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];
    if (kind === "file" && mimeType !== undefined && host.seesImages) {
      return image(`Attached: ${path}`, mimeType, await host.files.readBytes(at, MAX_IMAGE), host);
    }
    return [text(`Attached: ${path}`)];
  } catch (error) {
    return [text(`Attached: ${path}. It could not be read: ${reason(error)}`)];
  }
}

function image(what: string, mimeType: string, bytes: Uint8Array, { seesImages }: ReferenceHost): ModelContent[] {
  if (!Object.values(IMAGES).includes(mimeType)) {
    return [text(`${what} has a type (${shorten(oneLine(mimeType), 80)}) that models cannot see.`)];
  }
  if (!seesImages) {
    return [text(`${what}, which you cannot see: tell the user that this model does not accept images.`)];
  }
  return bytes.byteLength > MAX_IMAGE
    ? [text(`${what}, too large to show (${bytes.byteLength} bytes; at most ${MAX_IMAGE}).`)]
    : [text(`${what}:`), { type: "media", mimeType, bytes }];
}

function describeProblems(problems: readonly { path: string; line: number; message: string }[]): string {
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, line, message }) => `- ${path}:${line}: ${shorten(oneLine(message), 500)}`);
  return [
    "Attached problems:",
    ...lines,
    ...(problems.length > MAX_PROBLEMS ? [`- and ${problems.length - MAX_PROBLEMS} more`] : []),
  ].join("\n");
}

function reason(error: unknown): string {
  return shorten(oneLine(messageOf(error)), 300);
}

function text(words: string): ModelContent {
  return { type: "text", text: words };
}
