// What a call returns of a server's answer.
import { ToolError, type ErrorType } from "../../core/errors.js";
import type { ToolResult } from "../../core/outcome.js";
import type { HttpAnswer } from "../../ports/http.js";
import type { Results } from "../../ports/results.js";
import { clipStart, oneLine, shorten } from "../../text/clip.js";
import type { Mask } from "./mask.js";

/** Code units of an answer that are shown as a whole. */
const MAX_SHOWN = 10_000;
/** Maximum code units of an error's body that are shown. */
const MAX_ERROR = 2_000;
/** Code units of an answer that a program gets as data; it reads longer ones from the store. */
const MAX_DATA = 1_000_000;
const MAX_IMAGE = 5_000_000;
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Headers that say where to go on. */
const TOLD_HEADERS = ["location", "link", "retry-after"];

/** The data of a call's result. */
export interface AnswerData {
  status: number;
  /** The answer's media type; empty if the server names none. */
  type: string;
  /** The answer: its value if it is JSON, otherwise its text; null if it is neither or too long. */
  body: unknown;
  /** For read_result, if the answer is too long to be shown. */
  result_id?: string;
}

/** An answer, and the call it is for. */
export interface Answered {
  answer: HttpAnswer;
  /** The origin that was asked. */
  origin: string;
  /** `GET /pets/{id}` */
  operation: string;
  /** Whether the call only reads. */
  reads: boolean;
  mask: Mask;
  results: Pick<Results, "open" | "page">;
}

/** Returns a call's result. @throws ToolError for a status of failure, with what the server says, or half an answer */
export async function resultOf(answered: Answered): Promise<ToolResult<AnswerData>> {
  const { answer, origin, operation, mask, results } = answered;
  const type = mask
    .hide((answer.headers.get("content-type") ?? "").split(";")[0] ?? "")
    .trim()
    .toLowerCase();
  const body = textOf(answer, type);
  const text = body === undefined ? undefined : mask.hide(body, !answer.isWhole);
  const status = shorten(oneLine(`${answer.status} ${mask.hide(answer.reason)}`), 100);
  if (answer.status >= 400) {
    throw failed(answer.status, `${origin}: ${status} for ${operation}.`, text ?? "");
  }
  if (answer.broken !== undefined) {
    throw brokenOff(answered, answer.broken, status, text ?? "");
  }
  const notes = notesOf(answered, type, text !== undefined);
  const head = [status, ...notes].join("\n");
  const data: AnswerData = { status: answer.status, type, body: dataOf(body, text, type, mask) };
  if (text === undefined) {
    const media =
      IMAGES.includes(type) && answer.isWhole && answer.body.length <= MAX_IMAGE
        ? [{ mimeType: type, bytes: answer.body }]
        : [];
    return { text: head, data, media };
  }
  if (text.length <= MAX_SHOWN) {
    return { text: text === "" ? head : `${head}\n${text}`, data };
  }
  const writer = await results.open(`${operation} at ${origin}`);
  try {
    await writer.write(text);
  } catch (error) {
    await writer.discard();
    throw error;
  }
  const { id, pages } = await writer.close();
  const first = (await results.page(id, 1)).text;
  const rest =
    `[… The first ${first.length} of ${text.length} characters, page 1 of ${pages} of ${id}. ` +
    `Continue with read_result {"id": "${id}", "page": 2}, or search it with pattern.]`;
  return { text: `${head}\n${first}\n${rest}`, data: { ...data, result_id: id } };
}

function notesOf({ answer, origin, mask }: Answered, type: string, isText: boolean): string[] {
  const size = `${answer.body.length} bytes`;
  const where = new URL(answer.url).origin;
  const headers = TOLD_HEADERS.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === undefined ? [] : [`${name}: ${shorten(oneLine(mask.hide(value)), 1_000)}`];
  });
  return [
    ...(where === origin
      ? []
      : [`[The server redirected to ${shorten(mask.hide(where), 300)}, which got no credentials.]`]),
    ...headers,
    ...(isText || answer.body.length === 0 ? [] : [`[${type === "" ? "Binary data" : shorten(type, 100)}, ${size}.]`]),
    ...(answer.isWhole
      ? []
      : [`[Only the first ${size} were read: the answer is larger than the limit. Ask for less.]`]),
  ];
}

/** Returns a body as text; undefined if it is none. */
function textOf({ headers, body }: HttpAnswer, type: string): string | undefined {
  const charset = /charset="?([\w.:-]{1,40})/i.exec(headers.get("content-type")?.slice(0, 500) ?? "")?.[1] ?? "utf-8";
  const isNamed = /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson)$/.test(type);
  // A NUL is in no text but in nearly all binary data.
  if (!isNamed && body.subarray(0, 8_000).includes(0)) {
    return undefined;
  }
  if (!isNamed && /^(?:image|audio|video|font)\/|octet-stream|zip|pdf/.test(type) && type !== "image/svg+xml") {
    return undefined;
  }
  return decoder(charset).decode(body);
}

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** @param shown the body without secrets */
function dataOf(body: string | undefined, shown: string | undefined, type: string, mask: Mask): unknown {
  if (body === undefined || shown === undefined || shown.length > MAX_DATA) {
    return null;
  }
  if (!/[/+]json$/.test(type)) {
    return shown;
  }
  try {
    return mask.hideIn(JSON.parse(body));
  } catch {
    // No JSON, or JSON that is nested too deeply to be written again.
    return shown;
  }
}

/** An answer whose status arrived, but not its whole body. */
function brokenOff(
  { origin, operation, reads }: Answered,
  { type, reason }: NonNullable<HttpAnswer["broken"]>,
  status: string,
  said: string,
): ToolError {
  const begins = said === "" ? "" : ` It begins:\n${clipStart(said, MAX_ERROR)}`;
  return new ToolError(
    type,
    `${origin}: ${status} for ${operation}, but the rest of the answer cannot be read: ${reason}.${begins}`,
    reads
      ? "Try it again, or ask for less."
      : "The server has answered, so it has done what its status says: look at the result before you repeat the call.",
  );
}

function failed(status: number, message: string, said: string): ToolError {
  const [type, hint] = FAILURES[status] ?? (status >= 500 ? SERVER_ERROR : OTHER);
  const rest = said.length > MAX_ERROR ? `\n[… ${said.length - MAX_ERROR} more characters]` : "";
  return new ToolError(
    type,
    said.trim() === "" ? message : `${message} It says:\n${clipStart(said, MAX_ERROR)}${rest}`,
    hint,
  );
}

const SERVER_ERROR: readonly [ErrorType, string] = [
  "unavailable",
  "An error of the server. If the call changes something, look whether it was done before you repeat it.",
];
const OTHER: readonly [ErrorType, string] = ["io_error", "Change the call as the server says."];
const FAILURES: Readonly<Record<number, readonly [ErrorType, string]>> = {
  400: ["invalid_input", "Change the call as the server says."],
  401: ["denied", "The user can check the secret and how the entry authenticates."],
  403: ["denied", "The credentials do not allow this."],
  404: ["not_found", "Check the values in the path."],
  409: ["conflict", "Read the current state, then change the call."],
  410: ["not_found", "It no longer exists."],
  413: ["too_large", "Send less."],
  422: ["invalid_input", "Change the call as the server says."],
  429: ["unavailable", "Too many calls: wait before the next one."],
};
