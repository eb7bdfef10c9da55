import type { AliasRule, Aliases } from "../../core/aliases.js";
import { NOTE_SUFFIX } from "../../features/memory/key.js";

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

/** What other systems call a note's key. */
export const KEY_ALIASES: Aliases = { name: "key", path, file_path: path };
