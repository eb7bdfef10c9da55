// A large result that the model never sees: grep, pipe, query, and the answer.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { resultTexts } from "./answers";

/** Lines of orders; a third of them late. */
const ORDERS = 900;

describe("@toolhost with a large result", () => {
  let window: Workbench;
  let folder: string;

  beforeAll(async () => {
    const server = await startServer({ settings: { "files.autoSave": "off" } });
    folder = server.temporaryFolder("sample", sampleFixture);
    const lines = Array.from({ length: ORDERS }, (_, index) => `order ${index} RAWLINE-${index} ${index % 3 === 0 ? "late" : "on time"}`);
    writeFileSync(join(folder, "orders.log"), `${lines.join("\n")}\n`);
    window = await openWorkbench(server, { folder, copilot: true });
  });

  it("keeps it, reduces it and answers, and none of its lines is in a message", async () => {
    await window.model.script([
      { calls: [{ name: "toolhost_pipe", input: { tool_name: "toolhost_grep", tool_input: { pattern: "^order", path: "orders.log", max_results: 1_000 }, path: "orders.json" } }] },
      { calls: [{ name: "toolhost_query", input: { path: "orders.json", expression: '$count(matches[text ~> /late$/])' } }] },
      { text: "300 of the 900 orders are late." },
    ]);
    await window.chat.ask("@toolhost how many orders are late?");
    expect(await window.chat.waitForAnswer()).toContain("300 of the 900 orders are late.");
    const requests = await window.model.requests();
    const [kept, counted] = resultTexts(requests);
    expect(kept).toContain("as orders.json (envelope)");
    expect(kept).toContain("matches (array of 900)");
    expect(counted).toBe("300");
    // The first 200 characters of what is stored are shown, and nothing else.
    const told = JSON.stringify(requests.map(({ messages }) => messages));
    expect(told.match(/RAWLINE-\d+/g)?.filter((line) => !["RAWLINE-0", "RAWLINE-1"].includes(line)) ?? []).toEqual([]);
    expect(readFileSync(join(folder, ".toolhost/context/orders.json"), "utf8")).toContain(`RAWLINE-${ORDERS - 1}`);
    await window.screenshot("toolhost-pipe-query");
  });
});
