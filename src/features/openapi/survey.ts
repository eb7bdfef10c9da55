// What a person chooses from before an entry for a description is written.
import { isRecord } from "../../core/jsonSchema.js";
import { Description, readDescription } from "./description.js";
import { OperationError } from "./problem.js";
import { chooseOperations, operationsOf } from "./operations.js";
import { serverOf } from "./servers.js";

/** Maximum number of security schemes read: no description that a person wrote has more. */
const MAX_SCHEMES = 100;

/** An overview of a description. */
export interface Survey {
  /** Each operation as an entry chooses it, and what it does in a line. */
  operations: { pattern: string; summary: string }[];
  /** Returns what is wrong with a choice of operations, as a sentence; undefined if each pattern chooses some. */
  wrongChoice: (patterns: readonly string[]) => string | undefined;
  /** Tags, and how many operations have them. */
  tags: { tag: string; operations: number }[];
  /** The server that calls go to unless the entry names one; undefined if the description has none that can be used. */
  server: string | undefined;
  /** How calls may authenticate, of the kinds that an entry can name. */
  auth: { type: "bearer" | "basic" | "apiKey" | "oauth2"; tokenUrl?: string }[];
}

/** Surveys a description. @returns what is wrong with it, as a sentence, if nothing can be called */
export function surveyDescription(text: string, address: string | undefined): Survey | string {
  const description = readDescription(text);
  if (!(description instanceof Description)) {
    return description.line === undefined ? description.message : `Line ${description.line}: ${description.message}`;
  }
  const { operations } = operationsOf(description);
  if (operations.length === 0) {
    return "The description has no operations.";
  }
  const tags = new Map<string, number>();
  operations.flatMap((each) => each.tags).forEach((tag) => tags.set(tag, (tags.get(tag) ?? 0) + 1));
  return {
    operations: operations.map(({ id, method, path, node }) => ({
      pattern: id ?? `${method} ${path}`,
      summary: [id === undefined ? "" : `${method} ${path}`, textOf(node["summary"] ?? node["description"])]
        .filter((part) => part !== "")
        .join(": "),
    })),
    wrongChoice: (patterns) => chooseOperations(operations, patterns).problems[0]?.message,
    tags: [...tags].map(([tag, count]) => ({ tag, operations: count })),
    server: usualServer(description, address),
    auth: schemesOf(description),
  };
}

function usualServer(description: Description, address: string | undefined): string | undefined {
  try {
    return serverOf({}, undefined, description, address).base;
  } catch (error) {
    if (error instanceof OperationError) {
      return undefined;
    }
    throw error;
  }
}

function schemesOf(description: Description): Survey["auth"] {
  const { components } = description.root;
  const schemes = isRecord(components) ? components["securitySchemes"] : undefined;
  return Object.values(isRecord(schemes) ? schemes : {})
    .slice(0, MAX_SCHEMES)
    .flatMap((raw): Survey["auth"] => {
      const followed = description.follow(raw, "#/components/securitySchemes");
      const { type, scheme, flows } = typeof followed === "string" ? {} : followed.node;
      const word = textOf(scheme).toLowerCase();
      if (type === "http" && (word === "bearer" || word === "basic")) {
        return [{ type: word }];
      }
      if (type === "apiKey") {
        return [{ type }];
      }
      const flow = isRecord(flows) ? flows["clientCredentials"] : undefined;
      return type === "oauth2" && isRecord(flow) ? [{ type, tokenUrl: textOf(flow["tokenUrl"]) }] : [];
    });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
