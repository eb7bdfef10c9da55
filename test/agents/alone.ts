// What each agent does without a window.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "../peers/install.js";
import { homeOf } from "../peers/session.js";
import type { Build } from "./build.js";
import type { Client } from "./clients.js";
import type { Row } from "./report.js";
import { expect, startAgent, toolhost } from "./start.js";

/** Calls that are measured of each kind. */
export const ROUNDS = 9;
/** Our words for a call that nobody can be asked about. */
const REFUSAL = "Error (denied): exec needs the user's permission";
const REMEDY = "starting toolhost mcp with: --allow";

/** Reads and edits a file by turns, tries a command, and takes the edits back. */
export async function runAlone(client: Client, build: Build, row: Row): Promise<void> {
  const place = { folder: join(cache, "agents-workspace", client.name), home: homeOf(client.agent) };
  for (const each of Object.values(place)) {
    rmSync(each, { recursive: true, force: true });
    mkdirSync(each, { recursive: true });
  }
  const file = join(place.folder, "notes.txt");
  const line = (count: number): string => `marmalade${count}`;
  writeFileSync(file, `${line(0)}\n`);
  const session = await startAgent(client, build, place);
  try {
    // The first round does not count.
    for (let round = 0; round <= ROUNDS; round++) {
      const read = await session.step(client.tool("read", { path: "notes.txt" }));
      expect(read.text.includes(line(round)), "read", read.text);
      const input = { path: "notes.txt", old_text: line(round), new_text: line(round + 1) };
      const edit = await session.step(client.tool("edit", input));
      expect(readFileSync(file, "utf8") === `${line(round + 1)}\n`, "edit", edit.text);
      if (round > 0) {
        row.times.read.push(read.time);
        row.times.edit.push(edit.time);
      }
    }
    row.worked.push("read", "edit");
    // Clients that show forms are not asked by one what asks every time.
    const refused = await session.step(client.tool("exec", { command: "install -d made && git push" }));
    const isTold = refused.text.includes(REFUSAL) && refused.text.includes(REMEDY);
    expect(isTold && !existsSync(join(place.folder, "made")), "refusal", refused.text);
    // Those that declare forms and show none decline them: the words are the same.
    const usual = await session.step(client.tool("exec", { command: "install -d made" }));
    expect(usual.text.includes(REFUSAL) && usual.text.includes(REMEDY), "ordinary refusal", usual.text);
    row.worked.push("a command refused in our words");
    await session.finish();
  } finally {
    session.kill();
  }
  const heading = toolhost(build, place, "undo", "--list").split("\n")[0] ?? "";
  const [, by] = /^(.*) \(MCP\)/.exec(heading) ?? [];
  if (by === undefined) {
    throw new Error(`the list of changes begins with ${heading}`);
  }
  row.listedAs = by;
  toolhost(build, place, "undo", "--last");
  expect(readFileSync(file, "utf8") === `${line(0)}\n`, "undo", readFileSync(file, "utf8"));
  row.worked.push(`undo, listed under "${by}"`);
}
