// The tools for sessions inside VS Code, on what another process of the workspace wrote, and the command line beside
// them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import * as vscode from "vscode";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState";
import { workspaceFolder } from "../../harness/host";
import { toolText } from "../tool";

const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");

describe("sessions in VS Code", () => {
  it("lists, tells and reaches those of this workspace, as the command line does", async () => {
    const states = new WorkspaceStates({
      folders: () => [workspaceFolder()],
      look: () => Promise.resolve(undefined),
      foldCase: false,
      onNotice: () => undefined,
      onRecovered: () => undefined,
    });
    const { sessions } = await states.current();
    const id = crypto.randomUUID();
    try {
      await sessions.beginTurn({ session: id, turn: "t1", kind: "chat", title: "Fix the test", model: "test/model" });
      await sessions.append(id, "t1", { role: "user", content: [{ type: "text", text: "Fix the test" }] });
      assert.match(
        await toolText("sessions_list", {}),
        new RegExp(`^\\d+ of \\d+ sessions.*\n${id}  (?:active|interrupted)  chat  "Fix the test"  \\(1 message`),
      );
      assert.match(
        await toolText("sessions_send", { session_id: id.slice(0, 8), message: "Look at the log" }),
        new RegExp(`^Left for session ${id} `),
      );
      assert.match((await sessions.takeLeft(id)).map(({ content }) => content).join(), /^Look at the log$/);
      await sessions.endTurn(id, "t1");
      const history = await toolText("sessions_history", { session_id: id.slice(0, 8) });
      assert.match(history, /1 of 1 message, oldest first\.\n\n#\d+ \S+ user:\nFix the test$/);
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--no-warnings", cli, "--workspace", workspaceFolder(), "sessions", "history", id],
        { encoding: "utf8" },
      );
      assert.equal(stderr, "");
      assert.equal(stdout, `${history}\n`);
      assert.match(await toolText("sessions_status", { session_id: id }), /\nState: idle/);
    } finally {
      states.close();
    }
  });

  it("says what is not there", async () => {
    assert.match(
      await toolText("sessions_history", { session_id: "nonsense" }),
      /^Error \(unknown_id\): "nonsense": there is no such session in this workspace\./,
    );
    assert.match(await toolText("sessions_status", {}), /^Error \(unknown_id\): .*sessions_list lists them\.$/s);
    assert.equal(await toolText("subagents", {}), "No subagents are running.");
    assert.match(await toolText("agents_list", {}), /^name=\S+\tmodel=.*\tstatus=(?:idle|active)$/);
    assert.match(await toolText("sessions_spawn", { prompt: " " }), /^Error \(invalid_input\): .*blank/);
  });
});
