// The tools of a service, from its description.
import type { Tool } from "../../core/contract.js";
import { excerpt } from "../../text/clip.js";
import { Authentication, completeAuth, type AuthHost } from "./auth.js";
import { bodyOf } from "./body.js";
import { Description, readDescription } from "./description.js";
import { MAX_TOOLS, type OpenApiEntry } from "./entry.js";
import { ToolNames } from "./names.js";
import { operationTool, type Service } from "./operationTool.js";
import { chooseOperations, operationsOf, type Operation } from "./operations.js";
import { parametersOf } from "./parameters.js";
import { OperationError, type OpenApiProblem } from "./problem.js";
import type { Callable } from "./request.js";
import { serverOf, type Server } from "./servers.js";

/** Maximum number of problems reported one by one. */
const MAX_PROBLEMS = 50;
/** Operations that are found to be broken, which is work; the others are left out. */
const MAX_BROKEN = 2_000;

export interface OpenApiHost extends AuthHost {
  /** The description. */
  text: string;
  /** The https address that it came from; undefined for a file. */
  address: string | undefined;
  /** Whether another tool has a name. */
  taken: (name: string) => boolean;
  /** How many tools models are offered; the others are found by search. */
  maxTools: number;
}

/** An operation that does not become a tool. */
interface LeftOut {
  /** Its id, or else method and path. */
  operation: string;
  reason: string;
}

export interface OpenApiTools {
  /** Those that models are offered (`expose` is `default`), then those behind search (`search`). */
  tools: Tool[];
  problems: OpenApiProblem[];
  /** Sentences on where calls go, which a person should know before approving. */
  cautions: string[];
  leftOut: LeftOut[];
}

/** Makes a tool of each chosen operation. Nothing is sent, and nothing that a description holds makes it fail. */
export function loadOpenApiTools(entry: OpenApiEntry, host: OpenApiHost): OpenApiTools {
  const description = readDescription(host.text);
  if (!(description instanceof Description)) {
    return { tools: [], problems: [description], cautions: [], leftOut: [] };
  }
  const { operations, problems: pathProblems } = operationsOf(description);
  const { chosen, problems: choiceProblems } = chooseOperations(operations, entry.operations);
  const problems = [...choiceProblems, ...pathProblems];
  if (operations.length === 0) {
    problems.push({ message: "The description has no operations.", pointer: "#/paths" });
  }
  let service: Service;
  try {
    service = serviceOf(entry, host, description);
  } catch (error) {
    return { tools: [], problems: [{ message: reasonOf(error) }, ...problems], cautions: [], leftOut: [] };
  }
  const names = new ToolNames(host.taken, entry.prefix);
  const tools: Tool[] = [];
  const leftOut: LeftOut[] = [];
  const servers = new Map<string, Server>();
  let broken = 0;
  for (const operation of chosen) {
    if (broken === MAX_BROKEN) {
      leftOut.push({ operation: labelOf(operation), reason: `It was not read: ${MAX_BROKEN} others are broken.` });
      continue;
    }
    if (tools.length === MAX_TOOLS) {
      leftOut.push({
        operation: labelOf(operation),
        reason: `There are more than ${MAX_TOOLS}: choose with "operations".`,
      });
      continue;
    }
    try {
      const callable = callableOf(operation, service, host.address);
      const expose = tools.length < host.maxTools ? "default" : "search";
      tools.push(operationTool(names.give(operation), callable, service, expose));
      servers.set(callable.server.origin, callable.server);
    } catch (error) {
      broken += 1;
      leftOut.push({ operation: labelOf(operation), reason: reasonOf(error) });
    }
  }
  for (const { wanted, name } of names.renamed) {
    problems.push({
      message: `Another tool has the name ${wanted}, so this one is ${name}. Set "prefix" to choose other names.`,
    });
  }
  const more = problems.length - MAX_PROBLEMS;
  return {
    tools,
    problems: more > 0 ? [...problems.slice(0, MAX_PROBLEMS), { message: `And ${more} more problems.` }] : problems,
    cautions: cautionsOf([...servers.values()], service),
    leftOut,
  };
}

function serviceOf(entry: OpenApiEntry, host: OpenApiHost, description: Description): Service {
  const auths = completeAuth([entry.auth ?? []].flat(), description);
  return {
    entry,
    description,
    http: host.http,
    authentication: new Authentication(auths, host, entry.allowPrivate === true),
    trusted: auths.length > 0 ? serverOf(entry, undefined, description, host.address).origin : undefined,
    source: host.address === undefined ? undefined : new URL(host.address).origin,
  };
}

function callableOf(operation: Operation, { entry, description }: Service, address: string | undefined): Callable {
  return {
    operation,
    server: serverOf(entry, operation, description, address),
    parameters: parametersOf(operation, description),
    body: bodyOf(operation, description),
  };
}

/** Returns what a person should know of the servers before approving. */
function cautionsOf(servers: readonly Server[], { source, trusted, authentication }: Service): string[] {
  return servers
    .slice(0, MAX_PROBLEMS)
    .flatMap(({ origin, isPrivate }) => [
      ...(isPrivate ? [`Calls go to ${origin}, on this machine or a private network.`] : []),
      ...(source !== undefined && source !== origin
        ? [`Calls go to ${origin}, another origin than the description's, ${source}.`]
        : []),
      ...(authentication.names.length > 0 && origin !== trusted
        ? [
            `Calls to ${origin} are sent without credentials${trusted === undefined ? "" : `, which are for ${trusted}`}.`,
          ]
        : []),
    ]);
}

function labelOf({ id, method, path }: Operation): string {
  return id === undefined ? `${method} ${excerpt(path).slice(1, -1)}` : excerpt(id).slice(1, -1);
}

/** Returns why an operation is left out. Whatever a description does to our code concerns that operation alone. */
function reasonOf(error: unknown): string {
  return error instanceof OperationError
    ? error.message
    : error instanceof RangeError
      ? "It is nested too deeply."
      : "It could not be read.";
}
