/** Package managers: npm and its kin, Python's, Rust's, and those of the system. */
import { each, type CommandSpec, type Exception, type Family, type Flags } from "./spec.js";
import { onlyVersion } from "./versions.js";

/** What makes npm, yarn and pnpm work in another folder, by another configuration or with another shell. */
const elsewhere: readonly Exception[] = [
  { flags: "--prefix -C --cwd --dir", takes: "value", does: "reaches", why: "goes to another folder" },
  { flags: "-g --global --location", does: "reaches", why: "changes what is installed for the user" },
  { flags: "--script-shell --shell --node-options --viewer --editor --git", takes: "value", does: "runs", why: "names a program to run" },
  { flags: "--userconfig --globalconfig --cache --registry --use-yarnrc --config --store-dir", takes: "value", does: "reaches", why: "takes configuration or packages from elsewhere" },
];

const managerGlobals: Flags = {
  plain: "-s --silent -q --quiet --workspaces -ws --include-workspace-root --no-audit --no-fund --color --no-color --verbose --json -r --recursive --offline",
  value: "-w --workspace --loglevel --filter -F",
  exceptions: elsewhere,
};

const flags: Flags = { value: "-w --workspace --loglevel --filter", exceptions: elsewhere };

/** Ordinary work in the workspace, which runs its own scripts. */
function works(why: string, prefix?: number): CommandSpec {
  const spec: CommandSpec = { effect: "changes", why, lenient: true, anyDashes: true, here: "always", operands: { rest: "read" }, flags };
  return prefix === undefined ? spec : { ...spec, prefix };
}

/** Publishes, or shows and changes accounts. */
function publishes(why: string): CommandSpec {
  return { effect: "destroys", why, prefix: 0, lenient: true, operands: { rest: "write" }, flags };
}

function asks(why: string): CommandSpec {
  return { effect: "unknown", why, prefix: 0, lenient: true, operands: { rest: "text" }, flags };
}

function looks(plain = "", value = ""): CommandSpec {
  return { effect: "reads", here: "always", operands: { rest: "text" }, flags: { plain: `-a --all --json --long -l --parseable --help ${plain}`.trim(), value: `--depth -w --workspace ${value}`.trim(), exceptions: elsewhere } };
}

const scripts = "it runs a script of package.json";
const installs = "it installs packages, whose scripts run";

const managerCommands: Family = {
  ...each("test start stop restart", works(scripts)),
  run: { ...works(scripts, 3), operands: { first: ["text"], rest: "read" } },
  ...each("install ci add update upgrade remove uninstall dedupe prune rebuild link unlink import", works(installs)),
  ...each("install-test install-ci-test", works(installs)),
  audit: works("it asks the registry, and with `fix` installs"),
  pack: works("it makes an archive"),
  version: { ...works("it changes package.json and makes a tag"), prefix: 0 },
  init: asks("it downloads and runs a package"),
  ...each("exec x dlx create", asks("it downloads and runs a package")),
  ...each("publish unpublish deprecate dist-tag", publishes("it publishes")),
  ...each("login logout adduser token owner access team org profile hook star unstar trust stage", publishes("it changes or shows accounts")),
  ...each("view info show outdated search ping doctor fund bugs docs repo home diff sbom query", asks("it goes to the network, or starts a browser")),
  ...each("config get set cache", publishes("it shows or changes the configuration, in which tokens are")),
  pkg: asks("it may change package.json"),
};

/** What looks only, for npm. yarn and pnpm run plugins and scripts of the workspace at any command. */
const npmLooking: Family = {
  ...each("ls ll", looks("--omit --include --prod --dev --link --package-lock-only")),
  ...each("explain", looks()),
  ...each("root prefix", looks()),
  help: { ...looks(), operands: {} },
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
      i: "install", in: "install", ins: "install", add: "install", isntall: "install", t: "test", tst: "test", "run-script": "run", rum: "run", urn: "run",
      un: "uninstall", rm: "uninstall", r: "uninstall", up: "update", c: "config", it: "install-test", cit: "install-ci-test", ic: "ci",
      "clean-install": "ci", list: "ls", la: "ll", why: "explain", v: "view", rb: "rebuild", ddp: "dedupe", author: "owner", "add-user": "adduser",
      "dist-tags": "dist-tag", ln: "link", innit: "init", se: "search", s: "search", find: "search",
    },
  },
  yarn: { effect: "unknown", globals: managerGlobals, bare: { ...works(installs), prefix: 0 }, subcommands: { ...managerCommands, npm: publishes("it publishes"), plugin: asks("it takes code into yarn itself"), build: works(scripts), lint: works(scripts) } },
  pnpm: { effect: "unknown", globals: managerGlobals, bare: onlyVersion("-v --version"), subcommands: { ...managerCommands, build: works(scripts), lint: works(scripts) }, aliases: { i: "install", t: "test", rm: "remove", up: "update" } },
  bun: { effect: "unknown", globals: managerGlobals, bare: onlyVersion("-v --version"), subcommands: { ...managerCommands, build: works("it builds") }, aliases: { i: "install", a: "add", rm: "remove" } },
  ...each("npx bunx pnpx", { ...asks("it runs a package, and downloads it when it is not there"), operands: { rest: "read" } }),
};

/** @param version its flags that print the version */
function projectTool(version: string): CommandSpec {
  return {
    effect: "unknown",
    globals: { plain: "-q --quiet -v --verbose -n --no-interaction", exceptions: [{ flags: "-C --directory --project -d --working-dir", takes: "value", does: "reaches", why: "goes to another folder" }] },
    bare: onlyVersion(version),
    subcommands: {
      ...each("install add remove update lock sync", { effect: "changes", why: installs, lenient: true, here: "always", operands: { rest: "read" } }),
      ...each("exec run", { effect: "changes", why: "it runs a program of the project", prefix: 3, lenient: true, runs: true, here: "always", operands: { first: ["text"], rest: "read" } }),
      ...each("publish config self", publishes("it publishes, or changes the configuration")),
    },
  };
}

const others: Family = {
  ...each("pip pip3", {
    effect: "unknown",
    globals: { plain: "-q --quiet -v --verbose", exceptions: [{ flags: "--python", takes: "value", does: "runs", why: "names a program to run" }] },
    bare: onlyVersion("-V --version"),
    subcommands: {
      ...each("list freeze show check", { effect: "unknown", why: "it may ask the network for newer versions", lenient: true, operands: { rest: "text" } }),
      ...each("install uninstall download wheel", {
        effect: "changes",
        why: installs,
        lenient: true,
        operands: { rest: "read" },
        flags: { exceptions: [{ flags: "-t --target --prefix --root --user --index-url -i --extra-index-url --python --config-settings", takes: "value", does: "reaches", why: "takes packages from elsewhere or puts them elsewhere" }] },
      }),
    },
  }),
  // `-v` makes poetry, uv and composer talk more, and `-V` bundler.
  ...each("poetry uv pdm composer", projectTool("-V --version")),
  pipenv: projectTool("--version"),
  bundle: projectTool("-v --version"),
  ...each("gem brew apt apt-get dpkg yum dnf pacman apk snap flatpak port choco winget pipx conda mamba", {
    effect: "destroys",
    why: "it changes what is installed on the machine",
    prefix: 0,
    lenient: true,
    operands: { rest: "text" },
  }),
};

export const packageCommands: Family = { ...managers, ...others };
