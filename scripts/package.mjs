// Makes toolhost-<version>.vsix from a production build.
import { createVSIX } from "@vscode/vsce";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { extensionPage, repository } from "./paths.mjs";

const { version } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
const packagePath = join(repository, `toolhost-${version}.vsix`);

await createVSIX({
  cwd: repository,
  packagePath,
  readmePath: extensionPage,
  // Everything is in the bundles (vsce runs vscode:prepublish, which makes them).
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
console.log(packagePath);
