// The schema of an operation's input: a field for each parameter, and `body`.
import { isRecord } from "../../core/jsonSchema.js";
import { fileFields, takesFiles } from "./body.js";
import type { Description, Node } from "./description.js";
import type { Callable } from "./request.js";
import { SchemaWriter, TooManyParts, words } from "./schema.js";

/** Objects inside each other: OpenAI's strict mode takes five levels, the input itself among them. */
const MAX_LEVELS = 5;
/** Characters of a schema as JSON: every request of an agent pays for them. */
const MAX_SIZE = 12_000;

/**
 * Parts of the schemas of all operations, a second of work; then only the names of fields are shown. GitHub's
 * description, of 1,223 operations, has 7,000, and Stripe's 13,000.
 */
const MAX_PARTS_IN_ALL = 300_000;

const BODIES = {
  json: "The request's body.",
  form: "The form's fields.",
  multipart: "The form's fields.",
  files: "The form's fields; those of files take a path in the workspace.",
  text: "The request's body, as text.",
  file: "Path in the workspace of the file that is sent.",
};

const FILE = "Path of the file in the workspace.";

/** Returns the schema of an operation's input, with as many levels as fit. */
export function inputSchemaOf(callable: Callable, description: Description): Node {
  for (let levels = MAX_LEVELS; levels > 1 && description.partsWritten < MAX_PARTS_IN_ALL; levels--) {
    try {
      const schema = write(callable, description, new SchemaWriter(description, MAX_SIZE), levels);
      if (JSON.stringify(schema).length <= MAX_SIZE) {
        return schema;
      }
    } catch (error) {
      if (!(error instanceof TooManyParts)) {
        throw error;
      }
    }
  }
  return write(callable, description, new SchemaWriter(description, undefined), 1);
}

function write({ parameters, body }: Callable, description: Description, writer: SchemaWriter, levels: number): Node {
  const properties: [string, Node][] = parameters.map(
    ({ field, schema, description: about, pointer, in: place, name }) => {
      const written = writer.write(schema ?? {}, levels, pointer);
      const own = written["description"];
      const usual = place === "path" ? `${name} in the path.` : `${name} (${place}).`;
      const said = words(about, typeof own === "string" && own !== about ? [own] : []);
      return [field, { ...written, description: said === "" ? usual : said }];
    },
  );
  if (body !== undefined) {
    const written =
      body.kind === "text" || body.kind === "file"
        ? { type: "string" }
        : withPaths(writer.write(body.schema ?? {}, levels, body.pointer), fileFields(body, description));
    const form = body.kind === "multipart" && takesFiles(body, description) ? "files" : body.kind;
    const type = body.kind === "text" ? `${BODIES.text.slice(0, -1)} of type ${body.type}.` : BODIES[form];
    const said = words(body.description, [type, "description" in written ? String(written["description"]) : ""]);
    properties.push(["body", { ...written, description: said }]);
  }
  const required = [
    ...parameters.filter((parameter) => parameter.required).map(({ field }) => field),
    ...(body?.required === true ? ["body"] : []),
  ];
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Returns the schema of a form in which fields of files are paths. */
function withPaths(written: Node, files: ReadonlySet<string>): Node {
  const { properties, allOf, anyOf } = written;
  const each = (list: unknown): Node[] | undefined =>
    Array.isArray(list) ? list.map((part) => withPaths(part as Node, files)) : undefined;
  return {
    ...written,
    ...(isRecord(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [
              name,
              files.has(name) && isRecord(field) ? pathField(field) : field,
            ]),
          ),
        }
      : {}),
    ...(allOf === undefined ? {} : { allOf: each(allOf) }),
    ...(anyOf === undefined ? {} : { anyOf: each(anyOf) }),
  };
}

function pathField({ type, description }: Node): Node {
  const said = words(description, [FILE]);
  return type === "array" || (typeof description === "string" && description.endsWith("A list."))
    ? { type: "array", description: said, items: { type: "string" } }
    : { type: "string", description: said };
}
