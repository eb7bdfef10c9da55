import type { Files } from "./files.js";
import type { Search } from "./search.js";

/** Everything a tool can be handed, by the name it uses in `needs`. A host gives what it has. */
export interface Capabilities {
  files: Files;
  search: Search;
}

export type CapabilityName = keyof Capabilities;
