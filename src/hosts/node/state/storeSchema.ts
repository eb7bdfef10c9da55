import { CUSTOM_SCHEMA } from "../../../features/custom/schema.js";
import { DOCUMENTS_SCHEMA, SCHEDULES_SCHEMA } from "../../../features/documents/schema.js";
import {
  ENTRIES_SCHEMA,
  JOURNAL_SCHEMA,
  LARGE_SCHEMA,
  LEDGER_SCHEMA,
  MODE_SCHEMA,
  NOTES_SCHEMA,
  OTHERS_SCHEMA,
  STAGED_SCHEMA,
} from "../../../features/changes/journal/schema.js";
import { SESSIONS_SCHEMA } from "../../../features/sessions/schema.js";

/**
 * All changes to the state's tables, in order: the file's `user_version` is how many of them it has. An entry that has
 * been released is never edited; a new table or column is a new entry.
 */
export const MIGRATIONS: readonly string[] = [
  JOURNAL_SCHEMA + LEDGER_SCHEMA,
  SESSIONS_SCHEMA,
  DOCUMENTS_SCHEMA,
  SCHEDULES_SCHEMA,
  STAGED_SCHEMA,
  CUSTOM_SCHEMA,
  MODE_SCHEMA,
  NOTES_SCHEMA,
  ENTRIES_SCHEMA,
  LARGE_SCHEMA,
  OTHERS_SCHEMA,
];
