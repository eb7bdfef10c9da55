// A part of a change, undone or kept where it is: above its lines in the editor, and in the reviews' menus.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const FILE = "src/stock.ts";
const OTHER = "src/ordered.ts";
const ITEMS = ["apples", "pears", "plums", "nuts", "figs", "dates", "limes", "kiwis", "leeks", "beets"];
const BEFORE = `${["/** What is in stock. */", "export const stock = {", ...ITEMS.map((item, index) => `  ${item}: ${index + 1},`), "};"].join("\n")}\n`;
/** One line in three places. */
const EDITS = ["apples: 1,", "dates: 6,", "beets: 10,"].map((line) => [line, line.replace(",", "0,")] as const);

let window: Workbench;
let folder: string;

beforeAll(async () => {
  const server = await startServer({ settings: { "workbench.colorTheme": "Default Dark Modern" } });
  folder = server.temporaryFolder("parts", sampleFixture);
  for (const path of [FILE, OTHER]) {
    writeFileSync(join(folder, path), BEFORE);
  }
  window = await openWorkbench(server, { folder });
});

const text = (path = FILE): string => readFileSync(join(folder, path), "utf8");
/** The text with some of the edits. */
const withEdits = (...places: number[]): string =>
  places.reduce((now, place) => now.replace(EDITS[place]?.[0] ?? "", EDITS[place]?.[1] ?? ""), BEFORE);
const isOnDisk = (expected: string, path = FILE): Promise<unknown> => poll("the file", () => text(path) === expected);
const lenses = (words: string): Locator => window.page.locator(".codelens-decoration a", { hasText: words });
/** Presses the lens above a line where it is now: VS Code draws lenses in any order. */
async function press(words: string, line: string): Promise<void> {
  const lines = window.page.locator(".editor-group-container.active .view-line", { hasText: line });
  const top = await lines.first().evaluate((element) => element.getBoundingClientRect().top);
  const boxes = await lenses(words).evaluateAll((elements) =>
    elements
      .map((element) => element.getBoundingClientRect())
      .map(({ x, y, width, height }) => ({ x, y, width, height })),
  );
  const box = boxes.filter(({ y }) => y < top).sort((one, other) => other.y - one.y)[0];
  await window.page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
}
const areThere = (words: string, number: number): Promise<unknown> =>
  poll(`${number} of ${words}`, async () => (await lenses(words).count()) === number);
/** How many lines in editors have the background of a mark. */
const areMarked = (number: number): Promise<unknown> =>
  poll(`${number} marks`, async () => {
    const marks = await window.page
      .locator(".editor-group-container.active .view-overlays [class*='ced-']")
      .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).borderLeftWidth));
    return marks.filter((width) => width === "2px").length === number;
  });
/** What the status bar tells of parts. */
const told = (): Locator => window.page.locator('.statusbar-item[id$="toolhost.parts"] a');
const toldInStatusBar = (words: string): Promise<unknown> =>
  poll("the status bar", async () => (await told().count()) > 0 && (await told().innerText()).includes(words));
const rows = (): Locator => window.page.locator(".sidebar .pane .monaco-list-row");

/** What the row of the file says. */
const isListed = (words: RegExp): Promise<unknown> =>
  poll("the row of the file", async () => words.test((await rows().nth(1).getAttribute("aria-label")) ?? ""));

/** Changes the file in three places, in one call. */
async function edit(path = FILE): Promise<void> {
  await window.rig.run(
    (vscode, edits) =>
      vscode.lm
        .invokeTool("toolhost_multi_edit", { input: { edits }, toolInvocationToken: undefined })
        .then(() => undefined),
    EDITS.map(([old_text, new_text]) => ({ path, old_text, new_text })),
  );
}

/** Puts the cursor into a line of an editor, and opens its menu there, once it has our commands: a moment after the editor is there. */
async function menuAt(editor: Locator, words: string): Promise<Locator> {
  const menu = window.page.locator(".monaco-menu");
  await poll("the menu with our commands", async () => {
    await editor.locator(".view-line", { hasText: words }).first().click({ button: "right" });
    await menu.first().waitFor();
    const isThere = (await menu.getByText("Undo Change at Cursor").count()) > 0;
    if (!isThere) {
      await window.page.keyboard.press("Escape");
      await menu.first().waitFor({ state: "detached" });
    }
    return isThere;
  });
  return menu;
}

