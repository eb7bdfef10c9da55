/** npm and the package managers that are used like it: yarn, pnpm and bun. */
import type { Steering } from "../../analysis.js";
import { elsewhere, runs } from "../exceptions.js";
import { addressFindings, newPackages, PUBLISHES, publishFindings } from "../goals.js";
import { valuesOf, type Call } from "../options.js";
import { beyond, each, type CommandSpec, type Exception, type Family, type Finding, type Flags } from "../spec.js";
import { onlyVersion } from "../versions.js";

/** Flags that make npm, yarn and pnpm use another folder, configuration or shell. */
const managerExceptions: readonly Exception[] = [
  elsewhere("--prefix -C --cwd --dir", "uses another folder"),
  { flags: "-g --global", does: "reaches", why: "changes what is installed for the user" },
  elsewhere("-L --location", "changes what is installed for the user"),
  runs(
    "--script-shell --shell --node-options --viewer --editor --git --python --node-gyp --nodedir --pnpmfile --global-pnpmfile --yarn-path --use-node-version --preload",
  ),
  elsewhere(
    "--userconfig --globalconfig --cache --registry --use-yarnrc --config --store-dir --cache-dir --cache-folder --preferred-cache-folder --logs-dir --env-file",
    "takes configuration or packages from elsewhere",
  ),
  elsewhere(
    "--proxy --https-proxy --http-proxy --noproxy --ca --cafile --cert --key --local-address --disturl --dist-url",
    "changes how packages are fetched",
  ),
  {
    flags: "--strict-ssl --no-strict-ssl --dangerously-allow-all-builds --trust --unsafe-perm --no-ignore-scripts",
    does: "reaches",
    why: "turns off a safeguard",
  },
  elsewhere(
    "--modules-folder --link-folder --modules-dir --virtual-store-dir --lockfile-dir --state-dir --devdir --global-folder --global-dir --global-bin-dir",
    "installs packages in another folder",
  ),
];

const managerGlobals: Flags = {
  plain:
    "-s --silent -q --quiet --workspaces -ws --include-workspace-root --no-audit --no-fund --color --no-color --verbose --json -r --recursive --offline",
  value: "-w --workspace --loglevel --filter -F",
  exceptions: managerExceptions,
};

const flags: Flags = {
  value:
    "-w --workspace --loglevel --filter --omit --include --network-timeout --network-concurrency --child-concurrency --save-prefix --tag --mode",
  exceptions: managerExceptions,
};

/**
 * Handles flags that a list of names cannot cover: `--@scope:registry=…`, `--//host/:_authToken=…`, and
 * `--ignore-scripts=false`.
 */
function managerFindings(call: Call): readonly Finding[] {
  const isSource = call.flags.some(({ name }) => /^--?(?:@|\/\/)/u.test(name));
  const runsScripts = valuesOf(call, "--ignore-scripts").some((value) => value !== "true");
  return [
    ...(isSource ? [beyond("unknown", "it takes packages from elsewhere")] : []),
    ...(runsScripts ? [beyond("unknown", "`--ignore-scripts` turns off a safeguard")] : []),
  ];
}

/**
 * Builds the entry of a subcommand that adds the packages it names.
 *
 * @param beyond what the question says of undo
 */
export function adds(spec: CommandSpec, beyond?: string): CommandSpec {
  return {
    ...spec,
    check: (call) => [
      ...(spec.check?.(call) ?? []),
      ...newPackages(call.operands, "installs", beyond),
      ...addressFindings(call.operands.map(({ value }) => value)),
    ],
  };
}

/** Builds the entry of ordinary work in the workspace, which runs the workspace's scripts. */
function works(why: string, prefix?: number): CommandSpec {
  const spec: CommandSpec = {
    effect: "changes",
    why,
    lenient: true,
    anyDashes: true,
    here: "always",
    operands: { rest: "read" },
    flags,
    check: managerFindings,
  };
  return prefix === undefined ? spec : { ...spec, prefix };
}

/** Builds the entry of a subcommand that runs the project's own scripts. */
function ownScripts(why: string, prefix?: number): CommandSpec {
  return { ...works(why, prefix), local: true };
}

/** Builds the entry of a subcommand that publishes, or shows or changes accounts. */
export function publishes(why: string): CommandSpec {
  return { effect: "destroys", why, prefix: 0, lenient: true, operands: { rest: "write" }, flags };
}

function asks(why: string): CommandSpec {
  return { effect: "unknown", why, prefix: 0, lenient: true, operands: { rest: "text" }, flags };
}

function looks(plain = "", value = ""): CommandSpec {
  return {
    effect: "reads",
    here: "always",
    operands: { rest: "text" },
    flags: {
      plain: `-a --all --json --long -l --parseable --help ${plain}`.trim(),
      value: `--depth -w --workspace ${value}`.trim(),
      exceptions: managerExceptions,
    },
  };
}

const scripts = "it runs a script from package.json";
export const installs = "it installs packages, whose scripts run";
/** Git ignores it, and it has more files than are kept: people should know before they say yes. */
const beyondUndo = "undo does not cover node_modules";
const installsModules = `${installs}; ${beyondUndo}`;

const config = publishes("it shows or changes the configuration, which holds tokens");

