/** pip, Python's package manager. */
import { elsewhere, runs, writes } from "../exceptions.js";
import { addressFindings, newPackages } from "../goals.js";
import { valuesOf, type Call } from "../options.js";
import { each, type CommandSpec, type Exception, type Family, type Finding } from "../spec.js";
import { onlyVersion } from "../versions.js";
import { pythonStart } from "../build/python.js";
import { installs } from "./npm.js";

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
  runs("--python"),
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

export const pipCommands: Family = {
  ...each("pip pip3", {
    effect: "unknown",
    globals: {
      plain: "-q --quiet -v --verbose",
      exceptions: [runs("--python")],
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
          exceptions: [...pipElsewhere, elsewhere("-r --requirement --path", "reads other files")],
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
            elsewhere(
              "-t --target --prefix --root --user --index-url -i --extra-index-url --python --config-settings -f --find-links --src --cache-dir -C --global-option",
              "takes packages from another source, or installs them in another folder",
            ),
            elsewhere(
              "--trusted-host --proxy --cert --client-cert --keyring-provider --use-feature --use-deprecated",
              "changes how packages are fetched",
            ),
            writes("--report --log -d --dest -w --wheel-dir"),
          ],
        },
      }),
    },
  }),
};
