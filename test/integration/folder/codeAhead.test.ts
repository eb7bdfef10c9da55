import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { workspaceStateFolder } from "../../../src/hosts/node/state/stateFolder";
import { poll, workspaceFolder } from "../../harness/host";
import { toolText, writeFile } from "../tool";

/** Returns the paths in the index of the window's code. */
function indexed(): string[] {
  const file = join(workspaceStateFolder([workspaceFolder()]), "code-2.db");
  if (!existsSync(file)) {
    return [];
  }
  const store = new DatabaseSync(file, { readOnly: true });
  try {
    return store
      .prepare("SELECT path FROM files")
      .all()
      .map(({ path }) => String(path));
  } catch {
    // Its tables are being made.
    return [];
  } finally {
    store.close();
  }
}

describe("the index of a window's code", () => {
  it("is made once an agent works there, before anybody searches", async () => {
    writeFile("codeAhead/a.ts", "/** Feeds the cat. */\nexport function feed(): number {\n  return 1;\n}\n");
    await toolText("read", { path: "codeAhead/a.ts" });
    assert.ok(await poll("files in the index", () => indexed().some((path) => path.endsWith(".ts"))));
  });
});
