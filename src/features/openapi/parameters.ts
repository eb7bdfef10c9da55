// The parameters of an operation, and the field of the tool's input that each one is.
import { isRecord } from "../../core/jsonSchema.js";
import { below, firstEntries, type Description, type Node } from "./description.js";
import type { Operation } from "./operations.js";
import { OperationError } from "./problem.js";

const PLACES = ["path", "query", "header", "cookie"] as const;
type ParameterPlace = (typeof PLACES)[number];
/** More than anyone describes or a model reads. */
const MAX_PARAMETERS = 200;
/** Longest name of a parameter. */
const MAX_NAME = 300;
/** Longest name of a field that model APIs take. */
const MAX_FIELD = 64;
/** Headers that are not parameters (OpenAPI 3.1, "Parameter Object"), and those that are the transport's own. */
const NOT_PARAMETERS = [
  "accept",
  "content-type",
  "authorization",
  "host",
  "content-length",
  "connection",
  "transfer-encoding",
  "cookie",
];
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** How a value is written into a request (OpenAPI 3.1, "Style Values"). */
export interface Style {
  style: string;
  explode: boolean;
  /** Whether reserved characters stay as they are. */
  allowReserved: boolean;
  /** Whether the value is written as JSON. */
  isJson: boolean;
}

export interface Parameter extends Style {
  name: string;
  in: ParameterPlace;
  /** Its field of the input. */
  field: string;
  required: boolean;
  schema: unknown;
  description: unknown;
  pointer: string;
}

const DEFAULT_STYLES: Record<ParameterPlace, string> = {
  path: "simple",
  query: "form",
  header: "simple",
  cookie: "form",
};

/** Returns the parameters of an operation, also those of its path. @throws OperationError */
export function parametersOf(operation: Operation, description: Description): Parameter[] {
  const found = new Map<string, Omit<Parameter, "field">>();
  const lists = [
    { list: operation.pathItem["parameters"], pointer: below(operation.pathPointer, "parameters") },
    { list: operation.node["parameters"], pointer: below(operation.pointer, "parameters") },
  ];
  for (const { list, pointer } of lists) {
    if (Array.isArray(list) && list.length > MAX_PARAMETERS) {
      throw new OperationError(`It has more than ${MAX_PARAMETERS} parameters.`);
    }
    for (const [index, raw] of (Array.isArray(list) ? list : []).entries()) {
      const place = description.follow(raw, below(pointer, String(index)));
      if (typeof place === "string") {
        throw new OperationError(place);
      }
      const parameter = readParameter(place.node, place.pointer);
      if (parameter !== undefined) {
        found.set(`${parameter.in} ${parameter.name}`, parameter);
      }
      if (found.size > MAX_PARAMETERS) {
        throw new OperationError(`It has more than ${MAX_PARAMETERS} parameters.`);
      }
    }
  }
  const parameters = withFields([...found.values()]);
  const unknown = placeholders(operation.path).filter((name) => !found.has(`path ${name}`));
  if (parameters.length + unknown.length > MAX_PARAMETERS) {
    throw new OperationError(`It has more than ${MAX_PARAMETERS} parameters.`);
  }
  // A description that leaves out a parameter of its path: any text is allowed there.
  return [...parameters, ...withFields(unknown.map(undescribed), new Set(parameters.map(({ field }) => field)))];
}

/** Returns the names in braces of a path. */
function placeholders(path: string): string[] {
  return [...new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name))];
}

function undescribed(name: string): Omit<Parameter, "field"> {
  const style = { style: "simple", explode: false, allowReserved: false, isJson: false };
  return { ...style, name, in: "path", required: true, schema: { type: "string" }, description: "", pointer: "#" };
}

function readParameter(node: Node, pointer: string): Omit<Parameter, "field"> | undefined {
  const { name, in: where, style, explode, allowReserved, required, content, description } = node;
  const place = PLACES.find((each) => each === where);
  if (typeof name !== "string" || name === "" || place === undefined) {
    throw new OperationError(
      where === "querystring"
        ? "A parameter that is the whole query is not supported."
        : `The parameter at ${pointer} has no name or place (path, query, header or cookie).`,
    );
  }
  if (name.length > MAX_NAME) {
    throw new OperationError(`The parameter at ${pointer} has a name of more than ${MAX_NAME} characters.`);
  }
  if (place === "header" && NOT_PARAMETERS.includes(name.toLowerCase())) {
    return undefined;
  }
  if (place === "header" && !HEADER_NAME.test(name)) {
    throw new OperationError(`The parameter at ${pointer} has a name that no header can have.`);
  }
  const [media] = firstEntries(content);
  const named = typeof style === "string" ? style : DEFAULT_STYLES[place];
  return {
    name,
    in: place,
    style: named,
    explode: typeof explode === "boolean" ? explode : named === "form" || named === "deepObject",
    allowReserved: allowReserved === true,
    isJson: media !== undefined,
    required: required === true || place === "path",
    schema: media === undefined ? node["schema"] : isRecord(media[1]) ? media[1]["schema"] : undefined,
    description,
    pointer: media === undefined ? below(pointer, "schema") : below(pointer, "content", media[0], "schema"),
  };
}

/** Gives each parameter a field that model APIs take: its name, with its place in front if another one has it. */
function withFields(parameters: readonly Omit<Parameter, "field">[], used = new Set(["body"])): Parameter[] {
  return parameters.map((parameter) => {
    const plain = fieldName(parameter.name);
    const names = [plain, `${parameter.in}_${plain}`.slice(0, MAX_FIELD)];
    let field = names.find((name) => !used.has(name)) ?? plain;
    for (let number = 2; used.has(field); number++) {
      field = `${plain.slice(0, MAX_FIELD - 4)}_${number}`;
    }
    used.add(field);
    return { ...parameter, field };
  });
}

function fieldName(name: string): string {
  const plain = name
    .slice(0, 4 * MAX_FIELD)
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+/, "")
    .replace(/_+$/, "")
    .slice(0, MAX_FIELD);
  return plain === "" || plain in Object.prototype ? `value_${plain}`.replace(/_$/, "") : plain;
}
