import { asInteger, asRecords, type AliasRule } from "../../core/aliases.js";
import { isRecord } from "../../core/jsonSchema.js";

/** Names of an edit's fields in Claude Code, Copilot, Gemini CLI, Cline, pi and Anthropic's text editor tool. */
export const EDIT_NAMES = {
  filePath: "path",
  file_path: "path",
  oldString: "old_text",
  old_string: "old_text",
  old_str: "old_text",
  oldText: "old_text",
  newString: "new_text",
  new_string: "new_text",
  new_str: "new_text",
  newText: "new_text",
  replaceAll: "replace_all",
} as const;

/** Gemini CLI: how many places are to be replaced. */
export const expectedReplacements: AliasRule = {
  says: "1 for the default, more for `replace_all` with `expected_count`",
  read: (value) => {
    const count = asInteger(value);
    return count === undefined || count < 1
      ? undefined
      : { fields: count === 1 ? {} : { replace_all: true, expected_count: count } };
  },
};

/** pi: a list of edits. `edit` makes one. */
export const onlyEdit: AliasRule = {
  says: "a list of one edit",
  refuses: (value) =>
    (asRecords(value)?.length ?? 0) > 1 ? "takes one edit. Call multi_edit with the same path and edits" : undefined,
  read: (value) => {
    const notes: string[] = [];
    const edits = asRecords(value, notes);
    const [edit] = edits ?? [];
    if (edits?.length !== 1 || !isRecord(edit)) {
      return undefined;
    }
    const names: Readonly<Record<string, string>> = EDIT_NAMES;
    return {
      fields: Object.fromEntries(
        Object.entries(edit).map(([key, part]) => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, part]),
      ),
      ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
    };
  },
};

/** A path for all edits of a list that have none of their own. */
export const pathOfAll: AliasRule = {
  says: "for the edits without a path",
  replaces: true,
  read: (path, { edits }) => {
    const list = asRecords(edits);
    return list?.every(isRecord) === true
      ? { fields: { edits: list.map((edit) => ("path" in edit ? edit : { path, ...edit })) } }
      : undefined;
  },
};
