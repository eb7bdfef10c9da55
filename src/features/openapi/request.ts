// One call's request, from the tool's input.
import { type PlainBody, type RequestBody, writeBody } from "./body.js";
import type { Description } from "./description.js";
import type { Operation } from "./operations.js";
import type { Parameter } from "./parameters.js";
import { OperationError } from "./problem.js";
import { cookiePairs, headerValue, pathValue, queryPairs } from "./serialize.js";
import type { Server } from "./servers.js";

/** Longest address that servers commonly take. */
const MAX_URL = 16_000;

/** An operation that can be called. */
export interface Callable {
  operation: Operation;
  server: Server;
  parameters: readonly Parameter[];
  body: RequestBody | undefined;
}

/** A request without credentials. */
export interface PlainRequest {
  method: string;
  url: URL;
  headers: Map<string, string>;
  cookies: string[];
  body: PlainBody | undefined;
}

/** Returns the request of a call. @throws OperationError for values that it cannot carry */
export function requestOf(
  { operation, server, parameters, body }: Callable,
  input: Readonly<Record<string, unknown>>,
  description: Description,
): PlainRequest {
  const given = parameters.flatMap((parameter) => {
    const value = Object.hasOwn(input, parameter.field) ? input[parameter.field] : undefined;
    return value === undefined || (value === null && !parameter.isJson) ? [] : [{ parameter, value }];
  });
  const inPlace = (place: Parameter["in"]): typeof given => given.filter(({ parameter }) => parameter.in === place);
  const query = inPlace("query").flatMap(({ parameter, value }) => queryPairs(parameter, value));
  const path = pathOf(operation.path, new Map(inPlace("path").map((each) => [each.parameter.name, each])));
  const href = `${server.base}${path}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  if (href.length > MAX_URL) {
    throw new OperationError(`The address would have ${href.length} characters; ${MAX_URL} at most.`);
  }
  const url = new URL(href);
  // The path that is sent is the one that was written: nothing in it leads elsewhere.
  if (url.origin !== server.origin || !url.pathname.startsWith(new URL(server.base).pathname)) {
    throw new OperationError("The values lead out of the server's address.");
  }
  const value = input["body"];
  return {
    method: operation.method,
    url,
    headers: new Map([
      ["accept", "application/json, text/*;q=0.9, */*;q=0.8"],
      ...inPlace("header").map((each): [string, string] => [
        each.parameter.name.toLowerCase(),
        headerValue(each.parameter, each.value),
      ]),
    ]),
    cookies: inPlace("cookie").flatMap((each) => cookiePairs(each.parameter, each.value)),
    body: body === undefined || value === undefined ? undefined : writeBody(body, value, description),
  };
}

function pathOf(template: string, values: ReadonlyMap<string, { parameter: Parameter; value: unknown }>): string {
  const path = template.replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => {
    const given = values.get(name);
    const written = given === undefined ? "" : pathValue(given.parameter, given.value);
    if (given === undefined || written === "") {
      throw new OperationError(`${given?.parameter.field ?? name}: must not be empty, since it is part of the path.`);
    }
    return written;
  });
  // Clients remove such steps, and servers may do so after decoding, some of them twice: `../admin` as a name would be
  // another address. Some of them do not count what follows ; or NUL as part of the name.
  if (/(?:^|[/\\])\.{1,2}(?:[/\\;\0]|$)/.test(decoded(decoded(decoded(path))))) {
    throw new OperationError("A value must have no step . or .., since it is part of the path.");
  }
  // What a description may write, but an address gives a meaning of its own.
  return path.replaceAll(/[?#\\\s]/g, encodeURIComponent);
}

/** Decodes each byte by itself: what a description writes need not be UTF-8, and only ASCII characters are looked for. */
function decoded(path: string): string {
  return path.replaceAll(/%([\da-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
