// A real project in TypeScript, from the npm registry, whose symbols the tests of the language servers ask about.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announce, runLogged, SetupError } from "./child.mjs";
import { cache } from "./paths.mjs";

/** Its package has its sources: 553 files with 88,000 lines. */
const PROJECT = { name: "@theia/core", version: "1.75.0" };

const folder = join(cache, `theia-core-${PROJECT.version}`);

/** What its sources need to be one project; the packages that they import are not there. */
const CONFIGURATION = {
  compilerOptions: {
    ...{ target: "ES2023", module: "CommonJS", moduleResolution: "node10", lib: ["ES2023", "DOM", "DOM.Iterable"] },
    ...{ jsx: "react", experimentalDecorators: true, emitDecoratorMetadata: true, strict: true, skipLibCheck: true },
    ...{ resolveJsonModule: true, noEmit: true, types: [], ignoreDeprecations: "6.0" },
  },
  include: ["src"],
};

/**
 * @returns {string} the project's folder: its sources below `src`, and `tsconfig.json`
 * @throws {SetupError} when setup has not run yet
 */
export function findProject() {
  if (!existsSync(folder))
    throw new SetupError(
      `The sources of ${PROJECT.name} are missing: run \`npm test\` or \`node scripts/setup.mjs integration\` once.`,
    );
  return folder;
}

/** Downloads the project unless it is there. Callers hold the setup lock. */
export async function ensureProject() {
  if (existsSync(folder)) return;
  announce(`downloading the sources of ${PROJECT.name} ${PROJECT.version} (once; 3 MB)`);
  const partial = `${folder}-partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(join(partial, "project"), { recursive: true });
  const archive = `${PROJECT.name.replace("@", "").replace("/", "-")}-${PROJECT.version}.tgz`;
  await runLogged("project", "npm", ["pack", "--ignore-scripts", `${PROJECT.name}@${PROJECT.version}`], {
    cwd: partial,
  });
  await runLogged("project-unpacked", "tar", ["-xzf", archive, "package/src"], { cwd: partial });
  cpSync(join(partial, "package", "src"), join(partial, "project", "src"), { recursive: true });
  writeFileSync(join(partial, "project", "tsconfig.json"), JSON.stringify(CONFIGURATION, undefined, 2));
  renameSync(join(partial, "project"), folder);
  rmSync(partial, { recursive: true, force: true });
}
