// How calls prove who they are. Secrets are asked for by name with each call, and are never part of a text.
import { ToolError } from "../../core/errors.js";
import { isRecord } from "../../core/jsonSchema.js";
import type { Http, HttpRequest } from "../../ports/http.js";
import { excerpt } from "../../text/clip.js";
import { isPrivateHost } from "../../text/privateAddress.js";
import type { Description } from "./description.js";
import type { OpenApiAuth } from "./entry.js";
import type { Mask } from "./mask.js";
import { OperationError } from "./problem.js";
import { encode } from "./serialize.js";

const TOKEN_TIMEOUT = 30_000;
const MAX_TOKEN_ANSWER = 100_000;
/** A token is replaced this long before it ends, in ms. */
const EARLY = 30_000;
/** How long a token is used whose end the server does not say, in ms. */
const USUAL_LIFE = 300_000;

export interface AuthHost {
  http: Http;
  /** Returns the value of a secret; undefined if it is not set. */
  secret: (name: string) => Promise<string | undefined>;
  /** Says how the user can set one. */
  secretAdvice: (name: string) => string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What authentication adds to a request. */
export interface Credentials {
  headers: Map<string, string>;
  /** Percent-encoded. */
  query: string[];
  cookies: string[];
}

type OAuth2 = Extract<OpenApiAuth, { type: "oauth2" }>;

/** Completes an entry's authentication with what the description says of it. @throws OperationError */
export function completeAuth(auths: readonly OpenApiAuth[], description: Description): OpenApiAuth[] {
  return auths.map((auth) => {
    if (auth.type !== "apiKey" || (auth.in !== undefined && auth.name !== undefined)) {
      return auth;
    }
    const { components } = description.root;
    const schemes = isRecord(components) ? components["securitySchemes"] : undefined;
    const places = ["header", "query", "cookie"] as const;
    for (const raw of isRecord(schemes) ? Object.values(schemes).slice(0, 100) : []) {
      const scheme = description.follow(raw, "#/components/securitySchemes");
      const { type, name, in: where } = typeof scheme === "string" ? {} : scheme.node;
      const place = places.find((each) => each === where);
      if (type === "apiKey" && typeof name === "string" && place !== undefined && (auth.in ?? place) === place) {
        return { ...auth, in: place, name: auth.name ?? name };
      }
    }
    throw new OperationError('auth: the description has no API key; give "in" and "name".');
  });
}

/** Authenticates the calls of one entry, and keeps its tokens while they last. */
export class Authentication {
  readonly #auths: readonly OpenApiAuth[];
  readonly #host: AuthHost;
  readonly #allowPrivate: boolean;
  readonly #tokens = new Map<OAuth2, { token: string; until: number }>();

  constructor(auths: readonly OpenApiAuth[], host: AuthHost, allowPrivate: boolean) {
    this.#auths = auths;
    this.#host = host;
    this.#allowPrivate = allowPrivate;
  }

  /** The names of the secrets, for people. */
  get names(): string[] {
    return this.#auths.map(({ secret }) => secret);
  }

  /**
   * Returns what a request needs. The mask learns every value that must not be shown.
   *
   * @throws ToolError `unavailable` if a secret is not set or no token is given
   */
  async credentials(mask: Mask, signal: AbortSignal): Promise<Credentials> {
    const credentials: Credentials = { headers: new Map(), query: [], cookies: [] };
    for (const auth of this.#auths) {
      const value = await this.#secret(auth.secret, mask);
      switch (auth.type) {
        case "bearer":
          credentials.headers.set("authorization", `Bearer ${value}`);
          break;
        case "basic":
          credentials.headers.set("authorization", basic(auth.username, value, auth.secret, mask));
          break;
        case "oauth2":
          credentials.headers.set("authorization", `Bearer ${await this.#token(auth, value, mask, signal)}`);
          break;
        case "apiKey":
          addKey(auth, value, credentials);
          break;
      }
    }
    return credentials;
  }

