import { expect, test } from "vitest";
import { world } from "../../core/permission/permissionRig.js";
import { ATTACKS } from "./attacks.js";
import { EVERYDAY } from "./everyday.js";

const { explain } = world({ inPowerShell: true });

test.each(EVERYDAY)("%s runs without a question", async (command) => {
  expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
});

const attacks = Object.entries(ATTACKS).flatMap(([does, lines]) => lines.map((line) => [does, line] as const));

test.each(attacks)("what %s asks: %s", async (_, command) => {
  expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
});

test.each([
  "gci src\\*.ts | gc",
  "gci src\\* -Include *.ts | sls x",
  "gci src -Recurse -Include *.ts | gci | gc",
  "gci src -Recurse -Filter *.ts | gci -Recurse | sls x",
  "gci src -Filter *.ts | ? Length | gci | gc",
  "gi src\\*.ts | gci | gc",
  "rvpa src\\*.ts | gci | gc",
  "gci src\\*.ts -Recurse | gc",
  "gci S*\\x.TS | gc",
])("a folder with the name of a source is not one: %s", async (command) => {
  const files = ["src/a.ts", "src/x.ts/.env", "src/x.ts/b.ts"];
  expect(await world({ inPowerShell: true, files }).explain("exec", { command })).toMatchObject({ decision: "ask" });
  // The same without the secret.
  const harmless = world({ inPowerShell: true, files: ["src/a.ts", "src/x.ts/b.ts"] });
  expect(await harmless.explain("exec", { command })).toMatchObject({ decision: "allow" });
});

test("a filter finds longer endings by their short names, too", async () => {
  const command = "gci src -Filter *.sql | gc";
  const short = world({ inPowerShell: true, files: ["src/a.sql", "src/.env.sqlite"] });
  expect(await short.explain("exec", { command })).toMatchObject({ decision: "ask" });
  const harmless = world({ inPowerShell: true, files: ["src/a.sql", "src/.env.local"] });
  expect(await harmless.explain("exec", { command })).toMatchObject({ decision: "allow" });
});

test.each(["", ".ps1", ".exe", ".js", ".vbs", ".wsf", ".msc"])(
  "a program of the workspace with the ending «%s» in PATH asks",
  async (ending) => {
    const files = ["bin/git", "a.txt"];
    const find = async (name: string): Promise<string[]> => (name === `git${ending}` ? [`/work/bin/${name}`] : []);
    const there = world({ inPowerShell: true, files, programs: { find } });
    expect(await there.explain("exec", { command: "git --version" })).toMatchObject({ decision: "ask" });
    const elsewhere = world({ inPowerShell: true, files, programs: { find: async () => ["/usr/bin/git"] } });
    expect(await elsewhere.explain("exec", { command: "git --version" })).toMatchObject({ decision: "allow" });
  },
);

test("the tables are long enough to mean something", () => {
  expect(new Set(EVERYDAY).size).toBeGreaterThanOrEqual(75);
  expect(new Set(attacks.map(([, line]) => line)).size).toBeGreaterThanOrEqual(400);
});
