// The command palette: a form from the schema, the result in a read-only editor whose paths lead to the files.
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import type { FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";

/** Needs mode `ask`. */
export function paletteSuite(fresh: FreshWindow): void {
  describe("the palette", () => {
    let window: Workbench;
    let folder: string;

    beforeAll(async () => {
      ({ window, folder } = await fresh());
    });

    /** The command never resolves while its form is open, so it is not waited for. */
    const start = (command: string): void => void window.command(command).catch(() => undefined);

    /** Text of the active editor, and what kind of document it is. */
    const activeEditor = (): Promise<{ scheme: string; text: string; path: string; line: number }> =>
      window.rig.run((vscode) => {
        const editor = vscode.window.activeTextEditor;
        return {
          scheme: editor?.document.uri.scheme ?? "",
          text: editor?.document.getText() ?? "",
          path: editor?.document.uri.path ?? "",
          line: (editor?.selection.active.line ?? -1) + 1,
        };
      });

    const waitForResult = async (words: string): Promise<string> =>
      (
        await poll(`a result with ${words}`, async () => {
          const editor = await activeEditor();
          return editor.scheme === "toolhost-result" && editor.text.includes(words) ? editor : undefined;
        })
      ).text;

    it("lists no stand-in for a model where VS Code has a real one", async () => {
      await poll("only the real model", async () => {
        const vendors = await window.rig.run(async (vscode) =>
          (await vscode.lm.selectChatModels()).map(({ vendor }) => vendor),
        );
        return vendors.includes("toolhost-test") && !vendors.includes("toolhost");
      });
    });

    it("runs a command that one has typed, and asks nothing, in mode ask either", async () => {
      start("toolhost.run.exec");
      const form = await window.quickInput();
      await poll("the form", async () => (await form.title()) === "Toolhost: Run command");
      await form.accept();
      await poll("the field", async () => (await form.title()) === "Command");
      await form.type("mkdir typed && rmdir typed && echo done-$((6 * 7))");
      await form.accept();
      await poll("the form again", async () => (await form.title()) === "Toolhost: Run command");
      await form.pick("Run");
      // A question would stay until somebody answers it.
      expect(await waitForResult("done-42")).toMatch(/^\[Exit code 0 after .* s\.\]\ndone-42$/);
    });

    it("asks the question of a tool that asks, and shows the answer", async () => {
      start("toolhost.runTool");
      await (await window.quickInput()).pick("Ask the user");
      const form = await window.quickInput();
      await poll("the form", async () => (await form.title()) === "Toolhost: Ask the user");
      await form.accept();
      await poll("the field", async () => (await form.title()) === "Question");
      await form.type("Why?");
      await form.accept();
      await poll("the form again", async () => (await form.title()) === "Toolhost: Ask the user");
      await form.pick("Run");
      await poll("the question", async () => (await form.title()) === "Toolhost asks");
      expect(await form.message()).toContain("Why?");
      await form.type("Because.");
      await form.accept();
      expect(await waitForResult("Because.")).toContain("The user answered: Because.");
    });

    it("asks for the tool, then for its fields, required ones first, and checks while one types", async () => {
      start("toolhost.runTool");
      const tools = await window.quickInput();
      expect(await tools.title()).toBe("Toolhost: Run Tool");
      await window.screenshot("palette-tools");
      await tools.pick("Search text");

      const form = await window.quickInput();
      await poll("the form", async () => (await form.title()) === "Toolhost: Search text");
      const rows = await form.items();
      expect(rows[0]).toContain("fill in Pattern first");
      expect(rows[1]).toContain("Pattern");
      await form.accept();
      await poll("the field", async () => (await form.title()) === "Pattern");
      await form.type("Barbara");
      await form.accept();

      await poll("the form again", async () => (await form.title()) === "Toolhost: Search text");
      await form.pick("context");
      await poll("the field", async () => (await form.title()) === "Context");
      await form.type("many");
      await poll("the problem", async () =>
        (await form.message()).includes("Context: enter a whole number from 0 to 100"),
      );
      await window.screenshot("palette-validation");
      await form.type("1");
      await form.accept();

      await poll("the form again", async () => (await form.title()) === "Toolhost: Search text");
      await form.pick("Ignore case");
      await poll("the switch", async () => (await form.items()).some((row) => /Ignore case\s*on/.test(row)));
      await form.pick("output");
      await poll("the choices", async () => (await form.title()) === "Output");
      await form.pick("content");
      await poll("the form again", async () => (await form.title()) === "Toolhost: Search text");
      await window.screenshot("palette-form");
      await form.pick("Run");
      expect(await waitForResult("Barbara")).toBe(
        [
          "src/main.ts",
          "  2- ",
          '  3: const names = ["Ada", "Grace", "Barbara"];',
          "  4- ",
          "[1 match in 1 file.]",
        ].join("\n"),
      );
      await window.screenshot("palette-result");
    });

    it("the result is read-only, and its paths and lines lead to the files", async () => {
      const editor = await activeEditor();
      await window.typeInEditor("x");
      expect((await activeEditor()).text).toBe(editor.text);
      const links = await window.rig.run(async (vscode) => {
        const found = await vscode.commands.executeCommand<
          { range: { start: { line: number } }; target: { path: string; fragment: string } }[]
        >("vscode.executeLinkProvider", vscode.window.activeTextEditor?.document.uri);
        return found.map(({ range, target }) => [
          range.start.line,
          target.path.split("/").slice(-2).join("/"),
          target.fragment,
        ]);
      });
      expect(links).toEqual([
        [0, "src/main.ts", ""],
        [1, "src/main.ts", "L2"],
        [2, "src/main.ts", "L3"],
        [3, "src/main.ts", "L4"],
      ]);
      // As a user: Ctrl and a click on the line's number.
      await window.page.keyboard.down("Control");
      await window.page
        .locator(".editor-group-container.active .view-line", { hasText: "Grace" })
        .getByText("3", { exact: true })
        .first()
        .click();
      await window.page.keyboard.up("Control");
      await poll("the file at the line", async () => {
        const active = await activeEditor();
        return active.path.endsWith("src/main.ts") && active.scheme === "file" && active.line === 3;
      });
    });

    it("reports no problem in a result, whatever file it is about, and none after it is closed", async () => {
      const broken = {
        "broken.js": "const = 1;\n",
        "broken.json": '{"a": 1,,}\n',
        "broken.ts": "let : string;\n",
        "broken.css": "a { color: }}\n",
      };
      for (const [name, text] of Object.entries(broken)) writeFileSync(join(folder, name), text);
      const run = async (
        command: string,
        title: string,
        fields: Record<string, string>,
        result: string,
      ): Promise<void> => {
        start(command);
        const form = await window.quickInput();
        for (const [field, value] of Object.entries(fields)) {
          await poll("the form", async () => (await form.title()) === title);
          await form.pick(field);
          await poll("the field", async () => (await form.title()) === field);
          await form.type(value);
          await form.accept();
        }
        await poll("the form", async () => (await form.title()) === title);
        await form.pick("Run");
        await waitForResult(result);
      };
      for (const [path, text] of Object.entries(broken))
        await run("toolhost.run.read", "Toolhost: Read file", { Path: path }, text.trim());
      // The result has the file's numbers of lines; the editor shows no second ones.
      const numbers = await window.rig.run((vscode) => [
        vscode.window.activeTextEditor?.options.lineNumbers,
        vscode.TextEditorLineNumbersStyle.Off,
      ]);
      expect(numbers[0]).toBe(numbers[1]);
      await window.screenshot("palette-result-read");
      await run("toolhost.run.glob", "Toolhost: Find files", { Pattern: "*.js" }, "broken.js");
      await run("toolhost.run.grep", "Toolhost: Search text", { Pattern: "let :" }, "broken.ts");
      const results = await window.rig.run((vscode) =>
        vscode.workspace.textDocuments
          .filter(({ uri }) => uri.scheme === "toolhost-result")
          .map(({ languageId }) => languageId),
      );
      expect(new Set(results)).toEqual(new Set(["plaintext"]));
      expect(results.length).toBeGreaterThanOrEqual(6);

      // Each language's service looks for problems: it reports those of the files themselves, and has had the results
      // before.
      for (const name of Object.keys(broken)) await window.openFile(join(folder, name));
      const problems = (): Promise<string[]> =>
        window.rig.run((vscode) =>
          vscode.languages
            .getDiagnostics()
            .flatMap(([{ scheme, path }, found]) =>
              found.length > 0 ? [`${scheme} ${path.split("/").at(-1) ?? ""}`] : [],
            ),
        );
      await poll("the problems of the files", async () => {
        const found = await problems();
        return Object.keys(broken).every((name) => found.includes(`file ${name}`));
      });
      const ours = async (): Promise<string[]> => (await problems()).filter((found) => !found.startsWith("file "));
      expect(await ours()).toEqual([]);
      await window.command("workbench.action.closeAllEditors");
      expect(await ours()).toEqual([]);
      for (const name of Object.keys(broken)) rmSync(join(folder, name));
    });

    it("takes the file on screen for a tool that wants one, and asks before it changes it", async () => {
      const notes = join(folder, "docs/notes.md");
      const before = readFileSync(notes, "utf8");
      await window.openFile(notes);
      for (const [answer, after] of [
        ["Don't Allow", before],
        ["Allow Once", before.replace("TODO", "DONE")],
      ] as const) {
        start("toolhost.run.edit");
        const form = await window.quickInput();
        await poll("the form", async () => (await form.items()).some((row) => row.includes("docs/notes.md")));
        for (const [field, value] of [
          ["Old text", "TODO"],
          ["New text", "DONE"],
        ] as const) {
          await poll("the form", async () => (await form.title()) === "Toolhost: Edit file");
          await form.accept();
          await poll("the field", async () => (await form.title()) === field);
          await form.type(value);
          await form.accept();
        }
        await poll("the form", async () => (await form.title()) === "Toolhost: Edit file");
        await form.pick("Run");
        const dialog = await window.dialog();
        expect(dialog.message).toBe("Edit docs/notes.md?");
        expect(dialog.detail).toContain("+- DONE: greet people");
        if (answer === "Allow Once") {
          await window.screenshot("palette-confirmation");
        }
        await dialog.click(answer);
        await poll(`the file after ${answer}`, () => readFileSync(notes, "utf8") === after);
      }
      expect(await waitForResult("Edited docs/notes.md")).toContain("1 replacement at line 4");
    });

    it("Enter in the dialog does not allow: it shows what would be done, and asks again", async () => {
      const greet = join(folder, "src/greet.ts");
      const before = readFileSync(greet, "utf8");
      await window.openFile(greet);
      start("toolhost.run.edit");
      const form = await window.quickInput();
      for (const [field, value] of [
        ["Old text", "Hello"],
        ["New text", "Bye"],
      ] as const) {
        await poll("the form", async () => (await form.title()) === "Toolhost: Edit file");
        await form.accept();
        await poll("the field", async () => (await form.title()) === field);
        await form.type(value);
        await form.accept();
      }
      await poll("the form", async () => (await form.title()) === "Toolhost: Edit file");
      await form.pick("Run");
      await window.dialog();
      await window.screenshot("palette-confirmation-focus");
      await window.page.keyboard.press("Enter");
      const shown = await poll("the question in an editor", () =>
        window.rig.run((vscode) => {
          const document = vscode.window.activeTextEditor?.document;
          return document?.uri.scheme === "toolhost-question" ? document.getText() : undefined;
        }),
      );
      expect(shown).toContain("Bye");
      expect(readFileSync(greet, "utf8")).toBe(before);
      await window.page.locator('.editor-actions a[aria-label="Answer…"]').click();
      await window.dialog();
      await window.page.keyboard.press("Escape");
      await window.page.locator(".monaco-dialog-box").waitFor({ state: "hidden" });
      // A call after it has ended tells that the first one has, too.
      start("toolhost.run.ls");
      await poll("the form", async () => (await form.title()) === "Toolhost: List folder");
      await form.pick("Run");
      await waitForResult("README.md");
      expect(readFileSync(greet, "utf8")).toBe(before);
    });

    it("tells a failure in a message with the next step, and Escape leaves the form", async () => {
      start("toolhost.run.read");
      const form = await window.quickInput();
      await poll("the form", async () => (await form.title()) === "Toolhost: Read file");
      await form.pick("path");
      await poll("the field", async () => (await form.title()) === "Path");
      await form.type("src/gret.ts");
      await form.accept();
      await poll("the form", async () => (await form.title()) === "Toolhost: Read file");
      await form.pick("Run");
      const shown = await window.notification("there is no such file");
      expect(shown.message).toContain("Did you mean src/greet.ts?");
      await window.screenshot("palette-error");
      expect(shown.buttons).toEqual(["Edit Input…"]);
      await shown.click("Edit Input…");
      await poll("the form with what was filled in", async () =>
        (await (await window.quickInput()).items()).some((row) => row.includes("src/gret.ts")),
      );
      await (await window.quickInput()).cancel();

      start("toolhost.runTool");
      const tools = await window.quickInput();
      // The form before it may still be closing.
      await poll("the tools", async () => (await tools.title()) === "Toolhost: Run Tool");
      await tools.cancel();
      await window.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    });

    it("shows the progress of long work, and cancels it", async () => {
      // Many seconds of reading for a line that is not there, in a file that takes no room on the disk.
      const file = join(folder, "long.txt");
      writeFileSync(file, `${"x".repeat(99)}\n`.repeat(10_000));
      truncateSync(file, 20_000_000_000);
      start("toolhost.run.read");
      const form = await window.quickInput();
      for (const [field, value] of [
        ["Path", "long.txt"],
        ["Offset", "6000000"],
      ] as const) {
        await poll("the form", async () => (await form.title()) === "Toolhost: Read file");
        await form.pick(field);
        await poll("the field", async () => (await form.title()) === field);
        await form.type(value);
        await form.accept();
      }
      await poll("the form", async () => (await form.title()) === "Toolhost: Read file");
      await form.pick("Run");
      const progress = await window.notification("Read long.txt");
      await window.screenshot("palette-progress");
      await progress.click("Cancel");
      await poll(
        "the progress to end",
        async () => !(await window.notifications()).some(({ message }) => message.includes("Read long.txt")),
      );
      expect((await activeEditor()).text).not.toContain("past the end");
      rmSync(file);
    });
  });
}
