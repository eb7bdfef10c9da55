// The form by which a person adds a tool of their own: its questions, and the entry that the answers make.
import { coerce } from "../../../core/pipeline/coerce.js";
import type { Tool } from "../../../core/contract.js";
import type { JsonSchemaProperty } from "../../../core/jsonSchema.js";
import { firstSentence } from "../../../text/sentence.js";
import { splitArguments } from "../../../text/skillArguments.js";
import type { Survey } from "../../openapi/survey.js";
import {
  commandEntryOf,
  commandQuestions,
  linesOf,
  lineQuestion,
  type FieldCheck,
  type WrittenEntry,
} from "./commandForm.js";
import type { Answers, Choice, Question } from "./question.js";

/** A list of a file of tools. */
export type EntryList = "tools" | "openapi";

/** An entry, and the list that it belongs to. */
export interface NewEntry {
  list: EntryList;
  entry: WrittenEntry;
}

export interface FormHost {
  /** Where the entry can go; the first is suggested. */
  places: readonly (Choice & { lists: readonly EntryList[] })[];
  /** The tools of Toolhost that an entry can use. */
  ours: readonly Tool[];
  /** Returns what is wrong with the name of a new tool, as a sentence. */
  nameProblem: (name: string) => string | undefined;
  /** Returns what is wrong with an entry, each as the reader of files says it: the field, a colon, and what. */
  problemsOf: (made: NewEntry) => readonly string[];
  /** Reads a description. @throws ToolError if it cannot be read */
  survey: (spec: string, signal: AbortSignal) => Promise<Survey>;
  /** Returns why no tool could be made of an entry, as a sentence. */
  unusable: (made: NewEntry) => Promise<string | undefined>;
  /** Returns the entry as a person reads it before they keep it. */
  preview: (made: NewEntry) => Promise<string>;
}

/** Fields by which the reader distinguishes a stand-in from a complete entry. */
const STAND_IN = { name: "stand_in", description: "d", command: "c" };

const NEXT = {
  run: { value: "try", label: "Try It First", description: "runs it once, with values that you give" },
  keep: { value: "keep", label: "Add It" },
};

export class AddForm {
  /** The answers so far; each question adds one. */
  readonly answers: Answers;
  readonly #host: FormHost;
  readonly #surveys = new Map<string, Survey>();

  constructor(host: FormHost, answers: Answers) {
    this.#host = host;
    this.answers = answers;
  }

  /** Where the entry goes. */
  get place(): string {
    return this.answers["place"] ?? this.#host.places[0]?.value ?? "";
  }

  /** The questions that there are with the answers so far. */
  questions(): Question[] {
    const { places } = this.#host;
    const lists = places.find(({ value }) => value === this.place)?.lists ?? [];
    const kinds: Choice[] = [
      { value: "command", label: "A Command", description: "a program or script, with arguments that models fill in" },
      { value: "use", label: "A Tool of Toolhost", description: "under another name, with some fields preset" },
      ...(lists.includes("openapi")
        ? [{ value: "openapi", label: "A Service", description: "operations of an OpenAPI description" }]
        : []),
    ];
    return [
      ...(places.length > 1
        ? [
            {
              ...{ key: "place", kind: "choice" as const, prompt: "Where should the tool be?", choices: places },
              ...{ suggested: places[0]?.value ?? "", flag: "--user" },
            },
          ]
        : []),
      {
        ...{ key: "kind", kind: "choice", prompt: "What kind of tool is it?", choices: kinds },
        flag: "--command <line>, --use <tool> or --openapi <description>",
      },
      ...this.#kindQuestions(),
      ...this.#lastQuestions(),
    ];
  }

