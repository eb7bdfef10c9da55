// What a hover over changed lines shows of the old text, whatever that is: its links run commands.
import { expect, it } from "vitest";
import { HOVER_COMMANDS, hoverMarkdown } from "../../../../src/views/undo/partHover.js";
import { openTurns } from "../../../../src/views/undo/openTurns.js";
import { partsIn, type PlacedPart } from "../../../../src/views/undo/openParts.js";
import { SettledParts } from "../../../../src/views/undo/settledParts.js";
import { Session, World } from "../../features/changes/journal/world.js";

const FILE = { uri: "file:///ws/f", languageId: "typescript" };

/** The hover over the first part of a change of a file from one text to another. */
async function hover(before: string, after: string, file = FILE): Promise<string> {
  const world = new World({ f: before });
  const session = new Session(world);
  await session.change("t", [world.replace("f", after)]);
  const kept = { isKept: () => false, parts: new SettledParts() };
  const { queries } = session.journal;
  const [part = expect.unreachable()]: PlacedPart[] = partsIn(
    queries,
    openTurns(queries, kept),
    kept.parts,
    ({ path }) => path === "f",
    after,
  );
  return hoverMarkdown(part, file, part.turn.turn.at);
}

/** The commands that its links run. */
const linked = (text: string): string[] =>
  [...text.matchAll(/\]\(command:([^?]*)\?/g)].map(([, command = ""]) => command);

it("has the old text in a fence, and links to what can be done", async () => {
  const text = await hover("one\ntwo\nthree\n", "one\n2\nthree\n");
  expect(text).toContain("Was:\n\n```typescript\ntwo\n```");
  expect(linked(text)).toEqual(HOVER_COMMANDS);
});

it.each([
  ["added lines have no old text", "one\n", "one\ntwo\n", /^Added by [^]*today[^`]*$/],
  ["of deleted lines, it says so", "one\ntwo\n", "one\n", /^Deleted here by [^]*```typescript\ntwo\n```/],
  ["CRLF is a line ending", "one\r\ntwo\r\nx\r\n", "1\r\n2\r\nx\r\n", /```typescript\none\ntwo\n```/],
  ["what cannot be seen is shown as a code", "a\u202eb\n", "c\n", /a\\u202eb/],
  ["a long text is cut, and says so", `${"x".repeat(100)}\n`.repeat(50), "y\n", /and more: see \*Review\*/],
  ["a long line, too", `${"x".repeat(100_000)}\n`, "y\n", /and more: see \*Review\*/],
])("%s", async (_what, before, after, says) => {
  const text = await hover(before, after);
  expect(text).toMatch(says);
  expect(text.length).toBeLessThan(5_000);
});

it.each([
  ["a fence", "```\n[press](command:evil?1)\n", "````typescript"],
  ["a longer one", "``````\n[press](command:evil?1)\n", "```````typescript"],
])("an old text with %s cannot leave its own, so that its links are none", async (_what, before, fence) => {
  const text = await hover(before, "x\n");
  const [above = "", inside = "", below = ""] = text.split(
    new RegExp(`^${fence.replace("typescript", "")}(?!\`)(?:typescript)?$`, "m"),
  );
  expect(inside).toContain("command:evil");
  expect(above + below).not.toContain("evil");
  expect(linked(below)).toEqual(HOVER_COMMANDS);
});

it("a language's name is no markup", async () => {
  expect(await hover("a\n", "b\n", { ...FILE, languageId: "a`\n[x](command:evil?1)" })).not.toMatch(/\n\[x\]/);
});
