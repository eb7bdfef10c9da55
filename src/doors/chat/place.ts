import { isRecord } from "../../core/jsonSchema.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { asConversation } from "../../features/sessions/conversation.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import type { ModelMessage } from "../../ports/models.js";
import { fitHistory, type TurnMetadata } from "./history.js";
import type { LostTurns } from "./lostTurns.js";

/** A turn that the chat still shows. */
export interface ChatTurn {
  prompt: string;
  command: string | undefined;
  /** What it left; undefined when VS Code lost it. */
  metadata: TurnMetadata | undefined;
}

/** Where a chat goes on. */
export interface ChatPlace {
  session: string;
  /** See `TurnMetadata.chat`. */
  chat: string;
  /** No turn was in the session yet, as far as the chat shows. */
  isNew: boolean;
  /** See `TurnStart.keepUpTo`. */
  keepUpTo: number | undefined;
  /** See `TurnRequest.earlier`. */
  earlier: ModelMessage[];
  /** The chat's last turn that is known; empty when there is none. */
  after: string;
  /** The turns that the chat shows, as far as they are known. */
  turns: readonly string[];
  /** The sessions that `/sessions` listed last, in order. */
  listed: readonly string[];
}

/**
 * The session that a chat goes on with, and how much of it the chat still shows. VS Code forgets what a turn left when
 * the window was reloaded in the middle of it, and often when it was stopped.
 *
 * @param turns that the chat shows, oldest first
 * @param token the request's token, which identifies the chat even before its first turn
 */
export async function chatPlace(
  turns: readonly ChatTurn[],
  lost: LostTurns,
  log: () => Promise<Pick<SessionLog, "findInterrupted">>,
  token?: unknown,
): Promise<ChatPlace> {
  const known: TurnMetadata[] = [];
  let after = "";
  let unknown: ChatTurn | undefined;
  for (const turn of turns) {
    const found = turn.metadata ?? lost.find(turn, after);
    unknown = found === undefined ? turn : undefined;
    if (found !== undefined) {
      known.push(found);
      after = found.turn ?? after;
    }
  }
  const last = known.at(-1)?.session;
  const interrupted = unknown === undefined ? undefined : await findInterrupted(unknown.prompt, log);
  const isCutOff = interrupted !== undefined && (last === undefined || last === interrupted);
  const session = isCutOff ? interrupted : last;
  const own = known.filter((turn) => turn.session === session);
  return {
    session: session ?? newId(),
    chat: known.findLast(({ chat }) => chat !== undefined)?.chat ?? nameOf(token) ?? newId(),
    isNew: session === undefined,
    // What a turn that was cut off had said is not taken back.
    keepUpTo: session === undefined || isCutOff ? undefined : Math.max(0, ...own.flatMap(({ seq }) => seq ?? [])),
    earlier: whole(fitHistory(own.map(({ messages }) => messages))),
    after,
    turns: known.flatMap(({ turn }) => turn ?? []),
    listed: known.findLast(({ listed }) => listed !== undefined)?.listed ?? [],
  };
}

/**
 * The address of a request's chat, which stays the same when its first message is edited or *Start Over* is pressed.
 * The token is opaque to extensions; in VS Code 1.139 it has the address as `sessionResource`. Without one, such a chat
 * counts as new.
 */
function nameOf(token: unknown): string | undefined {
  const address = isRecord(token) ? token["sessionResource"] : undefined;
  if (!isRecord(address)) {
    return undefined;
  }
  const { scheme, authority, path } = address;
  return typeof scheme === "string" && typeof path === "string" && path.length > 1
    ? `${scheme}://${typeof authority === "string" ? authority : ""}${path}`
    : undefined;
}

/** A log that cannot be asked now says so when the turn begins. */
async function findInterrupted(
  prompt: string,
  log: () => Promise<Pick<SessionLog, "findInterrupted">>,
): Promise<string | undefined> {
  try {
    return await (await log()).findInterrupted(prompt);
  } catch {
    return undefined;
  }
}

/** Model APIs refuse a call without its result, which a turn that was stopped has. */
function whole(messages: readonly ModelMessage[]): ModelMessage[] {
  return asConversation(messages.map((message, seq) => ({ message, seq }))).map(({ message }) => message);
}
