// A process of its own that has a turn of a session: `process.cjs <append|begin> <folder> <session>`.
import { WorkspaceStates } from "../../../../src/hosts/node/state/workspaceState.js";

const [command = "", folder = "", session = ""] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const states = new WorkspaceStates({
    ...{ folders: () => [folder], look: () => Promise.resolve(undefined), foldCase: false, place: "a test's process" },
    ...{ onNotice: say, onRecovered: () => undefined },
  });
  const { sessions } = await states.current();
  const turn = `turn of ${process.pid}`;
  if (command === "begin") {
    say("ready");
    await new Promise((resolve) => process.stdin.once("data", resolve));
  }
  try {
    await sessions.beginTurn({ session, turn, kind: "chat", title: "A test", model: "test/model" });
    say("won");
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
  if (command === "append") {
    for (let number = 0; ; number += 1) {
      const content =
        number % 2 === 0
          ? [{ type: "call" as const, id: String(number), name: "read", input: {} }]
          : [{ type: "result" as const, id: String(number - 1), text: String(number) }];
      await sessions.append(session, turn, { role: number % 2 === 0 ? "assistant" : "user", content });
      say(String(number));
      // Lets the line go out.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  // The turn goes on until the parent lets go or kills.
  await new Promise((resolve) => process.stdin.once("end", resolve).resume());
}

void main();
