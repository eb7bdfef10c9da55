import type * as z from "zod";
import { excerpt } from "../../text/clip.js";
import { utf8Length } from "../../text/page.js";
import { slug } from "../../text/slug.js";
import { ToolError } from "../../core/errors.js";
import { fromZodIssues, tellIssues } from "../../core/pipeline/issues.js";
import { plainNameProblem } from "../../core/paths/plainName.js";
import { readFrontMatter } from "./frontMatter.js";

/** Maximum bytes of one document: it is read whole into a model's context. */
export const MAX_DOCUMENT_BYTES = 1_000_000;
/** Maximum documents of one kind: a list reads each of them. */
export const MAX_DOCUMENTS = 2_000;
/** Maximum characters of a name we create: what Agent Skills allow (agentskills.io/specification). */
export const MAX_NAME = 64;

/** A document that is valid for its kind. */
export interface Document<Fields> {
  /** Name of its file or folder: `fix-the-login`. */
  name: string;
  fields: Fields;
  /** The text below the front matter, without blank lines around it. */
  body: string;
}

/**
 * A text parsed as a document of some kind. A malformed one still has its front matter's fields if those can be read.
 */
export type Parsed<Fields> =
  | { ok: true; document: Document<Fields> }
  | { ok: false; problem: string; fields?: Readonly<Record<string, unknown>> };

/** The location of documents of a kind, and the rules for their names. */
export interface DocumentPlace {
  noun: "skill" | "prompt" | "task" | "schedule";
  /** In the workspace; in the first folder if there are several. */
  folder: string;
  /** The part of a document's path after its name: `.md`, `/SKILL.md`. */
  suffix: string;
  /** Letters allowed in names we create. */
  letters: "ascii" | "any";
  /** Names that have another meaning. */
  reserved: readonly string[];
  /** Whether any text, such as a title, can be turned into a name, rather than only something that looks like one. */
  namedByTitle: boolean;
}

/** A kind of documents: Markdown files with front matter, each with a name, in one folder. */
export interface DocumentKind<Fields> extends DocumentPlace {
  schema: () => z.ZodType<Fields>;
  /** The field that has to equal the document's name, if present. */
  nameField?: string;
  /** Checks fields and body together: returns the problem, or undefined. */
  problem?: (document: Document<Fields>) => string | undefined;
}

/** Reads a text as a document; reports all problems of its fields together. */
export function parseDocument<Fields>(kind: DocumentKind<Fields>, name: string, text: string): Parsed<Fields> {
  const read = readFrontMatter(text);
  if (!read.ok) {
    return read;
  }
  const told = kind.nameField === undefined ? undefined : read.fields[kind.nameField];
  if (told !== undefined && told !== name) {
    return {
      ok: false,
      fields: read.fields,
      problem: `${kind.nameField} is ${typeof told === "string" ? excerpt(told) : "not a string"} but must be ${JSON.stringify(name)}, the name of its ${kind.suffix.startsWith("/") ? "folder" : "file"}`,
    };
  }
  const result = kind.schema().safeParse(read.fields);
  if (!result.success) {
    return {
      ok: false,
      fields: read.fields,
      problem: tellIssues(fromZodIssues(result.error, read.fields, knownFields(kind.schema()))),
    };
  }
  const document = { name, fields: result.data, body: read.body };
  const problem = kind.problem?.(document);
  return problem === undefined ? { ok: true, document } : { ok: false, fields: read.fields, problem };
}

/** Returns the path of a document's file in the workspace. */
export function documentPath({ folder, suffix }: Pick<DocumentPlace, "folder" | "suffix">, name: string): string {
  return `${folder}/${name}${suffix}`;
}

/**
 * Makes the name of a new document from what the caller gave.
 *
 * @throws ToolError `invalid_input` for a path, a reserved name, or a text that leaves no name
 */
export function newName(kind: DocumentPlace, raw: string): string {
  const refuse = (why: string, hint?: string): never => {
    throw new ToolError(
      "invalid_input",
      `${kind.noun} ${excerpt(raw)}: ${why}. Nothing was written.`,
      hint ?? `Give a name such as ${kind.namedByTitle ? '"Fix the login"' : '"release-notes"'}.`,
    );
  };
  if (!kind.namedByTitle && /[/\\\p{Cc}\p{Surrogate}]/u.test(raw)) {
    refuse("the name contains a /, a \\ or an invisible character");
  }
  const name = slug(raw, kind.letters, MAX_NAME);
  if (name === "") {
    refuse(
      `nothing in it is allowed in a name, only ${kind.letters === "ascii" ? "letters a to z and digits" : "letters and digits"} are`,
    );
  }
  if (kind.reserved.includes(name)) {
    refuse(`${name} is reserved: it is a chat command`, "Choose another name.");
  }
  const problem = plainNameProblem(name);
  if (problem !== undefined) {
    refuse(`the name ${problem}`, "Choose another name.");
  }
  return name;
}

/**
 * Checks a name given for an existing document: also accepts one that we would not have created.
 *
 * @throws ToolError `invalid_input` for a text that cannot be a file's name
 */
export function givenName(kind: DocumentPlace, raw: string): string {
  const problem = plainNameProblem(raw);
  if (problem !== undefined) {
    throw new ToolError(
      "invalid_input",
      `${kind.noun} ${excerpt(raw)}: the name ${problem}.`,
      `${documentCall("list", kind)} lists the names.`,
    );
  }
  return raw;
}

/** What the tool `document` does with documents. */
export const DOCUMENT_ACTIONS = ["list", "read", "write", "edit", "delete"] as const;

/** Returns how to call the tool `document`, for a message: `document {"action": "list", "kind": "task"}`. */
export function documentCall(
  action: (typeof DOCUMENT_ACTIONS)[number],
  { noun }: Pick<DocumentPlace, "noun">,
  more = "",
): string {
  return `document {"action": "${action}", "kind": "${noun}"${more === "" ? "" : `, ${more}`}}`;
}

/** @throws ToolError `too_large` */
export function checkDocumentSize(what: string, text: string): void {
  const bytes = text.length > MAX_DOCUMENT_BYTES ? text.length : utf8Length(text);
  if (bytes > MAX_DOCUMENT_BYTES) {
    throw new ToolError(
      "too_large",
      `${what} would have more than ${MAX_DOCUMENT_BYTES} bytes. Nothing was written.`,
      "Move long parts to separate files and refer to them.",
    );
  }
}

function knownFields(schema: z.ZodType): string[] {
  const { shape } = schema as { shape?: Record<string, unknown> };
  return Object.keys(shape ?? {});
}
