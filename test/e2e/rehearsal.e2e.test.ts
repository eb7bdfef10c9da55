// A command that asks in the chat is tried first: the question shows what it did, and yes makes exactly that.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { missingSandbox } from "../system/hosts/processes/missingSandbox";
import { resultTexts } from "./answers";

/** Not understood, so it asks; every run writes something else. */
const COMMAND = 'eval "$(cat make.sh)"';
const SCRIPT = "echo made $RANDOM$RANDOM > made.txt; echo two >> notes.txt; rm old.txt; echo three files";

describe.skipIf(missingSandbox() !== undefined)("a command that asks in the chat", () => {
  let window: Workbench;
  let folder: string;
  const told = async (): Promise<string> => resultTexts(await window.model.requests()).at(-1) ?? "";
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");

  beforeAll(async () => {
    const server = await startServer({ settings: { "toolhost.sandbox.commands": "auto" } });
    folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder });
  });

  async function ask(): Promise<void> {
    for (const [name, text] of [
      ["make.sh", SCRIPT],
      ["notes.txt", "one\n"],
      ["old.txt", "old\n"],
    ] as const) {
      writeFileSync(join(folder, name), text);
    }
    execFileSync("rm", ["-f", "made.txt"], { cwd: folder });
    await window.model.script([{ calls: [{ name: "toolhost_exec", input: { command: COMMAND } }] }, { text: "Done." }]);
    await window.chat.ask("@toolhost make it");
  }

  it("is tried first; yes makes exactly what the question shows", async () => {
    await ask();
    const question = await window.chat.question();
    expect(question.text).toContain("exit code 0; 1 created, 1 changed, 1 deleted");
    expect(question.text).toContain("Yes makes exactly these changes. It is not run again.");
    const made = /made \d+/.exec(question.text)?.[0] ?? "";
    expect(made).not.toBe("");
    expect([read("notes.txt"), read("old.txt")]).toEqual(["one\n", "old\n"]);
    await window.screenshot("rehearsal");
    await question.press("Allow Once");
    await window.chat.waitForAnswer();
    const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
    expect(hash(read("made.txt"))).toBe(hash(`${made}\n`));
    expect(read("notes.txt")).toBe("one\ntwo\n");
    expect(() => read("old.txt")).toThrow("ENOENT");
    expect(await told()).toMatch(/^It ran in a sandbox.*\n\[Exit code 0/);
    await window.screenshot("rehearsal-made");
  });

  it("is run if the folder changed while the question was open, which the answer says", async () => {
    await ask();
    const question = await window.chat.question();
    const made = /made \d+/.exec(question.text)?.[0] ?? "";
    writeFileSync(join(folder, "notes.txt"), "mine\n");
    await question.press("Allow Once");
    await window.chat.waitForAnswer();
    expect(await told()).toMatch(/^It was tried in a sandbox first, and then run outside of it, since /);
    expect(read("notes.txt")).toBe("mine\ntwo\n");
    expect(read("made.txt")).not.toBe(`${made}\n`);
  });

  it("leaves nothing after a no", async () => {
    await ask();
    const question = await window.chat.question();
    await question.press("Don't Allow");
    await window.chat.waitForAnswer();
    await poll("the answer", async () => (await told()).startsWith("Error (denied)"));
    expect([read("notes.txt"), read("old.txt")]).toEqual(["one\n", "old\n"]);
    expect(() => read("made.txt")).toThrow("ENOENT");
  });
});
