// The format of a file of tools, which is also the setting `toolhost.tools`. Its JSON Schema, by which editors complete
// and check, is media/tools.schema.json (`npm run manifest`).
import * as z from "zod";
import { once } from "../../core/once.js";
import { openApiEntry } from "../openapi/entry.js";
import { parametersSchema, valueSchema } from "./parameters.js";

/** The file of a workspace's own tools, below each folder. */
export const TOOLS_FILE = ".toolhost/tools.json";

/** Seconds that a command may take by default: as long as one of `exec`. */
export const DEFAULT_TIMEOUT = 1_800;
const MAX_TIMEOUT = 86_400;
/** Longer names are not allowed by every model once VS Code has put its prefix before them. */
const MAX_NAME = 55;
/** Some models' descriptions are cut here. */
const MAX_DESCRIPTION = 1_024;
const MAX_ARGUMENTS = 200;

/** No program can get a NUL character in an argument or a variable. */
const text = once(() =>
  z
    .string()
    .max(10_000)

    .regex(/^[^\u0000]*$/, "must not contain NUL characters"),
);

const toolName = once(() =>
  z
    .string()
    .max(MAX_NAME)
    .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, "must be lower case words with _ between them, such as count_lines")
    .describe("The tool's name: lower case words with _ between them."),
);

const command = once(() =>
  z
    .string()
    .min(1)
    .max(1_000)
    .regex(/^[^\u0000-\u001f\u007f]*$/, "must not contain control characters")
    .describe("The program: a name found on PATH, or a path relative to the workspace folder. No shell runs it."),
);

/** A tool that runs a command. */
export const commandEntry = once(() =>
  z.strictObject({
    name: toolName(),
    title: z.string().min(1).max(80).optional().describe("The tool's name for people. Default: from its name."),
    description: z.string().min(1).max(MAX_DESCRIPTION).describe("What the tool does. Models read it."),
    command: command(),
    args: z
      .array(z.union([text(), z.array(text()).min(1).max(20)]))
      .max(MAX_ARGUMENTS)
      .optional()
      .describe(
        "Its arguments. {name} stands for a parameter's value; an argument without a value is left out, and one with a list is repeated. {name?--flag} is --flag if the parameter is true. Arguments in a list of their own are left out or repeated together. {args} stands for any arguments, split at spaces outside of quotes.",
      ),
    parameters: parametersSchema().optional().describe("JSON Schema of the tool's input."),
    stdin: z.literal("json").optional().describe('"json": the program gets the input as JSON on standard input.'),
    cwd: z.string().min(1).max(1_000).optional().describe("Folder to run in, inside the workspace. Default: its root."),
    env: z
      .record(
        z.string().regex(/^[A-Za-z_]\w*$/, "must be a variable's name"),
        z.union([
          text(),
          z.strictObject({ secret: z.string().regex(/^[A-Za-z_]\w{0,63}$/, "must be a name: letters, digits and _") }),
        ]),
      )
      .optional()
      .describe('Environment variables to set: a text, or {"secret": name} for a secret that the user has set.'),
    timeout: z
      .number()
      .min(1)
      .max(MAX_TIMEOUT)
      .optional()
      .describe(`Seconds before the command is killed. Default: ${DEFAULT_TIMEOUT}.`),
    readOnly: z
      .boolean()
      .optional()
      .describe("Whether it only reads, whatever its input: then it runs without a question. Default: false."),
    destructive: z.boolean().optional().describe("Whether it may destroy something. Default: unless it only reads."),
    idempotent: z
      .boolean()
      .optional()
      .describe("Whether a second call changes nothing more. Default: if it only reads."),
    openWorld: z.boolean().optional().describe("Whether it reaches beyond this machine. Default: true."),
    output: valueSchema()
      .optional()
      .describe("JSON Schema of the JSON that the command prints. Other output is then an error."),
  }),
);

export type CommandEntry = z.output<ReturnType<typeof commandEntry>>;

/** A tool that is one of Toolhost's under another name. */
export const useEntry = once(() =>
  z.strictObject({
    name: toolName(),
    title: z.string().min(1).max(80).optional().describe("The tool's name for people. Default: from its name."),
    description: z
      .string()
      .min(1)
      .max(MAX_DESCRIPTION)
      .optional()
      .describe("What the tool does. Models read it. Default: the used tool's own."),
    use: z.string().min(1).max(MAX_NAME).describe("The Toolhost tool that it uses, such as grep."),
    with: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Values of that tool's fields. Callers cannot change them, and do not see the fields."),
    without: z.array(z.string()).optional().describe("Other fields of that tool that callers cannot give."),
  }),
);

export type UseEntry = z.output<ReturnType<typeof useEntry>>;
export type Entry = CommandEntry | UseEntry;

/** The whole file, for its JSON Schema. When it is read, each entry is checked on its own. */
export const toolsFile = once(() =>
  z.strictObject({
    $schema: z.string().optional().describe("The address of this format's JSON Schema."),
    tools: z
      .array(z.union([commandEntry(), useEntry()]))
      .optional()
      .describe("The tools."),
    openapi: z
      .array(openApiEntry())
      .optional()
      .describe("Services described by OpenAPI, whose operations become tools."),
  }),
);
