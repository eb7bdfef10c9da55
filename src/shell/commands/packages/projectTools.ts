/** Package managers that work on a project's own list of packages: poetry, uv, composer, bundler and similar. */
import type { Steering } from "../../analysis.js";
import { elsewhere, runs } from "../exceptions.js";
import { addressFindings } from "../goals.js";
import { each, type CommandSpec, type Exception, type Family } from "../spec.js";
import { onlyVersion } from "../versions.js";
import type { Registry } from "../../../text/hosts/presets.js";
import { adds, installs, publishes } from "./npm.js";

/** uv flags that choose what runs and where it comes from. */
const uvElsewhere: readonly Exception[] = [
  elsewhere(
    "--directory --project --env-file --config-file --cache-dir --index --default-index --index-url --extra-index-url --find-links --allow-insecure-host --from",
    "takes packages or configuration from elsewhere",
  ),
  runs("-p --python --with --with-requirements --with-editable", "chooses what runs"),
];

/**
 * @param version its flags that print the version
 * @param fetches the registry from which `sync` gets all that it needs
 */
function projectTool(
  version: string,
  exceptions: readonly Exception[] = [elsewhere("--directory --project --working-dir", "uses another folder")],
  fetches?: Registry,
): CommandSpec {
  const works: CommandSpec = {
    effect: "changes",
    why: installs,
    lenient: true,
    here: "always",
    operands: { rest: "read" },
    flags: { value: "--group --extra --with --without --only -G", exceptions },
  };
  return {
    effect: "unknown",
    globals: {
      plain: "-q --quiet -v --verbose -n --no-interaction",
      exceptions: [elsewhere("-C --directory --project -d --working-dir", "uses another folder")],
    },
    bare: onlyVersion(version),
    subcommands: {
      ...each("install add require", adds(works)),
      ...each("remove update lock", works),
      sync: { ...works, ...(fetches !== undefined && { fetches }) },
      ...each("exec run", {
        ...works,
        why: "it runs a program of the project",
        prefix: 3,
        runs: true,
        operands: { first: ["text"], rest: "read" },
        flags: { exceptions },
        check: (call) => addressFindings(call.operands.map(({ value }) => value)),
      }),
      ...each("publish config self", publishes("it publishes, or changes the configuration")),
    },
  };
}

/** Bundler 2.3 and later starts the version that Gemfile.lock names, from the gem folder that this file may choose. */
const otherBundler: Steering = {
  files: [
    { name: ".bundle/config", harmless: /^(?![^]*(?:path|deployment|gemfile|version|plugin|system|global|home|\\))/iu },
  ],
  why: "may choose a folder from which another version of Bundler runs",
};

const bundler = projectTool("-v --version");

export const projectToolCommands: Family = {
  // `-v` makes poetry, uv and composer verbose; for bundler, `-V` does.
  ...each("poetry pdm composer", projectTool("-V --version")),
  uv: projectTool("-V --version", uvElsewhere, "pypi"),
  pipenv: projectTool("--version"),
  bundle: { ...bundler, bare: { ...onlyVersion("-v --version"), steeredBy: otherBundler } },
};
