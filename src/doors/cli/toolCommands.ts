import { Option, type Command } from "commander";
import type { Tool } from "../../core/contract.js";
import { coerce } from "../../core/pipeline/coerce.js";
import type { JsonSchemaProperty } from "../../core/jsonSchema.js";
import { withParts } from "../../core/toolParts.js";
import { firstSentence } from "../../text/sentence.js";
import { collect } from "./collect.js";
import { commandWords } from "./commandWords.js";
import { stdinHelp } from "./stdinTexts.js";
import { SwitchCommand, SwitchOption } from "./switches.js";
import { UsageError } from "./usageError.js";

/** Names of the command line's own flags; a field with such a name has no flag. */
const OWN_FLAGS = new Set(["json", "help"]);
/** Possible names of a flag: none that commander reads as several flags, a short flag, or the negation of another. */
const FLAG_NAME = /^(?!no[-_])[a-z0-9][\w.-]*$/i;

/** Runs a tool with the fields that its command was given. */
type RunTool = (tool: Tool, input: Record<string, unknown>, json: boolean) => Promise<void>;

/** Adds a command for each tool, and for each part of one. Those whose name another command has are named in the help. */
export function addToolCommands(program: Command, tools: readonly Tool[], run: RunTool): void {
  const unnamed: string[] = [];
  // Added last: a second spelling must not take the name of another tool's own command.
  const wholeNames: Tool[] = [];
  // Parts have commands of their own, since people call them by their kind: `toolhost task list`.
  for (const tool of withParts<Tool>(tools)) {
    const place = parentOf(program, tool);
    // Third-party tools can have any name; commander itself uses help.
    if (place.verb === "help" || place.parent.commands.some((command) => command.name() === place.verb)) {
      unnamed.push(tool.name);
      continue;
    }
    addToolCommand(place, tool, run);
    if (commandWords(tool).whole !== undefined) {
      wholeNames.push(tool);
    }
  }
  for (const tool of wholeNames) {
    if (!program.commands.some((command) => command.name() === tool.name)) {
      addToolCommand({ parent: program, verb: tool.name, hidden: true }, tool, run);
    }
  }
  if (unnamed.length > 0) {
    program.addHelpText(
      "after",
      `\nTools with the name of a command above: ${unnamed.join(", ")}. Run one with: toolhost run <tool> --input '<json>'`,
    );
  }
}

/** Finds the parent of a tool's command; creates the group of commands if needed. */
function parentOf(program: Command, tool: Tool): { parent: Command; verb: string } {
  const { parent, verb } = commandWords(tool);
  if (parent === undefined) {
    return { parent: program, verb };
  }
  const known = program.commands.find((command) => command.name() === parent);
  return { parent: known ?? program.command(parent).description(`the ${parent} tools`), verb };
}

/** Adds a tool's command. Its flags and help need the input's schema, which is made only for the command that is called. */
function addToolCommand(
  { parent, verb, hidden = false }: { parent: Command; verb: string; hidden?: boolean },
  tool: Tool,
  run: RunTool,
): void {
  const command = parent
    .command(verb, { hidden })
    .summary(firstSentence(tool.description))
    .description(tool.description)
    .option("--json", "print {ok, text, data, error} as one line of JSON");
  for (const field of tool.positional) {
    // Optional for commander: the tool's own validation reports a missing one, as at every door.
    command.argument(`[${field}]`);
  }
  let isPrepared = false;
  const prepare = (): void => {
    if (!isPrepared) {
      isPrepared = true;
      prepareToolCommand(command, tool, run);
    }
  };
  parent.hook("preSubcommand", (_, called) => (called === command ? prepare() : undefined));
  // `toolhost help read` shows the help without calling the command.
  command.on("beforeHelp", prepare);
}

/** Adds the flags, the help and the action of a tool's command. */
function prepareToolCommand(command: Command, tool: Tool, run: RunTool): void {
  const { properties, required } = tool.inputSchema;
  if (command instanceof SwitchCommand) {
    command.neededArguments = tool.positional.flatMap((field) =>
      required?.includes(field) === true ? [{ name: field, flag: toFlag(field) }] : [],
    );
  }
  for (const argument of command.registeredArguments) {
    const field = argument.name();
    argument.description = `${properties[field]?.description ?? ""}${required?.includes(field) ? " (required)" : ""}`;
  }
  const flags = new Map<string, string>();
  const flagless: string[] = [];
  for (const [field, property] of Object.entries(properties)) {
    const option = FLAG_NAME.test(field) && !OWN_FLAGS.has(field) ? makeOption(field, property) : undefined;
    if (option === undefined || flags.has(option.attributeName())) {
      flagless.push(field);
      continue;
    }
    flags.set(option.attributeName(), field);
    command.addOption(option);
    if (option instanceof SwitchOption) {
      command.addOption(option.negation);
    }
  }
  const fromStdin = stdinHelp(tool);
  if (fromStdin !== "") {
    command.addHelpText("after", fromStdin);
  }
  if (flagless.length > 0) {
    command.addHelpText(
      "after",
      `\nFields without a flag: ${flagless.join(", ")}. Give the whole input with: toolhost run ${tool.name} --input '<json>'`,
    );
  }
  command.action(async (...given: unknown[]) => {
    const options = command.opts<Record<string, unknown>>();
    const input: Record<string, unknown> = {};
    for (const [index, field] of tool.positional.entries()) {
      const word = given[index];
      if (typeof word === "string") {
        input[field] = coerce(word, properties[field] ?? {});
      }
    }
    for (const [attribute, value] of Object.entries(options)) {
      const field = flags.get(attribute);
      if (field === undefined) {
        continue;
      }
      if (Object.hasOwn(input, field)) {
        throw new UsageError(`${field} is given twice, as an argument and as ${toFlag(field)}.`);
      }
      const property = properties[field] ?? {};
      input[field] =
        typeof value === "string"
          ? coerce(value, property)
          : Array.isArray(value)
            ? value.map((word) => coerce(String(word), property.items ?? {}))
            : value;
    }
    await run(tool, input, options["json"] === true);
  });
}

function makeOption(field: string, property: JsonSchemaProperty): Option {
  const flag = toFlag(field);
  const description = property.description ?? "";
  if (property.type === "boolean") {
    return new SwitchOption(flag, description);
  }
  const option = new Option(
    `${flag} <${property.type === "integer" || property.type === "number" ? "n" : "value"}>`,
    description,
  );
  if (property.type === "array" && property.items?.type !== "object") {
    return option.argParser(collect);
  }
  if (property.enum) {
    return new Option(`${flag} <${property.enum.map(String).join("|")}>`, description);
  }
  return option;
}

function toFlag(field: string): string {
  return `--${field.replaceAll("_", "-")}`;
}
