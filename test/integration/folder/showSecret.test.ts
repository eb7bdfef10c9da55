// Secrets inside VS Code: what other agents get of them.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { inWorkspace, toolText, writeFile } from "../tool";

/** A key as GitHub writes them, in parts so that no scanner takes this file for a leak. */
const KEY = ["gh", "p_", "Zq7Rf2Kp9Xw4Tb6Ym1Hc8Vd3Ns5LgJuAeGiB"].join("");

describe("secrets, in VS Code", () => {
  afterEach(() => rmSync(inWorkspace("secret.ts")));

  it("are handles in results, which edits take; show_secret needs a person", async () => {
    writeFile("secret.ts", `const key = "${KEY}";\n`);
    const text = await toolText("read", { path: "secret.ts" });
    const handle = /⟦secret GITHUB_TOKEN #[0-9a-f]{6}⟧/.exec(text)?.[0] ?? "";
    assert.notEqual(handle, "", text);
    assert.ok(!text.includes(KEY));
    await toolText("edit", { path: "secret.ts", old_text: `"${handle}"`, new_text: `'${handle}'` });
    assert.equal(readFileSync(inWorkspace("secret.ts"), "utf8"), `const key = '${KEY}';\n`);
    assert.match(await toolText("show_secret", { handle }), /^Error \(denied\): show_secret/);
  });
});
