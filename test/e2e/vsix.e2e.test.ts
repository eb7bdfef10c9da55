// The package a user gets: made by the script of `npm run package`, installed by VS Code itself, used from the chat and
// the palette.
import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { extensionPage, repository } from "../../scripts/paths.mjs";
import { buildPackage, type BuiltPackage } from "../harness/package";
import { poll } from "../harness/poll";
import { sampleFixture, startServer, type Server } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { resultTexts } from "./answers";
import { firstHour } from "./suites/firstHour";

let built: BuiltPackage;
beforeAll(() => {
  built = buildPackage();
});

firstHour(() => built.path);

describe("the installed package", () => {
  let server: Server;
  let window: Workbench;
  let folder: string;

  beforeAll(async () => {
    server = await startServer({ extensions: [], packages: [built.path], cleanUp: [built.checkout] });
    folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder, copilot: true });
  });

  it("is installed as a copy of its own, outside the checkout, with nothing but what it needs", async () => {
    const place = join(server.dataDir, "extensions");
    const name = readdirSync(place).find((entry) => entry.startsWith("toolhost.toolhost-")) ?? "";
    expect(lstatSync(join(place, name)).isSymbolicLink()).toBe(false);
    const files = readdirSync(join(place, name), { recursive: true, encoding: "utf8" });
    expect(files).toContain(join("dist", "extension.js"));
    expect(files.filter((file) => /^(src|test|scripts|node_modules)\b|\.map$/.test(file))).toEqual([]);
    const { contributes, icon } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
      contributes: { walkthroughs: { steps: { media: { image: string } }[] }[] };
      icon: string;
    };
    const pictures = contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.image));
    expect(files.filter((file) => file.endsWith(".png")).sort()).toEqual([...new Set([icon, ...pictures])].sort());
    // The page is a file of its own: pictures and links of README.md lead nowhere there.
    expect(readFileSync(join(place, name, "readme.md"), "utf8")).toBe(
      readFileSync(join(repository, extensionPage), "utf8"),
    );
    const running = await window.rig.run(async (vscode) => {
      const extension = vscode.extensions.getExtension("toolhost.toolhost");
      await extension?.activate();
      return { path: extension?.extensionPath ?? "", active: extension?.isActive };
    });
    expect(running.active).toBe(true);
    expect(running.path).toContain(place);
  });

  it("has a page that says what it does", async () => {
    await window.command("workbench.extensions.search", "@installed toolhost");
    await window.page.locator(".extensions-list .extension-list-item", { hasText: "Toolhost" }).first().click();
    // The page is in a frame of its own.
    const page = window.page.frameLocator("iframe.webview").frameLocator("iframe");
    await page.getByText("The first five minutes").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    await window.screenshot("vsix-page");
    await window.command("workbench.action.closeAllEditors");
  });

  it("serves Copilot's agent", async () => {
    await window.model.script(
      [
        {
          calls: [
            { name: "toolhost_grep", input: { pattern: "Hello" } },
            { name: "toolhost_read", input: { path: "src/greet.ts" } },
          ],
        },
        { text: "Found it." },
      ],
      { toolPrefix: "toolhost_" },
    );
    await window.chat.ask("Where is the greeting?");
    expect(await window.chat.waitForAnswer()).toContain("Found it.");
    expect(resultTexts(await window.model.requests())).toEqual([
      expect.stringMatching(/^src\/greet\.ts\n {2}3: /),
      expect.stringMatching(/^3\t/m),
    ]);
    await window.screenshot("vsix-chat");
  });

  it("serves the palette", async () => {
    // The command does not resolve while its form is open.
    void window.command("toolhost.run.read").catch(() => undefined);
    const form = await window.quickInput();
    await form.pick("path");
    const box = await window.quickInput();
    await poll("the box for the path", async () => (await box.items()).length === 0);
    await box.type("src/greet.ts");
    await box.accept();
    await poll("the form again", async () =>
      (await (await window.quickInput()).items()).some((row) => row.includes("src/greet.ts")),
    );
    await (await window.quickInput()).pick("Run");
    const text = await poll("the result", () =>
      window.rig.run((vscode) => {
        const document = vscode.window.activeTextEditor?.document;
        return document?.uri.scheme === "toolhost-result" ? document.getText() : undefined;
      }),
    );
    expect(text).toContain("Hello, ${name}");
    await window.screenshot("vsix-palette");
  });
});
