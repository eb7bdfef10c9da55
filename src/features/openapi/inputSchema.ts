// The schema of an operation's input: a field for each parameter, and `body`.
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
  multipart: "The form's fields; those of files take the file's text.",
  text: "The request's body, as text.",
};

/** Returns the schema of an operation's input, with as many levels as fit. */
export function inputSchemaOf(callable: Callable, description: Description): Node {
  for (let levels = MAX_LEVELS; levels > 1 && description.partsWritten < MAX_PARTS_IN_ALL; levels--) {
    try {
      const schema = write(callable, new SchemaWriter(description, MAX_SIZE), levels);
      if (JSON.stringify(schema).length <= MAX_SIZE) {
        return schema;
      }
    } catch (error) {
      if (!(error instanceof TooManyParts)) {
        throw error;
      }
    }
  }
  return write(callable, new SchemaWriter(description, undefined), 1);
}

function write({ parameters, body }: Callable, writer: SchemaWriter, levels: number): Node {
  const properties: [string, Node][] = parameters.map(({ field, schema, description, pointer, in: place, name }) => {
    const written = writer.write(schema ?? {}, levels, pointer);
    const own = written["description"];
    const usual = place === "path" ? `${name} in the path.` : `${name} (${place}).`;
    const said = words(description, typeof own === "string" && own !== description ? [own] : []);
    return [field, { ...written, description: said === "" ? usual : said }];
  });
  if (body !== undefined) {
    const written = body.kind === "text" ? { type: "string" } : writer.write(body.schema ?? {}, levels, body.pointer);
    const type = body.kind === "text" ? `${BODIES.text.slice(0, -1)} of type ${body.type}.` : BODIES[body.kind];
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
