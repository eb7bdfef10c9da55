import type * as z from "zod";
import type { Document, DocumentKind, Parsed } from "../../features/documents/document.js";
import { setFields } from "../../features/documents/frontMatter.js";
import type { Sessions } from "../../ports/sessions.js";
import { checkSession } from "../automation/scheduleSession.js";

/** A document that a list found. */
export interface Listed<Fields> {
  name: string;
  /** In the workspace. */
  path: string;
  parsed: Parsed<Fields>;
}

/** What a write makes of its input. */
interface Written {
  /** Fields of the front matter; undefined takes one out. Those that are not named stay as they are. */
  fields: Record<string, unknown>;
  body: string;
}

/** What a write is made on. */
interface WriteOccasion<Fields> {
  name: string;
  /** What stands there now; undefined for a new document, and for one that is malformed. */
  before: Document<Fields> | undefined;
  /** ISO 8601. */
  now: string;
}

/** How a skill is handed to who uses it: see `skill_read`. */
interface Rendering<Fields> {
  /** Says what `arguments` is, for the model. */
  description: string;
  /** @throws ToolError `invalid_input` for arguments that are missing */
  render: (document: Document<Fields>, path: string, line: string) => string;
}

/** One kind of documents, with all that its five tools differ in. */
export interface DocumentType<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape> {
  kind: DocumentKind<Fields>;
  /** `tasks`, for people. */
  plural: string;
  /** What they are, a sentence or two for the model. */
  about: string;
  /** What a name is and what is made of it, for the model. */
  nameField: string;
  /** Other systems' spellings of fields of X_write. */
  writeAliases: Readonly<Record<string, string>>;
  /** Fields of X_list beside those that all have. */
  filters: Filters;
  matches: (fields: Fields, wanted: z.output<z.ZodObject<Filters>>) => boolean;
  /** Order of a list. Default: by name. */
  compare?: (a: Document<Fields>, b: Document<Fields>) => number;
  /** What a list tells of a document beside its name. */
  row: (fields: Fields) => Record<string, unknown>;
  /** The same as a line for a model. */
  line: (document: Document<Fields>, all: readonly Listed<Fields>[]) => string;
  /** Texts that a search looks into, beside name and body. */
  searched: (fields: Fields) => string[];
  /** Fields of X_write beside name and on_conflict. */
  input: Input;
  /** What X_write does, behind the first sentence. */
  writes: string;
  write: (input: z.output<z.ZodObject<Input>> & { name: string }, occasion: WriteOccasion<Fields>) => Written;
  /** Whether a change sets the field `updated`. */
  isStamped: boolean;
  /** Fields that a change takes out: they tell what came of the document as it was. */
  outdated?: readonly (keyof Fields & string)[];
  /** @throws ToolError when a document may not be changed at all, or deleted */
  guard: (document: Document<Fields>, doing: "edit" | "overwrite" | "delete") => void;
  /** The same for one that is malformed, by what its front matter says. */
  guardMalformed?: (name: string, fields: Readonly<Record<string, unknown>>) => void;
  /**
   * @throws ToolError `protected` when an edit changed what it may not. `before` is undefined for a malformed document
   */
  guardEdit: (before: Document<Fields> | undefined, after: Document<Fields>) => void;
  /** The session that a document names, which is checked where it is new. Those without it need no sessions. */
  sessionOf?: (fields: Fields) => string | undefined;
  /** @throws ToolError when a document does not fit with the others */
  checkAmong?: (document: Document<Fields>, others: readonly Listed<Fields>[]) => void;
  /** What there is to say when a document has been deleted. */
  afterDelete?: (name: string, others: readonly Listed<Fields>[]) => string[];
  rendering?: Rendering<Fields>;
}

/** The text of a changed document, with what every change of its kind brings. @param now ISO 8601 */
export function stamped<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  { isStamped, outdated = [] }: DocumentType<Fields, Filters, Input>,
  text: string,
  now: string,
): string {
  return isStamped
    ? setFields(text, { ...Object.fromEntries(outdated.map((field) => [field, undefined])), updated: now })
    : text;
}

/** What stands there is asked whether it may be changed. @throws ToolError as `guard` and `guardMalformed` do */
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
 * Checks the session that a changed document names, where it did not name the same before: that one may be forgotten by
 * now. @throws as `checkSession`
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
