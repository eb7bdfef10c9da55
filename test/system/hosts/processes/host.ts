// A process that runs a command for each line of its input, as an extension host does, and ends with its input.
import { createInterface } from "node:readline";
import { NodeSpawner } from "../../../../src/hosts/node/processes/spawner.js";

const spawner = new NodeSpawner();
const ignored = (): void => undefined;

createInterface(process.stdin)
  .on("line", (command) => {
    void spawner.start(
      { command, folder: "/", shownFolder: "/", env: {}, interactive: false },
      { output: ignored, exit: ignored, close: ignored },
    );
  })
  .on("close", () => process.exit());
