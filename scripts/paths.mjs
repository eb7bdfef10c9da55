// Where the scripts find and keep things. Nothing is written outside the checkout but temp folders.
import { fileURLToPath } from "node:url";
import { join } from "node:path";

/** The checkout. */
export const repository = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** What the scripts download or build for themselves; git ignores it. */
export const cache = join(repository, ".vscode-test");

/** Where the output of long child processes goes. */
export const logs = join(cache, "logs");

/** What a test run leaves behind for people: reports, screenshots, logs of failed tests. */
export const testResults = join(repository, "test-results");

export const modules = join(repository, "node_modules");

/** What VS Code shows as the extension's page, in place of README.md: it has neither its pictures nor its links to docs. */
export const extensionPage = "docs/extension-page.md";
