// Which server an operation is sent to.
import { isRecord } from "../../core/jsonSchema.js";
import { excerpt, shorten } from "../../text/clip.js";
import { isPrivateHost } from "../../text/privateAddress.js";
import type { Description } from "./description.js";
import type { OpenApiEntry } from "./entry.js";
import type { Operation } from "./operations.js";
import { OperationError } from "./problem.js";

/** Code units of an address, with its variables and without. */
const MAX_ADDRESS = 2_000;
const MAX_CHOICES = 200;

export interface Server {
  /** Without a slash at the end. */
  base: string;
  origin: string;
  /** Whether its address or name is of this machine or a private network. */
  isPrivate: boolean;
}

/**
 * Returns the server of an operation: the entry's, or else the first one of the operation, its path or the description.
 *
 * @param operation undefined for the description's own server
 * @param address the https address that the description came from, if it is not a file
 * @throws OperationError
 */
export function serverOf(
  entry: Pick<OpenApiEntry, "server" | "variables">,
  operation: Operation | undefined,
  description: Description,
  address: string | undefined,
): Server {
  const lists = [operation?.node["servers"], operation?.pathItem["servers"], description.root["servers"]];
  const listed = lists.find((list): list is unknown[] => Array.isArray(list) && list.length > 0)?.[0];
  const given = isRecord(listed) ? listed : { url: "/" };
  const template = entry.server ?? (typeof given["url"] === "string" ? given["url"] : "/");
  const variables = isRecord(given["variables"]) ? given["variables"] : {};
  const written = template
    .slice(0, MAX_ADDRESS)
    .replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => valueOf(name, variables, entry));
  if (written.length > MAX_ADDRESS) {
    throw new OperationError(`The server's address has more than ${MAX_ADDRESS} characters.`);
  }
  if (!URL.canParse(written, address)) {
    throw new OperationError(
      /^https?:/.test(written)
        ? `${excerpt(written)} is not the address of a server.`
        : `The description names no server with a full address (${excerpt(written)}): give it as "server".`,
    );
  }
  const url = new URL(written, address);
  if (!["http:", "https:"].includes(url.protocol)) {
    throw new OperationError(`The server ${excerpt(written)} is neither http nor https.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new OperationError("The server's address must have no user name, query or fragment.");
  }
  return {
    base: url.origin + url.pathname.replace(/\/+$/, ""),
    origin: url.origin,
    isPrivate: isPrivateHost(url.hostname),
  };
}

function valueOf(name: string, variables: Record<string, unknown>, entry: Pick<OpenApiEntry, "variables">): string {
  const declared = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const { default: usual, enum: choices } = isRecord(declared) ? declared : {};
  const chosen = entry.variables !== undefined && Object.hasOwn(entry.variables, name) ? entry.variables[name] : usual;
  if (typeof chosen !== "string" && typeof chosen !== "number") {
    throw new OperationError(`The server's variable {${shorten(name, 40)}} has no value: give it in "variables".`);
  }
  if (String(chosen).length > MAX_ADDRESS) {
    throw new OperationError(`The server's variable {${shorten(name, 40)}} has more than ${MAX_ADDRESS} characters.`);
  }
  // It may be huge, and belong to every operation; nobody lists more.
  if (
    Array.isArray(choices) &&
    choices.length > 0 &&
    !choices.slice(0, MAX_CHOICES).map(String).includes(String(chosen))
  ) {
    const some = choices.slice(0, 10).map((each) => excerpt(String(each), 40));
    throw new OperationError(`The server's variable {${shorten(name, 40)}} must be one of ${some.join(", ")}.`);
  }
  return String(chosen);
}
