import type * as z from "zod";
import type { Aliases } from "../../core/aliases.js";
import type { Document, DocumentKind, Parsed } from "../../features/documents/document.js";
import { setFields } from "../../features/documents/frontMatter.js";
import type { Sessions } from "../../ports/sessions.js";
import { checkSession } from "../automation/scheduleSession.js";

/** A document that a list found. */
export interface Listed<Fields> {
  name: string;
  /** Path in the workspace. */
  path: string;
  parsed: Parsed<Fields>;
}

/** The front matter and body that a write's input results in. */
interface Written {
  /** Front matter fields to set; undefined removes one. Fields not named are kept. */
  fields: Record<string, unknown>;
  body: string;
}

/** The circumstances of a write. */
interface WriteOccasion<Fields> {
  name: string;
  /** The existing document; undefined if there is none or it is malformed. */
  before: Document<Fields> | undefined;
  /** ISO 8601. */
  now: string;
}

/** How a document is rendered for use: see `readTool`. */
interface Rendering<Fields> {
  /** Describes `arguments` for the model. */
  description: string;
  /** @throws ToolError `invalid_input` for missing arguments */
  render: (document: Document<Fields>, path: string, line: string) => string;
}

/** A kind of document, with everything that distinguishes its five parts of `document` from those of other kinds. */
export interface DocumentType<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape> {
  kind: DocumentKind<Fields>;
  /** `tasks`, for people. */
  plural: string;
  /** A sentence or two for the model about the purpose of these documents. */
  about: string;
  /** Describes, for the model, the name and how it is derived if absent. */
  nameField: string;
  /** Other systems' names for fields of X_write. */
  writeAliases: Aliases;
  /** The field of X_write with the text. */
  text: keyof Input & string;
  /** Fields of X_list besides the common ones. */
  filters: () => Filters;
  matches: (fields: Fields, wanted: z.output<z.ZodObject<Filters>>) => boolean;
  /** Order of a list. Default: by name. */
  compare?: (a: Document<Fields>, b: Document<Fields>) => number;
  /** A document's row in a list, as data without its name. */
  row: (fields: Fields) => Record<string, unknown>;
  /** The same row as a line of text for a model. */
  line: (document: Document<Fields>, all: readonly Listed<Fields>[]) => string;
  /** Texts to search, besides name and body. */
  searched: (fields: Fields) => string[];
  /** Fields of X_write besides name and on_conflict. */
  input: () => Input;
  /** Continues X_write's description after the first sentence. */
  writes: string;
  write: (input: z.output<z.ZodObject<Input>> & { name: string }, occasion: WriteOccasion<Fields>) => Written;
  /** Whether a change sets the field `updated`. */
  isStamped: boolean;
  /** Fields that a change removes, because they describe the outcome of the previous version. */
  outdated?: readonly (keyof Fields & string)[];
  /** @throws ToolError if a document must not be changed or deleted at all */
  guard: (document: Document<Fields>, doing: "edit" | "overwrite" | "delete") => void;
  /** Like `guard`, for a malformed document, based on its front matter. */
  guardMalformed?: (name: string, fields: Readonly<Record<string, unknown>>) => void;
  /**
   * @throws ToolError `protected` if an edit changed something it must not. `before` is undefined for a malformed
   * document
   */
  guardEdit: (before: Document<Fields> | undefined, after: Document<Fields>) => void;
  /** Returns the session that a document names; a new one is checked. Kinds without this do not need `sessions`. */
  sessionOf?: (fields: Fields) => string | undefined;
  /** @throws ToolError if a document conflicts with the others */
  checkAmong?: (document: Document<Fields>, others: readonly Listed<Fields>[]) => void;
  /** Returns remarks to show after a document was deleted. */
  afterDelete?: (name: string, others: readonly Listed<Fields>[]) => string[];
  rendering?: Rendering<Fields>;
}

/**
 * Returns a changed document's text after updating the fields that every change of its kind sets or removes.
 *
 * @param now ISO 8601
 */
export function stamped<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  { isStamped, outdated = [] }: DocumentType<Fields, Filters, Input>,
  text: string,
  now: string,
): string {
  return isStamped
    ? setFields(text, { ...Object.fromEntries(outdated.map((field) => [field, undefined])), updated: now })
    : text;
}

/**
 * Checks that an existing document may be changed.
 *
 * @throws ToolError those of `guard` and `guardMalformed`
 */
export function guardParsed<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
  name: string,
  parsed: Parsed<Fields>,
  doing: "edit" | "overwrite" | "delete",
): void {
  if (parsed.ok) {
    type.guard(parsed.document, doing);
  } else if (parsed.fields !== undefined) {
    type.guardMalformed?.(name, parsed.fields);
  }
}

/**
 * Checks the session that a changed document names, unless it named the same one before: that session may be gone by
 * now.
 *
 * @throws ToolError those of `checkSession`
 */
export async function checkNewSession<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  what: string,
  { sessionOf }: DocumentType<Fields, Filters, Input>,
  before: Fields | undefined,
  after: Fields,
  done: string,
  sessions: Sessions,
): Promise<void> {
  const session = sessionOf?.(after);
  if (session !== undefined && (before === undefined || sessionOf?.(before) !== session)) {
    await checkSession(what, session, done, sessions);
  }
}
