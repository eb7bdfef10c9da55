// What a change by a tool says of the files that import the changed one, which are in no tab.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import { poll } from "../../harness/host";
import { projectOfSuite, toolText, writeFile } from "../tool";

const AREA = "export function area(side: number): number {\n  return side ** 2;\n}\n";

describe("a change of what other files import", () => {
  projectOfSuite("importers");
  before(async () => {
    writeFile("importers/area.ts", AREA);
    writeFile("importers/floor.ts", 'import { area } from "./area.js";\nexport const floor = area(3);\n');
    writeFile(
      "importers/wall.ts",
      'import { area } from "./area.js";\nexport const wall: string = 1;\nexport { area };\n',
    );
    writeFile("importers/other.ts", "export const area = 1;\n");
    // The server reads the project with the first question; a change waits only a few seconds for it.
    await toolText("references", { symbol: "area", path: "importers/area.ts" });
  });

  it("tells the new problems in files that import it, which nobody has open, and no old ones", async () => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    assert.equal(
      await toolText("edit", {
        ...{ path: "importers/area.ts", old_text: "side: number", new_text: "side: number, unit: string" },
      }),
      "Edited importers/area.ts: 1 replacement at line 1.\n" +
        "New problem after this change:\n" +
        "importers/floor.ts:2:22 error: Expected 2 arguments, but got 1. (ts 2554)",
    );
    assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, tabs);
  });

  it("says that there are none when the server has answered", async () => {
    assert.equal(
      await toolText("edit", {
        ...{ path: "importers/area.ts", old_text: "side: number, unit: string", new_text: "side: number" },
      }),
      "Edited importers/area.ts: 1 replacement at line 1.\nTypeScript reports no new problem in this file and 2 files that import it.",
    );
    assert.match(
      await toolText("write", { path: "importers/new.ts", content: 'import { area } from "./area.js";\narea(1);\n' }),
      /\nTypeScript reports no new problem in this file\.$/,
    );
  });

  it("tells those of a new file", async () => {
    assert.match(
      await toolText("write", { path: "importers/wrong.ts", content: 'export const count: number = "one";\n' }),
      /\nNew problem after this change:\nimporters\/wrong\.ts:1:14 error: Type 'string' is not assignable to type 'number'\. \(ts 2322\)$/,
    );
  });

  it("says how many files were not checked, where many import one", async () => {
    writeFile("importers/common.ts", "export const common = 1;\n");
    for (let index = 0; index < 14; index++) {
      writeFile(
        `importers/user${index}.ts`,
        'import { common } from "./common.js";\nexport const used = common + 1;\n',
      );
    }
    assert.match(
      await toolText("edit", { path: "importers/common.ts", old_text: "= 1", new_text: "= 2" }),
      /\nTypeScript reports no new problem in this file and 10 of the 14 files that import it\.$/,
    );
  });

  it("knows files that import it by a name of the project", async () => {
    writeFile(
      "importers/tsconfig.json",
      '{ "include": ["*.ts"], "compilerOptions": { "paths": { "@ours/*": ["./*"] } } }',
    );
    writeFile("importers/named.ts", "export const named = 1;\n");
    writeFile("importers/byName.ts", 'import { named } from "@ours/named";\nexport const used: number = named;\n');
    await toolText("references", { symbol: "named", path: "importers/named.ts" });
    assert.match(
      await toolText("edit", { path: "importers/named.ts", old_text: "= 1", new_text: '= "one"' }),
      /\nNew problem after this change:\nimporters\/byName\.ts:2:14 error: Type 'string' is not assignable to type 'number'\. \(ts 2322\)$/,
    );
  });

  it("waits only once for a server that hangs, and asks it again when it has answered", async () => {
    let side = 3;
    const edit = (): Promise<string> =>
      toolText("edit", {
        ...{ path: "importers/floor.ts", old_text: `area(${side})`, new_text: `area(${++side})` },
      });
    const servers = typescriptServers();
    assert.ok(servers.length > 0);
    servers.forEach((id) => process.kill(id, "SIGSTOP"));
    try {
      assert.match(await edit(), /\nProblems were not checked: TypeScript's server was not ready within 3 s\.$/);
      for (let time = 0; time < 3; time++) {
        assert.match(await edit(), /\nProblems were not checked: TypeScript's server is not ready yet\.$/);
      }
    } finally {
      servers.forEach((id) => process.kill(id, "SIGCONT"));
    }
    await poll("the server to be asked again", async () =>
      (await edit()).endsWith("\nTypeScript reports no new problem in this file."),
    );
  });
});

/** The processes of TypeScript's servers of this window. */
function typescriptServers(): number[] {
  return execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [])
    .filter(([, , parent, args = ""]) => Number(parent) === process.pid && args.includes("tsserver"))
    .map(([, id]) => Number(id));
}
