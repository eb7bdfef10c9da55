import assert from "node:assert/strict";
import { ASKED, toolText } from "../tool";

describe("web_fetch in VS Code", () => {
  it("asks for each site in our own question", async () => {
    assert.match(await toolText("web_fetch", { url: "http://127.0.0.1:9/" }), ASKED);
  });
});
