import type { FromWorker, ToWorker } from "./messages.js";
import { runModule } from "./runModule.js";

// The program of a thread that searches texts. Types of a worker's own scope are not among those of this project.
const scope = globalThis as unknown as {
  onmessage: (event: { data: ToWorker }) => void;
  postMessage: (message: FromWorker) => void;
};

let program: WebAssembly.Module | undefined;

scope.onmessage = ({ data }) => {
  if ("module" in data) {
    program = data.module;
    return;
  }
  try {
    if (program === undefined) {
      throw new Error("there is no program yet");
    }
    scope.postMessage(runModule(program, data.args, data.input, (output) => scope.postMessage({ output })));
  } catch (error) {
    // As ripgrep ends when something other than a search fails.
    scope.postMessage({ exitCode: 2, errors: `rg: ${String(error)}` });
  }
};
