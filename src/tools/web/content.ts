// What an answer of the web holds, as text.
import { ToolError } from "../../core/errors.js";
import type { HttpAnswer } from "../../ports/http.js";
import type { Pages } from "../../ports/pages.js";
import type { Pdf } from "../../ports/pdf.js";
import { BINARY_PROBE_BYTES } from "../../text/encoding.js";
import { shorten } from "../../text/clip.js";
import { count } from "../../text/words.js";

/** Code units of a PDF's text. */
const MAX_PDF_TEXT = 5_000_000;
/** Bytes in which a page names its charset (HTML standard, "prescan a byte stream to determine its encoding"). */
const CHARSET_BYTES = 1_024;
const MARKDOWN = ["text/markdown", "text/x-markdown"];

export interface WebContent {
  /** The address that it is from. */
  url: string;
  type: string;
  /** Empty if it has none. */
  title: string;
  text: string;
  plain?: string;
  needsScript: boolean;
  isCut: boolean;
  /** What else to know, as sentences. */
  notes: string[];
}

export interface ContentContext {
  pages: Pages;
  pdf: Pdf;
  signal: AbortSignal;
}

/**
 * Returns the content of an answer. A page that names itself as Markdown, or shows itself with scripts, is asked for as
 * Markdown on the same origin.
 *
 * @param get sends one more request
 * @throws ToolError `unsupported` for what is not text
 */
export async function contentOf(
  answer: HttpAnswer,
  get: (url: URL) => Promise<HttpAnswer>,
  context: ContentContext,
): Promise<WebContent> {
  const type = mediaType(answer);
  const plain = { url: answer.url, type, title: "", needsScript: false, isCut: false, notes: [] };
  if (type === "application/pdf" || startsWith(answer.body, "%PDF-")) {
    const { pages, total } = await context.pdf.text(answer.body, MAX_PDF_TEXT, context.signal);
    const text = pages.map((page, index) => `--- page ${index + 1} of ${total} ---\n${page.trimEnd()}\n`).join("");
    return {
      ...plain,
      type: "application/pdf",
      text,
      notes: [`PDF, ${count(total, "page")}, as text without pictures.`],
      isCut: pages.length < total,
    };
  }
  const text = decoded(answer, type);
  if (!isHtml(type, text)) {
    return { ...plain, text };
  }
  const page = await context.pages.read(text, answer.url, context.signal);
  const { origin, pathname } = new URL(answer.url);
  const other =
    page.alternate ??
    (page.needsScript ? `${answer.url.split("?")[0]}${pathname.endsWith("/") ? "index.md" : ".md"}` : undefined);
  const asMarkdown =
    answer.status < 400 && other !== undefined && new URL(other).origin === origin
      ? await markdownAt(new URL(other), get, context.signal)
      : undefined;
  if (asMarkdown !== undefined) {
    return { ...plain, ...asMarkdown, title: page.title };
  }
  const { title, markdown, needsScript, isCut } = page;
  const notes = needsScript && answer.status < 400 ? await guideOf(origin, get, context.signal) : [];
  return {
    ...{ ...plain, title, text: markdown, needsScript, isCut, notes },
    ...(page.plain === undefined ? {} : { plain: page.plain }),
  };
}

/** Returns a page as Markdown; undefined if it is not there. */
async function markdownAt(
  url: URL,
  get: (url: URL) => Promise<HttpAnswer>,
  signal: AbortSignal,
): Promise<{ url: string; type: string; text: string } | undefined> {
  const answer = await get(url).catch(() => undefined);
  signal.throwIfAborted();
  if (answer?.status !== 200) {
    return undefined;
  }
  const type = mediaType(answer);
  const text = MARKDOWN.includes(type) || type === "text/plain" ? decoded(answer, type) : "";
  // A site may answer every address with the same page.
  return text === "" || isHtml("", text) ? undefined : { url: answer.url, type, text };
}

/** Says whether a site has a guide for models (llmstxt.org). */
async function guideOf(origin: string, get: (url: URL) => Promise<HttpAnswer>, signal: AbortSignal): Promise<string[]> {
  const guide = await markdownAt(new URL("/llms.txt", origin), get, signal);
  return guide === undefined ? [] : [`The site lists its pages for models at ${guide.url}.`];
}

function mediaType({ headers }: HttpAnswer): string {
  return shorten((headers.get("content-type") ?? "").split(";")[0] ?? "", 100)
    .trim()
    .toLowerCase();
}

function isHtml(type: string, text: string): boolean {
  return (
    ["text/html", "application/xhtml+xml"].includes(type) ||
    (type === "" && /^\s*<(?:!doctype html|html)\b/i.test(text.slice(0, 1_000)))
  );
}

function startsWith(body: Uint8Array, ascii: string): boolean {
  return new TextDecoder("latin1").decode(body.subarray(0, ascii.length)) === ascii;
}

function decoded({ headers, body }: HttpAnswer, type: string): string {
  const named = /charset\s*=\s*"?([\w.:-]{1,40})/i;
  const head = new TextDecoder("latin1").decode(body.subarray(0, CHARSET_BYTES));
  const byMark =
    body[0] === 0xff && body[1] === 0xfe ? "utf-16le" : body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : undefined;
  const charset =
    byMark ??
    named.exec(headers.get("content-type")?.slice(0, 500) ?? "")?.[1] ??
    (/html|xml|^$/.test(type)
      ? (named.exec(head)?.[1] ?? /^<\?xml[^>]*encoding="([\w.:-]{1,40})"/.exec(head)?.[1])
      : undefined);
  const isText =
    byMark !== undefined || !body.subarray(0, BINARY_PROBE_BYTES).includes(0) || /utf-?16/i.test(charset ?? "");
  if (!isText || /^(?:image|audio|video|font)\/(?!svg)|zip|octet-stream$/.test(type)) {
    throw new ToolError(
      "unsupported",
      `It is not text: ${type === "" ? "binary data" : type}, ${body.length} bytes.`,
      "To keep it as a file, download it with a command, such as curl -o.",
    );
  }
  return decoder(charset, body).decode(body);
}

/** Returns the decoder of a charset; UTF-8 or else Windows-1252 if it is not known, as browsers do. */
function decoder(charset: string | undefined, body: Uint8Array): TextDecoder {
  try {
    if (charset !== undefined) {
      return new TextDecoder(charset);
    }
  } catch {
    // Not one that browsers know.
  }
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body);
    return new TextDecoder();
  } catch {
    return new TextDecoder("windows-1252");
  }
}