describe("a part of a change", () => {
  it("is undone and kept above its lines, and the rest stays to be looked at", async () => {
    await edit();
    expect(text()).toBe(withEdits(0, 1, 2));
    await window.command("workbench.view.extension.toolhost");
    await window.openFile(join(folder, FILE));
    await areThere("Undo", 3);
    await areMarked(3);
    await window.screenshot("change-parts-editor-dark");
    // VS Code shows hovers on the text of a line, not on the empty rest of it.
    await window.page.locator(".view-line", { hasText: "dates: 60" }).getByText("60").last().hover();
    const hover = window.page.locator(".monaco-hover", { hasText: "Was:" });
    await hover.getByText("dates: 6,").first().waitFor();
    expect(await hover.getByRole("link").allInnerTexts()).toEqual(["Undo", "Keep", "Review"]);
    await window.screenshot("change-parts-hover");
    await window.page.keyboard.press("Escape");
    await window.changeSetting("workbench.colorTheme", "Default Light Modern");
    await window.page.locator(".monaco-workbench.vs:not(.vs-dark)").waitFor();
    await window.screenshot("change-parts-editor-light");
    await press("Undo", "dates: 60");
    await isOnDisk(withEdits(0, 2));
    await areThere("Undo", 2);
    await areMarked(2);
    await toldInStatusBar("Undid 1 part of the change in src/stock.ts.");
    await window.screenshot("change-parts-undone");
    await told().click();
    await isOnDisk(withEdits(0, 1, 2));
    await areThere("Undo", 3);
    await areMarked(3);
    await toldInStatusBar("Redid 1 change in 1 file.");
    await press("Undo", "dates: 60");
    await isOnDisk(withEdits(0, 2));
    await areThere("Undo", 2);
    await press("Keep", "apples: 10");
    await areThere("Undo", 1);
    await areMarked(1);
    await isListed(/\+1 −1 · 1 of 3 parts/);
    // What was told first is not there any more beside what was told last.
    await toldInStatusBar("Undid 1 part of the change in src/stock.ts.");
    expect((await window.notifications()).map(({ message }) => message)).toEqual([]);
    await window.screenshot("change-parts-after");
  });

  it("is undone in the review of its file by the menu, and gone from it", async () => {
    await rows().nth(1).click();
    const modified = window.page.locator(".editor-group-container.active .monaco-diff-editor .editor.modified");
    await modified.locator(".view-line", { hasText: "beets: 100" }).waitFor();
    await window.screenshot("change-parts-review");
    const menu = await menuAt(modified, "beets: 100");
    await window.screenshot("change-parts-review-menu");
    await menu.getByText("Undo Change at Cursor").click();
    await isOnDisk(withEdits(0));
    await window.page.locator(".sidebar .pane").getByText("No changes to review.").waitFor();
    await poll("the part to be gone", async () => !(await modified.innerText()).includes("beets: 100"));
    await window.screenshot("change-parts-review-after");
  });

  it("is kept in the review of several files by the menu, and undone by the button and the keys; a reload changes nothing", async () => {
    await window.command("workbench.action.closeAllEditors");
    await edit(OTHER);
    await window.page.locator('.statusbar-item[id$="toolhost.changes"]').click();
    const modified = window.page.locator(".multiDiffEntry .editor.modified");
    await modified.locator(".view-line", { hasText: "dates: 60" }).waitFor();
    const menu = await menuAt(modified, "dates: 60");
    await window.screenshot("change-parts-multi-menu");
    await menu.getByText("Keep Change at Cursor").click();
    await isListed(/\+2 −2 · 2 of 3 parts/);
    await modified.locator(".view-line", { hasText: "beets: 100" }).first().click();
    await window.page.locator('.editor-actions .action-label[aria-label^="Undo Change at Cursor"]').click();
    await isOnDisk(withEdits(0, 1), OTHER);
    await told().click();
    await isOnDisk(withEdits(0, 1, 2), OTHER);
    // What the keys act on is known once the list says so.
    await isListed(/\+2 −2 · 2 of 3 parts/);
    await modified.locator(".view-line", { hasText: "beets: 100" }).first().click();
    await window.page.keyboard.press("Control+Alt+h");
    await window.page.keyboard.press("z");
    await isOnDisk(withEdits(0, 1), OTHER);
    await isListed(/\+1 −1 · 1 of 3 parts/);
    // The diff is worked out a moment after the text.
    const removed = window.page.locator(".multiDiffEntry .view-lines.line-delete");
    await poll("one place in the review", async () => (await removed.count()) === 1);
    await window.screenshot("change-parts-multi-after");
    await window.reload();
    await window.command("workbench.view.extension.toolhost");
    await isListed(/\+1 −1 · 1 of 3 parts/);
    // What is left of the turn: what was kept stays.
    await rows().nth(1).hover();
    await rows().nth(1).locator('.action-label[aria-label^="Undo"]').click();
    await isOnDisk(withEdits(1), OTHER);
    await window.notification("1 part that you kept stays.");
  });
});
