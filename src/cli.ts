import { enableCompileCache } from "node:module";
import { codeFolder } from "./hosts/node/state/stateFolder.js";

// The process is ours alone, so V8's compiled code is kept for everything that it loads. If nothing can be written, the
// command only starts more slowly.
const folder = codeFolder();
if (folder !== undefined) {
  enableCompileCache(folder);
}

/** Runs the command line: a file of its own, since V8 keeps no code for the first file of a process. */
void import("./cliMain.js");
