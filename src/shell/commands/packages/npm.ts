/** Package managers: npm and similar, Python's, Rust's, and those of operating systems. */
import type { Steering } from "../../analysis.js";
import { addressFindings, publishFindings, PUBLISHES } from "../goals.js";
import { valuesOf, type Call } from "../options.js";
import { beyond, each, type CommandSpec, type Exception, type Family, type Finding, type Flags } from "../spec.js";
import { onlyVersion } from "../versions.js";
import { pythonStart } from "../build/python.js";

/** Flags that make npm, yarn and pnpm use another folder, configuration or shell. */
const elsewhere: readonly Exception[] = [
  { flags: "--prefix -C --cwd --dir", takes: "value", does: "reaches", why: "uses another folder" },
  { flags: "-g --global", does: "reaches", why: "changes what is installed for the user" },
  { flags: "-L --location", takes: "value", does: "reaches", why: "changes what is installed for the user" },
  {
    flags:
      "--script-shell --shell --node-options --viewer --editor --git --python --node-gyp --nodedir --pnpmfile --global-pnpmfile --yarn-path --use-node-version --preload",
    takes: "value",
    does: "runs",
    why: "names a program to run",
  },
  {
    flags:
      "--userconfig --globalconfig --cache --registry --use-yarnrc --config --store-dir --cache-dir --cache-folder --preferred-cache-folder --logs-dir --env-file",
    takes: "value",
    does: "reaches",
    why: "takes configuration or packages from elsewhere",
  },
  {
    flags:
      "--proxy --https-proxy --http-proxy --noproxy --ca --cafile --cert --key --local-address --disturl --dist-url",
    takes: "value",
    does: "reaches",
    why: "changes how packages are fetched",
  },
  {
    flags: "--strict-ssl --no-strict-ssl --dangerously-allow-all-builds --trust --unsafe-perm --no-ignore-scripts",
    does: "reaches",
    why: "turns off a safeguard",
  },
  {
    flags:
      "--modules-folder --link-folder --modules-dir --virtual-store-dir --lockfile-dir --state-dir --devdir --global-folder --global-dir --global-bin-dir",
    takes: "value",
    does: "reaches",
    why: "installs packages in another folder",
  },
];

const managerGlobals: Flags = {
  plain:
    "-s --silent -q --quiet --workspaces -ws --include-workspace-root --no-audit --no-fund --color --no-color --verbose --json -r --recursive --offline",
  value: "-w --workspace --loglevel --filter -F",
  exceptions: elsewhere,
};

