/** One part of a body of type `multipart/form-data`. */
export interface HttpPart {
  name: string;
  value: string | Uint8Array;
  /** The part's media type; a plain text has none. */
  type?: string;
  /** Makes the part a file. */
  fileName?: string;
}

export type HttpBody =
  | { kind: "text"; type: string; text: string }
  | { kind: "bytes"; type: string; bytes: Uint8Array }
  | { kind: "multipart"; parts: readonly HttpPart[] };

/** A request to another machine. */
export interface HttpRequest {
  /** With the scheme http or https. */
  url: string;
  method: string;
  headers: ReadonlyMap<string, string>;
  /** Headers with credentials: they are sent to the origin of `url` and, if it redirects, to no other. */
  credentials: ReadonlyMap<string, string>;
  body?: HttpBody;
  /** Time limit from connecting to the end of the answer, in ms. */
  timeout: number;
  /** Maximum bytes of the answer's body that are read, after decompression. */
  maxBytes: number;
  /** Whether the server may have an address of this machine or of a private network. */
  mayBePrivate: boolean;
  /** Whether a redirect to another host is an error that names it, instead of being followed. */
  staysOnSite?: boolean;
  /** Called as the answer's body arrives, with its bytes so far, after decompression. */
  onProgress?: (bytes: number) => void;
}

/** An answer of any status. */
export interface HttpAnswer {
  status: number;
  /** The status in the server's words, of any length; may be empty. */
  reason: string;
  /** By lowercase name. */
  headers: ReadonlyMap<string, string>;
  body: Uint8Array;
  /** Whether `body` is all of it, as far as `maxBytes` allows. */
  isWhole: boolean;
  /** Why the rest of the body could not be read, though the server has answered. */
  broken?: { type: "timeout" | "io_error"; reason: string };
  /** The address that answered, after redirects. */
  url: string;
}

/** Sends requests to other machines. */
export interface Http {
  /**
   * Sends a request, once. Redirects within its origin are followed; to another one only requests that read, without
   * credentials and other headers, and never to a private network or from https to http.
   *
   * @throws ToolError `unavailable` if the server cannot be reached, `denied` for an address or a redirect that is not
   *   followed, `timeout` and `io_error` if no answer came, so that it is not known whether the request arrived; with
   *   messages of any length; the signal's reason
   */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;

  /**
   * Refuses an address that names this machine or a private network, before anybody is asked about it. Looks no name up.
   *
   * @throws ToolError `denied`
   */
  checkPublic(url: string): Promise<void>;
}
