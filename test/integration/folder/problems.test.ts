// What is told of problems after a change, by a linter of the test: a line with BAD is an error, one with OLD a
// warning.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { poll } from "../../harness/host";
import { toolText, withSettings, writeFile } from "../tool";

/** Milliseconds after which a slow linter speaks: well within the second that it is waited for. */
const SLOW = 300;
/** Milliseconds after which it speaks too late for a call that does not wait, also on a busy machine. */
const LATE = 900;
/** Milliseconds between two words of a linter that never stops: less than the silence that is taken for an end. */
const CHATTER = 50;

class Linter {
  readonly #collection = vscode.languages.createDiagnosticCollection("linter");
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #listening: vscode.Disposable;

  /** @param speak when it looks at a document that was changed */
  constructor(languageId: string, speak: (check: () => void) => void = (check) => check()) {
    this.#listening = vscode.workspace.onDidChangeTextDocument(
      ({ document }) => document.languageId === languageId && speak(() => this.check(document)),
    );
  }

  check(document: vscode.TextDocument): void {
    const found = document
      .getText()
      .split("\n")
      .flatMap((line, index) => {
        const [word] = /BAD|OLD/.exec(line) ?? [];
        return word === undefined
          ? []
          : [
              Object.assign(
                new vscode.Diagnostic(
                  new vscode.Range(index, 0, index, line.length),
                  `${word} is not liked`,
                  word === "BAD" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
                ),
                { source: "linter", code: word.length },
              ),
            ];
      });
    this.#collection.set(document.uri, found);
  }

  /** Has a timer that ends with the linter. */
  later(work: () => void, delay: number, again = false): void {
    this.#timers.push(again ? setInterval(work, delay) : setTimeout(work, delay));
  }

  dispose(): void {
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#listening.dispose();
    this.#collection.dispose();
  }
}

async function open(path: string, text: string, linter?: Linter): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(writeFile(path, text));
  await vscode.window.showTextDocument(document, { preview: false });
  linter?.check(document);
  if (linter !== undefined) {
    // The extension hears of it as the test does.
    await poll(
      "the linter to be heard",
      () => vscode.languages.getDiagnostics(document.uri).length === text.split(/BAD|OLD/).length - 1,
    );
  }
  return document;
}

describe("problems after a change", () => {
  const made: Linter[] = [];
  const linter = (...values: ConstructorParameters<typeof Linter>): Linter => {
    const one = new Linter(...values);
    made.push(one);
    return one;
  };
  afterEach(async () => {
    made.splice(0).forEach((one) => one.dispose());
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("are told when they are new, not when they only moved", async () => {
    const lua = linter("lua");
    await open("problems/moved.lua", "one\nOLD two\nthree\nfour\n", lua);
    assert.equal(
      await toolText("multi_edit", {
        edits: [
          { path: "problems/moved.lua", old_text: "one\n", new_text: "one\nmore\nmore\n" },
          { path: "problems/moved.lua", old_text: "four", new_text: "BAD four" },
        ],
      }),
      "Made 2 edits in 1 file:\n- problems/moved.lua: 1 replacement at line 1\n- problems/moved.lua: 1 replacement at line 6\nNew problem after this change:\nproblems/moved.lua:6:1 error: BAD is not liked (linter 3)",
    );
    assert.match(
      await toolText("edit", { path: "problems/moved.lua", old_text: "three", new_text: "3" }),
      /^Edited [^\n]*$/,
    );
  });

  it("are told of every file of a call, also of one that was not changed", async () => {
    const lua = linter("lua");
    const user = await open("problems/user.lua", "uses it\n", lua);
    await open("problems/a.lua", "one\n", lua);
    await open("problems/b.lua", "one\n", lua);
    const asWell = vscode.languages.createDiagnosticCollection("as well");
    const listening = vscode.workspace.onDidChangeTextDocument(
      ({ document }) =>
        document.fileName.endsWith("a.lua") &&
        asWell.set(user.uri, [
          new vscode.Diagnostic(new vscode.Range(0, 5, 0, 7), "what it\nuses is gone", vscode.DiagnosticSeverity.Error),
        ]),
    );
    const text = await toolText("apply_patch", {
      patch:
        "*** Begin Patch\n*** Update File: problems/a.lua\n@@\n-one\n+BAD one\n*** Update File: problems/b.lua\n@@\n-one\n+OLD one\n*** End Patch",
    });
    listening.dispose();
    asWell.dispose();
    assert.deepEqual(
      text.split("\n").slice(3).sort(),
      [
        "New problems after this change:",
        "problems/a.lua:1:1 error: BAD is not liked (linter 3)",
        "problems/b.lua:1:1 warning: OLD is not liked (linter 3)",
        "problems/user.lua:1:6 error: what it uses is gone",
      ].sort(),
    );
  });

  it("are not told where the user does not want it", async () => {
    const lua = linter("lua");
    await open("problems/quiet.lua", "one\n", lua);
    await withSettings({ "toolhost.reportNewProblems": false }, async () => {
      assert.match(
        await toolText("edit", { path: "problems/quiet.lua", old_text: "one", new_text: "BAD" }),
        /^Edited [^\n]*$/,
      );
    });
  });

  it("are waited for while a linter has not spoken yet", async () => {
    const slow: Linter = linter("lua", (check) => slow.later(check, SLOW));
    await open("problems/slow.lua", "OLD\n", slow);
    assert.match(
      await toolText("edit", { path: "problems/slow.lua", old_text: "OLD", new_text: "BAD" }),
      /New problem after this change:\nproblems\/slow\.lua:1:1 error: BAD/,
    );
  });

  it("are not waited for in a language that nobody checks, nor in a file that is not open", async () => {
    // It speaks for the first time after the call, which has nothing left to do once the file is saved: nobody could
    // know of it.
    const late: Linter = linter("clojure", (check) => {
      const saving = vscode.workspace.onDidSaveTextDocument(() => {
        saving.dispose();
        late.later(check, LATE);
      });
    });
    const document = await open("problems/unchecked.clj", "one\n");
    assert.equal(document.languageId, "clojure");
    assert.match(
      await toolText("edit", { path: "problems/unchecked.clj", old_text: "one", new_text: "BAD" }),
      /^Edited [^\n]*$/,
    );
    await poll("the late linter", () => vscode.languages.getDiagnostics(document.uri).length === 1);
    writeFile("problems/closed.lua", "one\n");
    assert.match(
      await toolText("edit", { path: "problems/closed.lua", old_text: "one", new_text: "BAD" }),
      /^Edited [^\n]*$/,
    );
  });

  it("are waited for no longer than a second by a linter that never stops talking", async () => {
    const restless: Linter = linter("lua", (check) => {
      check();
      restless.later(check, CHATTER, true);
    });
    await open("problems/restless.lua", "OLD\n", restless);
    // Without an end, this call would have none.
    assert.match(
      await toolText("edit", { path: "problems/restless.lua", old_text: "OLD", new_text: "BAD" }),
      /New problem after this change:\nproblems\/restless\.lua:1:1 error: BAD/,
    );
  });
});
