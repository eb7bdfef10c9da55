import type { Changes } from "./changes.js";
import type { Files } from "./files.js";
import type { Reads } from "./reads.js";
import type { Search } from "./search.js";

/** Everything a tool can be handed, by the name it uses in `needs`. A host gives what it has. */
export interface Capabilities {
  files: Files;
  search: Search;
  changes: Changes;
  reads: Reads;
}

export type CapabilityName = keyof Capabilities;