  /** The entry of the answers. */
  made(): NewEntry {
    switch (this.answers["kind"]) {
      case "use":
        return { list: "tools", entry: this.#useEntry() };
      case "openapi":
        return { list: "openapi", entry: this.#apiEntry() };
      default:
        return { list: "tools", entry: commandEntryOf(this.answers) };
    }
  }

  /** The input of the trial. */
  sample(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.#sampled()).flatMap(([name, property]) => {
        const typed = this.answers[`sample:${name}`] ?? "";
        const isList = property.type === "array" && !typed.trim().startsWith("[");
        return typed === "" ? [] : [[name, isList ? splitArguments(typed) : coerce(typed, property)]];
      }),
    );
  }

  #kindQuestions(): Question[] {
    const { answers } = this;
    switch (answers["kind"]) {
      case undefined:
        return [];
      case "use":
        return [this.#useQuestion(), this.#nameQuestion(), this.#descriptionQuestion(true), ...this.#presetQuestions()];
      case "openapi":
        return [this.#specQuestion(), ...this.#apiQuestions()];
      default:
        return [
          this.#nameQuestion(),
          this.#descriptionQuestion(false),
          lineQuestion(this.#check),
          ...commandQuestions(answers, this.#check),
        ];
    }
  }

  /** Whether to try it, and with what. */
  #lastQuestions(): Question[] {
    const { answers } = this;
    if (answers["kind"] === undefined) {
      return [];
    }
    const isService = answers["kind"] === "openapi";
    const choices = isService ? [NEXT.keep] : [NEXT.run, { ...NEXT.keep, description: "without a trial" }];
    return [
      {
        key: "next",
        kind: "choice",
        prompt: "Is this right?",
        choices,
        suggested: choices[0]?.value ?? "",
        shown: () => this.#host.preview(this.made()),
        isPassing: true,
        check: () => this.#host.problemsOf(this.made())[0],
        settle: () => this.#host.unusable(this.made()),
        flag: "--no-trial",
      },
      ...(answers["next"] === "try" ? this.#sampleQuestions() : []),
    ];
  }

  #sampleQuestions(): Question[] {
    const required = this.#requiredFields();
    return Object.entries(this.#sampled()).map(([name, { description = "", enum: values, type }]) => ({
      key: `sample:${name}`,
      kind: "text",
      prompt: `For the trial: ${name}. ${description}${required.includes(name) ? "" : " Empty: none."}`,
      ...(values !== undefined && { example: values.map(String).join(", ") }),
      ...(type === "boolean" && { example: "true or false" }),
      suggested: "",
      isPassing: true,
      check: (text) => (text === "" && required.includes(name) ? `Every call must give ${name}.` : undefined),
      flag: "--input <json>",
    }));
  }

  /** The fields that a trial asks for: all of a command, and those of one of ours that must be given. */
  #sampled(): Record<string, JsonSchemaProperty> {
    const { list, entry } = this.made();
    if (list === "openapi") {
      return {};
    }
    if (this.answers["kind"] !== "use") {
      const { properties = {} } = (entry["parameters"] ?? {}) as { properties?: Record<string, JsonSchemaProperty> };
      const isFree = JSON.stringify(entry["args"] ?? "").includes('"{args}"');
      return isFree ? { ...properties, args: { type: "string", description: "The arguments." } } : properties;
    }
    const properties = this.#base()?.inputSchema.properties ?? {};
    return Object.fromEntries(this.#requiredFields().map((name) => [name, properties[name] ?? {}]));
  }

  #requiredFields(): string[] {
    if (this.answers["kind"] === "use") {
      const fixed = linesOf(this.answers["fields"]);
      return (this.#base()?.inputSchema.required ?? []).filter((name) => !fixed.includes(name));
    }
    return ((this.made().entry["parameters"] ?? {}) as { required?: string[] }).required ?? [];
  }

  #nameQuestion(): Question {
    return {
      key: "name",
      kind: "text",
      prompt: "The tool's name: lower case words with _ between them.",
      example: "count_lines",
      check: (name) => this.#host.nameProblem(name),
      flag: "--name <name>",
    };
  }

  #descriptionQuestion(mayBeEmpty: boolean): Question {
    return {
      key: "description",
      kind: "text",
      prompt: `What it does and gives back, and when to use it: models choose a tool by this text.${mayBeEmpty ? " Empty: the tool's own." : ""}`,
      example: "Count the lines of a file. Use it before you read a file that may be long.",
      ...(mayBeEmpty && { suggested: "" }),
      check: (text) => (mayBeEmpty && text.trim() === "" ? undefined : this.#check("description", text.trim())),
      flag: "--description <text>",
    };
  }

  #useQuestion(): Question {
    return {
      key: "use",
      kind: "choice",
      prompt: "Which tool?",
      choices: this.#host.ours
        .filter(({ terminal }) => !terminal)
        .map(({ name, description }) => ({ value: name, label: name, description: firstSentence(description) })),
      flag: "--use <tool>",
    };
  }

  #presetQuestions(): Question[] {
    const properties = this.#base()?.inputSchema.properties ?? {};
    return [
      {
        key: "fields",
        kind: "several",
        prompt: "Which fields do you set yourself? Callers then cannot give them. Their values are asked for next.",
        choices: Object.entries(properties).map(([name, { description = "" }]) => ({
          ...{ value: name, label: name, description: firstSentence(description) },
        })),
        suggested: "",
        flag: "--with <field>=<value>, --without <field>",
      },
      ...linesOf(this.answers["fields"]).map((field): Question => {
        const isNeeded = this.#base()?.inputSchema.required?.includes(field) === true;
        return {
          key: `value:${field}`,
          kind: "text",
          prompt: `The value of ${field} in every call.${isNeeded ? "" : " Empty: none."}`,
          suggested: "",
          check: (text) =>
            text === "" && isNeeded
              ? `${this.answers["use"] ?? ""} needs ${field}.`
              : this.#host
                  .problemsOf({
                    list: "tools",
                    entry: { ...STAND_IN_USE, use: this.answers["use"], ...this.#presets({ [field]: text }) },
                  })
                  .at(0),
          flag: `--with ${field}=<value>`,
        };
      }),
    ];
  }

  #useEntry(): WrittenEntry {
    const description = this.answers["description"]?.trim() ?? "";
    const values = Object.fromEntries(
      linesOf(this.answers["fields"]).map((field) => [field, this.answers[`value:${field}`] ?? ""]),
    );
    return {
      name: this.answers["name"] ?? "",
      ...(description === "" ? {} : { description }),
      use: this.answers["use"] ?? "",
      ...this.#presets(values),
    };
  }

  /** Fields with a value are preset, those without are left out. */
  #presets(values: Readonly<Record<string, string>>): WrittenEntry {
    const properties = this.#base()?.inputSchema.properties ?? {};
    const preset = Object.entries(values).filter(([, value]) => value !== "");
    const without = Object.keys(values).filter((field) => values[field] === "");
    return {
      ...(preset.length > 0 && {
        with: Object.fromEntries(preset.map(([field, value]) => [field, coerce(value, properties[field] ?? {})])),
      }),
      ...(without.length > 0 && { without }),
    };
  }

  #base(): Tool | undefined {
    return this.#host.ours.find(({ name }) => name === this.answers["use"]);
  }

  #specQuestion(): Question {
    return {
      key: "spec",
      kind: "text",
      prompt: "The OpenAPI description: a file, relative to the workspace folder, or an https address.",
      example: "./openapi.json",
      check: (text) =>
        text.trim() === ""
          ? "Name a file or an https address."
          : /^http:/i.test(text.trim())
            ? "Only https addresses are fetched. Save the description to a file of the workspace, and name that."
            : undefined,
      settle: async (text, signal) => {
        const spec = text.trim();
        try {
          this.#surveys.set(spec, await this.#host.survey(spec, signal));
          return undefined;
        } catch (error) {
          signal.throwIfAborted();
          return error instanceof Error ? error.message : String(error);
        }
      },
      flag: "--openapi <file or address>",
    };
  }

  #apiQuestions(): Question[] {
    const survey = this.#surveys.get(this.answers["spec"]?.trim() ?? "");
    if (survey === undefined) {
      return [];
    }
    const { tags, operations, server, auth } = survey;
    const usual = auth[0];
    const type = this.answers["auth"];
    const tokenUrl = auth.find((each) => each.type === "oauth2")?.tokenUrl;
    return [
      {
        key: "operations",
        kind: "several",
        prompt: "Which operations? None chosen: all. Every tool that is listed costs tokens with every request.",
        choices: [
          ...tags.map(({ tag, operations: many }) => ({
            ...{ value: `tag:${tag}`, label: `tag:${tag}`, description: `${many} operation${many === 1 ? "" : "s"}` },
          })),
          ...operations.map(({ pattern, summary }) => ({ value: pattern, label: pattern, description: summary })),
        ],
        suggested: "",
        check: (text) =>
          text === ""
            ? undefined
            : (this.#check("operations", linesOf(text), "openapi") ?? survey.wrongChoice(linesOf(text))),
        flag: "--operation <id, glob, tag:… or method and path>",
      },
      {
        ...{ key: "server", kind: "text", prompt: "The server that calls go to.", flag: "--server <address>" },
        example: "https://api.example.com/v1",
        suggested: server ?? "",
        check: (text) =>
          text.trim() === "" || !/^https?:\/\/./i.test(text.trim())
            ? "Give the server's address, with http:// or https://."
            : undefined,
      },
      {
        key: "auth",
        kind: "choice",
        prompt: "How do calls authenticate?",
        choices: AUTH,
        suggested: usual?.type ?? "none",
        flag: "--auth <type>",
      },
      ...(type === undefined || type === "none" ? [] : [AUTH_SECRET]),
      ...(type === "basic" ? [need("username", "The user name.", "--auth-username <name>")] : []),
      ...(type === "apiKey" && !auth.some((each) => each.type === "apiKey")
        ? [need("header", "The header that holds the key.", "--auth-header <name>", "X-API-Key")]
        : []),
      ...(type === "oauth2"
        ? [
            need("tokenUrl", "The address that issues tokens.", "--auth-token-url <address>", tokenUrl),
            need("clientId", "The client's id.", "--auth-client-id <id>"),
          ]
        : []),
    ];
  }

  #apiEntry(): WrittenEntry {
    const { answers } = this;
    const survey = this.#surveys.get(answers["spec"]?.trim() ?? "");
    const operations = linesOf(answers["operations"]);
    const server = answers["server"]?.trim() ?? "";
    const { auth: type = "none", secret = "", username, header, tokenUrl, clientId } = answers;
    const auth = {
      ...{ type, secret },
      ...(type === "basic" && { username }),
      ...(type === "apiKey" && header !== undefined && { in: "header", name: header }),
      ...(type === "oauth2" && { tokenUrl, clientId }),
    };
    return {
      spec: answers["spec"]?.trim() ?? "",
      ...(operations.length > 0 && { operations }),
      ...(server !== "" && server !== survey?.server && { server }),
      ...(type !== "none" && { auth }),
    };
  }

  /** Checks a field in an entry that is otherwise good. */
  readonly #check = (field: string, value: unknown, list: EntryList = "tools"): ReturnType<FieldCheck> => {
    const entry = list === "tools" ? STAND_IN : { spec: "s" };
    const found = this.#host
      .problemsOf({ list, entry: { ...entry, [field]: value } })
      .filter((problem) => problem.startsWith(field) && !problem.includes("is not a parameter"));
    return found[0];
  };
}

const STAND_IN_USE = { name: "stand_in" };

const AUTH: readonly Choice[] = [
  { value: "none", label: "Not at all" },
  { value: "bearer", label: "A bearer token", description: "Authorization: Bearer …" },
  { value: "apiKey", label: "An API key", description: "in a header, a query parameter or a cookie" },
  { value: "basic", label: "User name and password", description: "basic authentication" },
  { value: "oauth2", label: "OAuth 2", description: "client credentials" },
];

const AUTH_SECRET: Question = {
  key: "secret",
  kind: "text",
  prompt: "The name of the secret, not its value: you set that later.",
  example: "PETS_TOKEN",
  check: (text) =>
    /^[A-Za-z_]\w{0,63}$/.test(text) ? undefined : "A name consists of letters, digits and _, at most 64.",
  flag: "--auth-secret <name>",
};

function need(key: string, prompt: string, flag: string, suggested?: string): Question {
  return {
    ...{ key, kind: "text", prompt, flag },
    ...(suggested === undefined ? {} : { suggested }),
    check: (text) => (text.trim() === "" ? prompt.replace(/^The (.*)\.$/, "Give the $1.") : undefined),
  };
}
