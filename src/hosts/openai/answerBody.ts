import { ModelError } from "../../features/models/modelError.js";
import { excerpt } from "../../text/clip.js";
import type { HttpAnswer } from "./http.js";
import type { Patience } from "./patience.js";
import { readSaid } from "../shared/said.js";

/** Maximum bytes read to find out what an answer is. */
const MAX_PEEK = 4_096;
/** Maximum bytes of an answer in one piece. */
const MAX_WHOLE = 64_000_000;
/** How a line of server-sent events begins (HTML standard, section 9.2.6); llama.cpp uses `error` too. */
const EVENT_LINE = /^(?:data|event|id|retry|error)?:/;
/**
 * The end of a stream. JSON in an event has no line breaks, so a model that mentions `[DONE]` does not end anything.
 */
const DONE = /(?:^|\n)data: ?\[DONE\]/;
/** Maximum characters of the latest output kept for a message. */
const MAX_TAIL = 300;

/** The body of an answer, guaranteed to be server-sent events. */
export interface AnswerBody {
  answer: HttpAnswer;
  /** Whether the server marked its answer as complete. Meaningful once the body has been read. */
  isDone: () => boolean;
  /** The last line received, shortened. */
  lastLine: () => string;
}

/** The server's name and a function that hides keys in what it sent, for messages. */
export interface AnswerFrom {
  server: string;
  hide: (text: string) => string;
}

/**
 * Checks how an answer begins, since neither status nor content type can be trusted: events are passed on, an answer in
 * one piece becomes one event, everything else is an error that shows what came instead.
 *
 * @param patience waits for each piece
 * @throws ModelError
 */
export async function answerBody(
  { server, hide }: AnswerFrom,
  answer: HttpAnswer,
  patience: Patience,
): Promise<AnswerBody> {
  const chunks: Uint8Array[] = [];
  const read = (): Promise<Uint8Array | undefined> => patience.wait(answer.read());
  let beginning = "";
  for (let bytes = 0; bytes < MAX_PEEK && !isTelling(beginning);) {
    const chunk = await read();
    if (chunk === undefined) {
      break;
    }
    chunks.push(chunk);
    bytes += chunk.length;
    beginning = new TextDecoder().decode(join(chunks)).trimStart();
  }
  if (beginning === "") {
    throw nothingCame(server);
  }
  if (EVENT_LINE.test(beginning)) {
    return passOn({ ...answer, read }, chunks, hide);
  }
  if (beginning.startsWith("{")) {
    return inOnePiece({ server, hide }, { ...answer, read }, chunks);
  }
  answer.cancel();
  throw new ModelError(
    `${server} answered with ${describe(hide(beginning))}, which is not a model's answer. Check that its address is an OpenAI-compatible server's (it usually ends in /v1).`,
    { wrong: "address" },
  );
}

function describe(beginning: string): string {
  return beginning.startsWith("<") ? readSaid(beginning).text : excerpt(beginning, 100);
}

/**
 * Whether enough has arrived to tell the kind of answer: `{`, an event's field, an HTML title, or a hundred characters of
 * anything else.
 */
function isTelling(beginning: string): boolean {
  return (
    beginning.startsWith("{") ||
    EVENT_LINE.test(beginning) ||
    (beginning.startsWith("<") ? /<\/title>/i.test(beginning) : beginning.length > 100)
  );
}

function passOn(answer: HttpAnswer, first: Uint8Array[], hide: AnswerFrom["hide"]): AnswerBody {
  let tail = "";
  let isDone = false;
  const decoder = new TextDecoder();
  const see = (chunk: Uint8Array): Uint8Array => {
    const seen = tail + decoder.decode(chunk, { stream: true });
    isDone ||= DONE.test(seen);
    tail = seen.slice(-MAX_TAIL);
    return chunk;
  };
  const read = async (): Promise<Uint8Array | undefined> => {
    const chunk = first.shift() ?? (await answer.read());
    return chunk && see(chunk);
  };
  return {
    answer: { ...answer, read },
    isDone: () => isDone,
    lastLine: () => excerpt(hide(tail.trimEnd().split("\n").at(-1) ?? ""), 100),
  };
}

/** Converts the answer of a server that does not stream, one JSON document, to a single event. */
async function inOnePiece({ server, hide }: AnswerFrom, answer: HttpAnswer, chunks: Uint8Array[]): Promise<AnswerBody> {
  const { read } = answer;
  let bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  for (let chunk = await read(); chunk !== undefined; chunk = await read()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_WHOLE) {
      throw new ModelError(
        `${server} sent more than ${MAX_WHOLE / 1_000_000} MB in one piece, which is not a model's answer. Look at the server's own log.`,
      );
    }
  }
  const text = new TextDecoder().decode(join(chunks));
  try {
    // An event requires the document on one line.
    const event = [new TextEncoder().encode(`data: ${JSON.stringify(JSON.parse(text))}\n\n`)];
    return {
      answer: { ...answer, read: async () => event.shift() },
      isDone: () => true,
      lastLine: () => excerpt(hide(text), 100),
    };
  } catch {
    throw new ModelError(
      `${server} answered with ${excerpt(hide(text.trim()), 100)}, which is neither JSON nor a stream. Try again, or look at the server's own log.`,
      { retry: true },
    );
  }
}

function nothingCame(server: string): ModelError {
  return new ModelError(
    `${server} closed the connection without an answer. Try again, or look at the server's own log.`,
    { retry: true },
  );
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
