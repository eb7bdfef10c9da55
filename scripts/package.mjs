// Makes toolhost-<version>.vsix from a production build.
import { createVSIX } from "@vscode/vsce";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
const packagePath = `${root}toolhost-${version}.vsix`;

await createVSIX({
  cwd: root,
  packagePath,
  // Everything is in the bundles (vsce runs vscode:prepublish, which makes them).
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
console.log(packagePath);
