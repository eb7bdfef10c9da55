// A real project in TypeScript, from the npm registry, whose symbols the tests of the language servers ask about.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announce, runLogged, SetupError } from "./child.mjs";
import { cache } from "./paths.mjs";

/** Their packages have their sources: the first one's, 553 files with 88,000 lines, are asked about by the tests. */
const PROJECT = { name: "@theia/core", version: "1.75.0" };
/** Another one, which only code_search is measured with: nothing was tuned by it. */
const OTHER = { name: "rxjs", version: "7.8.2" };

/** @param {typeof PROJECT} project */
const folderOf = ({ name, version }) => join(cache, `${name.replace("@", "").replace("/", "-")}-${version}`);

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
export const findProject = () => found(PROJECT);

/**
 * @returns {string} the other project's folder, in the same form
 * @throws {SetupError} when setup has not run yet
 */
export const findOtherProject = () => found(OTHER);

/** @param {typeof PROJECT} project */
function found(project) {
  const folder = folderOf(project);
  if (!existsSync(folder))
    throw new SetupError(`The sources of ${project.name} are missing: run \`node scripts/setup.mjs bench\` once.`);
  return folder;
}

/** Downloads the project unless it is there. Callers hold the setup lock. */
export const ensureProject = () => ensured(PROJECT);

/** Downloads the other project unless it is there. Callers hold the setup lock. */
export const ensureOtherProject = () => ensured(OTHER);

/** @param {typeof PROJECT} project */
async function ensured(project) {
  const folder = folderOf(project);
  if (existsSync(folder)) return;
  announce(`downloading the sources of ${project.name} ${project.version} (once; up to 3 MB)`);
  const partial = `${folder}-partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(join(partial, "project"), { recursive: true });
  const archive = `${project.name.replace("@", "").replace("/", "-")}-${project.version}.tgz`;
  await runLogged("project", "npm", ["pack", "--ignore-scripts", `${project.name}@${project.version}`], {
    cwd: partial,
  });
  await runLogged("project-unpacked", "tar", ["-xzf", archive, "package/src"], { cwd: partial });
  cpSync(join(partial, "package", "src"), join(partial, "project", "src"), { recursive: true });
  writeFileSync(join(partial, "project", "tsconfig.json"), JSON.stringify(CONFIGURATION, undefined, 2));
  renameSync(join(partial, "project"), folder);
  rmSync(partial, { recursive: true, force: true });
}
