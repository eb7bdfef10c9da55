/** Flags with a value that make a command do more than its entry says, by what they do. */
import type { Exception } from "./spec.js";

/** Flags that run what they name. */
export const runs = (flags: string, why = "names a program to run"): Exception => ({
  flags,
  takes: "value",
  does: "runs",
  why,
});

/** Flags that take the command elsewhere. */
export const elsewhere = (flags: string, why = "uses another folder or configuration"): Exception => ({
  flags,
  takes: "value",
  does: "reaches",
  why,
});

/** Flags that name a file or folder to write. */
export const writes = (flags: string): Exception => ({
  flags,
  takes: "value",
  does: "writes",
  why: "writes to the path it names",
});
