import { expect, it, describe } from "vitest";
import { openWorkspace, result } from "./workspace.js";

const FILES = {
  "a.txt": "TODO a\n",
  ".env": "KEY=TODO secret\n",
  "sub/.env.local": "KEY=TODO secret\n",
  "sub/b.ts": "// TODO b\n",
  "certs/server.pem": "TODO secret\n",
  ".hidden": "TODO hidden\n",
};

describe.skipIf(process.platform === "win32")("a search of everything by a command", () => {
  it.each([
    [
      "grep -rn TODO .",
      "grep --exclude=.env --exclude=.env.local --exclude=server.pem -rn TODO .",
      ["a.txt", ".hidden", "sub/b.ts"],
    ],
    [
      "rg --hidden TODO",
      "rg --glob='!.env' --glob='!.env.local' --glob='!server.pem' --hidden TODO",
      ["a.txt", ".hidden", "sub/b.ts"],
    ],
    [
      "rg -uu TODO certs .",
      "rg --glob='!server.pem' --glob='!.env' --glob='!.env.local' -uu TODO certs .",
      ["a.txt", ".hidden", "sub/b.ts"],
    ],
    ["grep -rc '' certs | cat", "grep --exclude=server.pem -rc '' certs | cat", []],
  ])("%s runs unasked without the files that may be secret, and says so first", async (command, ran, found) => {
    const workspace = await openWorkspace(FILES);
    const { text } = result(await workspace.call("exec", { command }, { as: "model" }));
    expect(workspace.asked).toEqual([]);
    const [note = "", ...output] = text.split("\n");
    expect(note).toMatch(
      /^\[(?:[\w.]+, )*[\w.]+ (?:is skipped, as it|are skipped, as they) may hold secrets: the command run is `/,
    );
    expect(note.replace(/^.*the command run is/, "")).toBe(` \`${ran}\`.]`);
    expect(output.join("\n")).not.toContain("secret");
    for (const file of found) {
      expect(output.join("\n")).toContain(file);
    }
  });

  it("is shown as it runs", async () => {
    const workspace = await openWorkspace(FILES);
    const { summary, question } = await workspace.prepare("exec", { command: "grep -rn TODO ." }, { as: "model" });
    expect(question).toBeUndefined();
    expect(summary).toBe("Run grep --exclude=.env --exclude=.env.local --exclude=server.pem -rn TODO .");
  });

  it("runs as it was given for its owner, and where a person said yes to it", async () => {
    const workspace = await openWorkspace(FILES);
    expect(result(await workspace.call("exec", { command: "grep -rn TODO ." }, { as: "owner" })).text).toContain(
      "secret",
    );
    const asked = await openWorkspace(FILES);
    expect(
      result(
        await asked.call("exec", { command: "grep -rn TODO . .env" }, { as: "model", answer: true, mode: "default" }),
      ).text,
    ).toContain("secret");
    expect(asked.asked).toHaveLength(1);
  });
});