const flags: Flags = {
  value:
    "-w --workspace --loglevel --filter --omit --include --network-timeout --network-concurrency --child-concurrency --save-prefix --tag --mode",
  exceptions: elsewhere,
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

/** Reports named packages, which may be new ones. Installing those that the manifest lists is ordinary work. */
function newPackages(names: readonly (string | undefined)[]): readonly Finding[] {
  return names.length === 0
    ? []
    : [
        {
          effect: "unknown",
          why: "it installs packages named in the command, and their code runs",
          beyond: false,
          closed: true,
        },
      ];
}

/** Builds the entry of a subcommand that adds the packages it names. */
function adds(spec: CommandSpec): CommandSpec {
  return {
    ...spec,
    check: (call) => [
      ...(spec.check?.(call) ?? []),
      ...newPackages(call.operands.map(({ value }) => value)),
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

/** Builds the entry of a subcommand that publishes, or shows or changes accounts. */
function publishes(why: string): CommandSpec {
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
      exceptions: elsewhere,
    },
  };
}

const scripts = "it runs a script from package.json";
const installs = "it installs packages, whose scripts run";

const config = publishes("it shows or changes the configuration, which holds tokens");

const runsScript: CommandSpec = {
  ...works(scripts, 3),
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
  ...each("test start stop restart", works(scripts)),
  run: runsScript,
  ...each("install add link install-test", adds(works(installs))),
  ...each("ci update upgrade remove uninstall dedupe prune rebuild unlink import install-ci-test", works(installs)),
  audit: works("it queries the registry, and with `fix` installs"),
  pack: works("it creates an archive"),
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

const managers: Family = {
  npm: {
    effect: "unknown",
    anyDashes: true,
    abbreviated: true,
    globals: managerGlobals,
    bare: onlyVersion("-v --version"),
    subcommands: { ...managerCommands, ...npmLooking },
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
    bare: { ...works(installs), prefix: 0 },
    subcommands: {
      ...managerCommands,
      ...each("--version -v", { effect: "reads", operands: {}, steeredBy: otherYarn }),
      npm: publishes("it publishes"),
      plugin: asks("it loads code into yarn itself"),
      build: works(scripts),
      lint: works(scripts),
    },
  },
  pnpm: {
    effect: "unknown",
    globals: managerGlobals,
    bare: { ...onlyVersion("-v --version"), steeredBy: otherPnpm },
    subcommands: { ...managerCommands, build: works(scripts), lint: works(scripts) },
    aliases: { i: "install", t: "test", rm: "remove", up: "update" },
  },
  bun: {
    effect: "unknown",
    globals: managerGlobals,
    bare: onlyVersion("-v --version"),
    subcommands: { ...managerCommands, build: works("it builds") },
    aliases: { i: "install", a: "add", rm: "remove" },
  },
  ...each("npx bunx pnpx", {
    ...asks("it runs a package, and downloads it if missing"),
    operands: { rest: "read" },
  }),
};

/** uv flags that choose what runs and where it comes from. */
const uvElsewhere: readonly Exception[] = [
  {
    flags:
      "--directory --project --env-file --config-file --cache-dir --index --default-index --index-url --extra-index-url --find-links --allow-insecure-host --from",
    takes: "value",
    does: "reaches",
    why: "takes packages or configuration from elsewhere",
  },
  {
    flags: "-p --python --with --with-requirements --with-editable",
    takes: "value",
    does: "runs",
    why: "chooses what runs",
  },
];

/** @param version its flags that print the version */
function projectTool(
  version: string,
  exceptions: readonly Exception[] = [
    { flags: "--directory --project --working-dir", takes: "value", does: "reaches", why: "uses another folder" },
  ],
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
      exceptions: [
        {
          flags: "-C --directory --project -d --working-dir",
          takes: "value",
          does: "reaches",
          why: "uses another folder",
        },
      ],
    },
    bare: onlyVersion(version),
    subcommands: {
      ...each("install add require", adds(works)),
      ...each("remove update lock sync", works),
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

/** Allows the project itself (`.`, `.[dev]`) and lists of requirements; reports names and addresses. */
function pipFindings(call: Call): readonly Finding[] {
  const named = call.operands.map(({ value }) => value);
  const lists = valuesOf(call, "-r --requirement -c --constraint -e --editable");
  return [
    ...newPackages(named.filter((name) => name === undefined || !/^\.\/?(?:\[[\w,-]+\])?$/u.test(name))),
    ...addressFindings([...named, ...lists]),
  ];
}

/** Flags that pip 9 to 25 also accepts after a subcommand. */
const pipElsewhere: readonly Exception[] = [
  { flags: "--python", takes: "value", does: "runs", why: "names a program to run" },
  { flags: "--log", takes: "value", does: "writes", why: "writes a log" },
  { flags: "-o --outdated -u --uptodate", does: "reaches", why: "asks the network for newer versions" },
];

/**
 * Shows the metadata of installed packages. pip before 24 asks its index once a week whether there is a newer pip, as
 * npm does.
 */
const pipLooks: CommandSpec = {
  effect: "reads",
  operands: { rest: "text" },
  flags: {
    plain:
      "-l --local --user --not-required --exclude-editable -e --editable -v --verbose -q --quiet -f --files --no-index --disable-pip-version-check",
    value: "--format --exclude",
    exceptions: pipElsewhere,
  },
  steeredBy: pythonStart,
};

/** Bundler 2.3 and later starts the version that Gemfile.lock names, from the gem folder that this file may choose. */
const otherBundler: Steering = {
  files: [
    { name: ".bundle/config", harmless: /^(?![^]*(?:path|deployment|gemfile|version|plugin|system|global|home|\\))/iu },
  ],
  why: "may choose a folder from which another version of Bundler runs",
};

const bundler = projectTool("-v --version");

const others: Family = {
  ...each("pip pip3", {
    effect: "unknown",
    globals: {
      plain: "-q --quiet -v --verbose",
      exceptions: [{ flags: "--python", takes: "value", does: "runs", why: "names a program to run" }],
    },
    bare: { ...onlyVersion("-V --version"), steeredBy: pythonStart },
    subcommands: {
      ...each("list show check", pipLooks),
      freeze: {
        effect: "changes",
        why: "for editable installs it runs version control in their source folders, wherever those are, and prints repository URLs with any tokens in them",
        lenient: true,
        operands: {},
        flags: {
          exceptions: [
            ...pipElsewhere,
            { flags: "-r --requirement --path", takes: "value", does: "reaches", why: "reads other files" },
          ],
        },
      },
      ...each("install uninstall download wheel", {
        effect: "changes",
        why: installs,
        lenient: true,
        operands: { rest: "read" },
        check: pipFindings,
        flags: {
          read: "-r --requirement -c --constraint -e --editable",
          exceptions: [
            {
              flags:
                "-t --target --prefix --root --user --index-url -i --extra-index-url --python --config-settings -f --find-links --src --cache-dir -C --global-option",
              takes: "value",
              does: "reaches",
              why: "takes packages from another source, or installs them in another folder",
            },
            {
              flags: "--trusted-host --proxy --cert --client-cert --keyring-provider --use-feature --use-deprecated",
              takes: "value",
              does: "reaches",
              why: "changes how packages are fetched",
            },
            {
              flags: "--report --log -d --dest -w --wheel-dir",
              takes: "value",
              does: "writes",
              why: "writes to the path it names",
            },
          ],
        },
      }),
    },
  }),
  // `-v` makes poetry, uv and composer verbose; for bundler, `-V` does.
  ...each("poetry pdm composer", projectTool("-V --version")),
  uv: projectTool("-V --version", uvElsewhere),
  pipenv: projectTool("--version"),
  bundle: { ...bundler, bare: { ...onlyVersion("-v --version"), steeredBy: otherBundler } },
  ...each("gem brew apt apt-get dpkg yum dnf pacman apk snap flatpak port choco winget pipx conda mamba", {
    effect: "destroys",
    why: "it changes what is installed on the machine",
    prefix: 0,
    lenient: true,
    operands: { rest: "text" },
  }),
};

export const packageCommands: Family = { ...managers, ...others };