const runsScript: CommandSpec = {
  ...ownScripts(scripts, 3),
  operands: { first: ["text"], rest: "read" },
  check: (call) => [
    ...managerFindings(call),
    ...publishFindings(
      call.operands.slice(0, call.operandsBeforeDashes).map(({ value }) => value),
      PUBLISHES,
    ),
  ],
};

const managerCommands: Family = {
  ...each("test start stop restart", ownScripts(scripts)),
  run: runsScript,
  ...each("install add link install-test", adds(works(installsModules), beyondUndo)),
  ...each(
    "ci update upgrade remove uninstall dedupe prune rebuild unlink import install-ci-test",
    works(installsModules),
  ),
  audit: works("it queries the registry, and with `fix` installs"),
  pack: ownScripts("it creates an archive"),
  version: { ...works("it changes package.json and creates a tag"), prefix: 0 },
  init: asks("it downloads and runs a package"),
  ...each("exec x dlx create", asks("it downloads and runs a package")),
  ...each("publish unpublish deprecate dist-tag", publishes("it publishes")),
  ...each(
    "login logout adduser token owner access team org profile hook star unstar trust stage",
    publishes("it changes or shows accounts"),
  ),
  ...each(
    "view info show outdated search ping doctor fund bugs docs repo home diff sbom query",
    asks("it uses the network, or starts a browser"),
  ),
  ...each("config get set cache", config),
  pkg: asks("it may change package.json"),
};

/** Fetches what package.json and its lock name, if no package is named. */
const fetching: Family = { install: { ...adds(works(installsModules), beyondUndo), fetches: "npm" } };

/** npm's read-only subcommands. yarn and pnpm run plugins and scripts of the workspace with any command. */
const npmLooking: Family = {
  ...each("ls ll", looks("--omit --include --prod --dev --link --package-lock-only")),
  ...each("explain", looks()),
  ...each("root prefix", looks()),
  help: { ...looks(), operands: {} },
  run: { ...runsScript, alone: looks() },
  config: {
    ...config,
    bare: config,
    subcommands: { get: { ...config, bare: config, subcommands: { registry: { ...looks(), operands: {} } } } },
  },
};

/**
 * `packageManager` and `devEngines` name the pnpm that runs; a string with an escape in it may be either of them
 * (pnpm.io, "packageManager").
 */
const otherPnpm: Steering = {
  files: [{ name: "package.json", harmless: /^(?![^]*(?:packageManager|devEngines|\\u))/u }],
  why: "may name another version of pnpm, which is then downloaded and run",
};

/**
 * Yarn 1 runs the yarn that `.yarnrc` names, in any parent folder, and Yarn 2 to 4 the one in `.yarnrc.yml`, which also
 * names plugins (yarnpkg.com, "yarnPath", "plugins").
 */
const otherYarn: Steering = {
  files: [
    { name: ".yarnrc.yml", harmless: /^(?![^]*(?:yarnPath|plugins|\\))/u },
    { name: ".yarnrc", harmless: /^(?![^]*path)/iu },
    ...otherPnpm.files,
  ],
  why: "may name another version of yarn, or plugins, which are then run",
};

export const npmCommands: Family = {
  npm: {
    effect: "unknown",
    anyDashes: true,
    abbreviated: true,
    globals: managerGlobals,
    bare: onlyVersion("-v --version"),
    subcommands: { ...managerCommands, ...fetching, ci: { ...works(installsModules), fetches: "npm" }, ...npmLooking },
    aliases: {
      i: "install",
      in: "install",
      ins: "install",
      add: "install",
      isntall: "install",
      t: "test",
      tst: "test",
      "run-script": "run",
      rum: "run",
      urn: "run",
      un: "uninstall",
      rm: "uninstall",
      r: "uninstall",
      up: "update",
      c: "config",
      it: "install-test",
      cit: "install-ci-test",
      ic: "ci",
      "clean-install": "ci",
      list: "ls",
      la: "ll",
      why: "explain",
      v: "view",
      rb: "rebuild",
      ddp: "dedupe",
      author: "owner",
      "add-user": "adduser",
      "dist-tags": "dist-tag",
      ln: "link",
      innit: "init",
      se: "search",
      s: "search",
      find: "search",
    },
  },
  yarn: {
    effect: "unknown",
    globals: managerGlobals,
    bare: { ...works(installsModules), prefix: 0, fetches: "npm" },
    subcommands: {
      ...managerCommands,
      ...fetching,
      ...each("--version -v", { effect: "reads", operands: {}, steeredBy: otherYarn }),
      npm: publishes("it publishes"),
      plugin: asks("it loads code into yarn itself"),
      build: ownScripts(scripts),
      lint: ownScripts(scripts),
    },
  },
  pnpm: {
    effect: "unknown",
    globals: managerGlobals,
    bare: { ...onlyVersion("-v --version"), steeredBy: otherPnpm },
    subcommands: { ...managerCommands, ...fetching, build: ownScripts(scripts), lint: ownScripts(scripts) },
    aliases: { i: "install", t: "test", rm: "remove", up: "update" },
  },
  bun: {
    effect: "unknown",
    globals: managerGlobals,
    bare: onlyVersion("-v --version"),
    subcommands: { ...managerCommands, build: ownScripts("it builds") },
    aliases: { i: "install", a: "add", rm: "remove" },
  },
  ...each("npx bunx pnpx", {
    ...asks("it runs a package, and downloads it if missing"),
    operands: { rest: "read" },
  }),
};
