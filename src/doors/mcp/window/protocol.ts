/**
 * What a process of `toolhost mcp` and a window say to each other: lines of JSON on a socket that only this user can
 * open. The process speaks first, with the token from the window's note.
 */
import type { OfferAnswer, OfferRequest } from "../offerTypes.js";
import type { ListedTool } from "../toolSource.js";

/** Both sides must have the same: another version of Toolhost may run in the window. */
export const PROTOCOL = 4;

/** Maximum bytes of a line: a message of a client, and what we put around it. */
export const MAX_MESSAGE = 20_000_000;

/** What a window writes down, for this user alone, so that processes find it. */
export interface WindowNote {
  protocol: number;
  /** The window's process, and when it started. */
  pid: number;
  started: string;
  /** The real paths of its folders on this machine's disk. */
  folders: readonly string[];
  socket: string;
  token: string;
}

export interface Hello extends ClientWishes {
  type: "hello";
  protocol: number;
  token: string;
  /** Of the client's session. */
  key: string;
}

/** What a client gets. */
export interface ClientWishes {
  planOnly: boolean;
  /** Names of the shipped tools that are served. */
  served: readonly string[];
  /** Whether the client gets results as data, too. */
  sendsData: boolean;
  /** The real path of the folder that it works in, one of the note's; undefined for all that the window has. */
  folder?: string | undefined;
  /** Whether the window itself offered the server to VS Code's agents, which do not count as outside agents. */
  isOffered?: boolean;
}

export type FromProcess =
  | Hello
  | { type: "list"; id: number; client: string }
  | { type: "call"; id: number; name: string; input: unknown; client: string; turn: number; answerSize: number }
  | { type: "offer"; id: number; request: OfferRequest; client: string }
  | { type: "cancel"; id: number };

export type FromWindow =
  | { type: "welcome" }
  | { type: "tools"; id: number; tools: ListedTool[] }
  | { type: "offered"; id: number; answer: OfferAnswer }
  /** Why there is no list, or nothing offered. */
  | { type: "failed"; id: number; message: string }
  | { type: "progress"; id: number; message: string }
  | {
      type: "answer";
      id: number;
      ok: boolean;
      text: string;
      data?: unknown;
      media?: { mimeType: string; base64: string }[];
    }
  | { type: "changed" };
