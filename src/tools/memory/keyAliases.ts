import type { AliasRule, Aliases } from "../../core/aliases.js";
import { isKey, NOTE_SUFFIX } from "../../features/memory/key.js";
import { clipStart } from "../../text/clip.js";
import { FUNCTION_WORDS } from "../../text/search/functionWords.js";
import { slug } from "../../text/slug.js";

/** A path of a note, as memory_search and other systems' memory tools name it: `/memories/style.md` is the note `style`. */
const path: AliasRule = {
  says: "a path, whose file name is the key",
  read: (value) => {
    const name = typeof value === "string" ? value.split("/").at(-1) : undefined;
    return name === undefined || name === ""
      ? undefined
      : { fields: { key: name.endsWith(NOTE_SUFFIX) ? name.slice(0, -NOTE_SUFFIX.length) : name } };
  },
};

/** Characters of a text that are read for its first words. */
const MAX_READ = 1_000;
/** Maximum words of a key that is made from a text. */
const MAX_WORDS = 6;
/** Maximum characters of one. */
const MAX_MADE_KEY = 60;

/** A note without a key, as systems keep them that know no keys: it is named after its first words. */
export const keyFromText: AliasRule = {
  says: "without a key, its first words are the key",
  read: (value, given) => {
    if (
      typeof value !== "string" ||
      ["key", ...Object.keys(KEY_ALIASES)].some((field) => Object.hasOwn(given, field))
    ) {
      return undefined;
    }
    const words = (clipStart(value, MAX_READ).match(/[\p{L}\p{N}]+/gu) ?? []).filter(
      (word) => !FUNCTION_WORDS.has(word.toLowerCase()),
    );
    const key = slug(words.slice(0, MAX_WORDS).join(" "), "any", MAX_MADE_KEY);
    return isKey(key)
      ? { fields: { value, key }, note: "No key was given, so the note's first words are its key." }
      : undefined;
  },
};

/** What other systems call a note's key. */
export const KEY_ALIASES: Aliases = { name: "key", path, file_path: path };