  /** Forgets tokens that a server refused. */
  forgetTokens(): void {
    this.#tokens.clear();
  }

  async #secret(name: string, mask: Mask): Promise<string> {
    const value = (await this.#host.secret(name))?.trim();
    if (value === undefined || value === "") {
      throw new ToolError(
        "unavailable",
        `The secret ${name} is not set. Nothing was sent.`,
        this.#host.secretAdvice(name),
      );
    }
    if (!/^[\x20-\x7e]*$/.test(value)) {
      throw new ToolError(
        "unavailable",
        `The secret ${name} has characters that a request cannot carry. Nothing was sent.`,
        `Set it without line breaks. ${this.#host.secretAdvice(name)}`,
      );
    }
    mask.add(name, value);
    return value;
  }

  /** Gets a token with client credentials (RFC 6749, section 4.4). */
  async #token(auth: OAuth2, secret: string, mask: Mask, signal: AbortSignal): Promise<string> {
    const { http, now } = this.#host;
    const known = this.#tokens.get(auth);
    if (known !== undefined && known.until > now()) {
      mask.add(`${auth.secret} token`, known.token);
      return known.token;
    }
    const { tokenUrl, clientId, scopes, clientAuth } = auth;
    const form = {
      grant_type: "client_credentials",
      ...(scopes === undefined ? {} : { scope: scopes.join(" ") }),
      ...(clientAuth === "body" ? { client_id: clientId, client_secret: secret } : {}),
    };
    const request: HttpRequest = {
      url: tokenUrl,
      method: "POST",
      headers: new Map([["accept", "application/json"]]),
      credentials: new Map(
        // Both are percent-encoded first (section 2.3.1).
        clientAuth === "body" ? [] : [["authorization", basic(encode(clientId), encode(secret), auth.secret, mask)]],
      ),
      body: {
        kind: "text",
        type: "application/x-www-form-urlencoded",
        text: Object.entries(form)
          .map(([name, value]) => `${name}=${encode(value)}`)
          .join("&"),
      },
      timeout: TOKEN_TIMEOUT,
      maxBytes: MAX_TOKEN_ANSWER,
      mayBePrivate: this.#allowPrivate || isPrivateHost(new URL(tokenUrl).hostname),
    };
    const answer = await http.send(request, signal);
    const { access_token: token, expires_in: seconds, error } = readToken(answer.body);
    if (answer.status !== 200 || typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
      const said = typeof error === "string" ? ` It says ${excerpt(mask.hide(error), 60)}.` : "";
      throw new ToolError(
        "unavailable",
        `${new URL(tokenUrl).origin} gave no token (HTTP ${answer.status}).${said} The call was not made.`,
        `The user can check clientId, scopes and the secret ${auth.secret}.`,
      );
    }
    mask.add(`${auth.secret} token`, token);
    const life = typeof seconds === "number" && seconds > 0 ? seconds * 1_000 : USUAL_LIFE;
    this.#tokens.set(auth, { token, until: now() + life - EARLY });
    return token;
  }
}

function addKey(auth: Extract<OpenApiAuth, { type: "apiKey" }>, value: string, to: Credentials): void {
  const name = auth.name ?? "";
  switch (auth.in) {
    case "query":
      to.query.push(`${encode(name)}=${encode(value)}`);
      break;
    case "cookie":
      to.cookies.push(`${name}=${encode(value)}`);
      break;
    default:
      to.headers.set(name.toLowerCase(), value);
  }
}

function basic(user: string, password: string, name: string, mask: Mask): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  const encoded = btoa(String.fromCharCode(...bytes));
  mask.add(name, encoded);
  return `Basic ${encoded}`;
}

function readToken(body: Uint8Array): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(new TextDecoder().decode(body));
    return isRecord(answer) ? answer : {};
  } catch {
    return {};
  }
}
