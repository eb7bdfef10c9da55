// Commands as a user sees them: in a terminal, in the status bar, with the keyboard.
import { writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import type { FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";
import { allowOnce, resultTexts } from "../answers";

const BUILD = `printf '\\033[1mBuilding\\033[0m\\n'; for step in parse check emit; do printf '  \\033[32m✓\\033[0m %s\\n' "$step"; done; echo 'src/main.ts: 1 warning' >&2; exit 3`;
const SERVER = 'echo "Listening on http://localhost:5173"; read name; echo "Hello $name"; sleep 1000';

/** Needs Copilot set up, the light theme and mode `default`. */
export function terminalSuite(fresh: FreshWindow): void {
  describe("a command's terminal", () => {
    let window: Workbench;

    beforeAll(async () => {
      const shared = await fresh();
      window = shared.window;
      await window.changeSetting("toolhost.groups.runtime", "all");
      mkdirSync(join(shared.folder, ".vscode"));
      const tasks = [
        { label: "generate", type: "shell", command: "echo generated" },
        {
          label: "build",
          type: "shell",
          command: "echo",
          args: ["built ${workspaceFolderBasename}", "$HOME"],
          dependsOn: "generate",
        },
      ];
      writeFileSync(join(shared.folder, ".vscode/tasks.json"), JSON.stringify({ version: "2.0.0", tasks }));
    });

    /** Lets @toolhost make a call that the user allows, and gives what the model is told. */
    async function call(name: string, input: object): Promise<string> {
      await window.model.script([{ calls: [{ name: `toolhost_${name}`, input }] }, { text: "Done." }]);
      await window.chat.ask("@toolhost go on");
      await allowOnce(window);
      await window.chat.waitForAnswer();
      return resultTexts(await window.model.requests()).at(-1) ?? "";
    }

    const shows = (text: string): Promise<unknown> =>
      poll(`the terminal to show “${text}”`, async () => (await window.terminalText()).includes(text));
    const status = () => window.page.locator('.statusbar-item[id="toolhost.toolhost.toolhost.processes"]');

    it("shows the command, its output in colours and its exit code, and does not come forward by itself", async () => {
      expect(await call("exec", { command: BUILD })).toContain("Exit code 3");
      expect(await window.page.locator(".terminal-wrapper:visible").count()).toBe(0);
      await window.command("workbench.action.terminal.focus");
      await shows("exit code 3 after");
      const text = await window.terminalText();
      expect(text).toContain("Building\n  ✓ parse\n  ✓ check\n  ✓ emit\n");
      expect(text).toContain("src/main.ts: 1 warning");
      // The next one comes below it, in the same tab.
      await call("exec", { command: "cat <<'END'\nhere-document\nEND" });
      await shows("exit code 0 after");
      expect(await window.terminalText()).toContain("exit code 3 after");
      await window.screenshot("terminal-mirror");
    });

    it("runs the steps of a task, which show there, too", async () => {
      const told = await call("run_task", { label: "build" });
      expect(told).toMatch(/generate: echo generated\n[\s\S]*build: echo 'built sample' \$HOME\n/);
      await shows("built sample /");
    });

    it("lists background processes in the status bar, takes what is typed, and stops them from there", async () => {
      expect(await call("exec", { command: SERVER, background: true })).toMatch(/Running in the background as p\d+/);
      await status().filter({ hasText: "1 running" }).click();
      const list = await window.quickInput();
      expect((await list.items()).join("\n")).toMatch(/echo "Listening on .*p\d+ · running for \d+ s/s);
      await window.screenshot("process-list");
      await list.accept();
      await poll("the actions", async () =>
        (await (await window.quickInput()).items()).join().includes("Show Terminal"),
      );
      await (await window.quickInput()).pick("Show Terminal");
      await shows("Listening on http://localhost:5173");
      await window.page.locator(".terminal-wrapper:visible .xterm").click();
      await window.page.keyboard.type("Adx");
      await window.page.keyboard.press("Backspace");
      await window.page.keyboard.type("a\n");
      await shows("Hello Ada");
      await window.screenshot("terminal-typing");
      await status().click();
      await (await window.quickInput()).accept();
      await poll("the actions", async () => (await (await window.quickInput()).items()).join().includes("Stop"));
      await (await window.quickInput()).pick("Stop");
      await shows("stopped after");
      await poll(
        "the status item to go away",
        async () => (await status().count()) === 0 || !(await status().isVisible()),
      );
    });

    it("runs a command in the user's own shell where that is asked for", async () => {
      const told = await call("exec", { command: "for each in 1 2; do\n  echo $each\ndone\nexit 3", terminal: true });
      expect(told).toMatch(/Exit code 3 after .*\n1\n2\n/);
      await shows("$ for each in 1 2; do");
      await window.screenshot("users-shell");
    });
  });
}
