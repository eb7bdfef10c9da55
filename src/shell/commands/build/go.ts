/** Go: its command and its formatter. */
import type { Steering } from "../../analysis.js";
import { elsewhere, runs, writes } from "../exceptions.js";
import { newPackages } from "../goals.js";
import { given, type Call } from "../options.js";
import { beyond, each, unknown, type CommandSpec, type Exception, type Family, type Finding } from "../spec.js";
import { beyondProject, builds, fetches, runsCode, works } from "./work.js";

/**
 * Go 1.19 to 1.25, cmd/doc: it looks up the folders of all required modules; since 1.21 it downloads the toolchain that
 * go.mod names.
 */
const otherGo: Steering = {
  files: [
    {
      name: "go.mod",
      harmless: /^(?:(?:[ \t]*(?:module[ \t]+[\w./~-]+|go[ \t]+[\d.]+)[ \t\r]*|[ \t\r]*(?:\/\/[^\n]*)?)(?:\n|$))*$/u,
    },
    { name: "go.work" },
  ],
  why: "may name modules or a toolchain to download",
};

const goExceptions: readonly Exception[] = [
  runs("-exec -toolexec -vettool -overlay -modfile -ldflags -gcflags -asmflags -gccgoflags -compiler -fmtflag"),
  elsewhere("-C -pkgdir"),
  writes(
    "-o -outputdir -cpuprofile -memprofile -blockprofile -mutexprofile -trace -coverprofile -test.outputdir -test.cpuprofile -test.memprofile -test.blockprofile -test.mutexprofile -test.trace -test.coverprofile -test.testlogfile -test.gocoverdir",
  ),
];

/** Go accepts one dash or two. */
const goFlags: readonly Exception[] = goExceptions.flatMap((exception) => [
  exception,
  { ...exception, flags: exception.flags.replaceAll("-", "--") },
]);

const goWorks = (why: string): CommandSpec => ({ ...works(why, goFlags), style: "single" });

/** Accepts module and package names only: a file system path may lead to any folder. */
function goNames({ operands }: Call): readonly Finding[] {
  return operands.every(({ value }) => value !== undefined && /^[A-Za-z][\w-]*(?:[./][\w-]+)*$/u.test(value))
    ? []
    : [beyond("changes", "it may read another folder")];
}

/**
 * gofmt has no configuration. In a folder it reads the Go sources, including links to files; -l and -d only print (go
 * 1.25, cmd/gofmt).
 */
const gofmt: CommandSpec = {
  effect: "reads",
  local: true,
  style: "single",
  deepWith: "always",
  linksWith: "always",
  ordinaryOnly: () => true,
  operands: { rest: "read" },
  writeWith: "-w",
  flags: {
    plain: "-d -e -l -s -w",
    exceptions: [elsewhere("-r", "rewrites the sources that it prints"), writes("-cpuprofile")],
  },
  check: (call) => (given(call, "-w") ? [{ effect: "changes", why: "it formats files", beyond: false }] : []),
};

export const goCommands: Family = {
  go: {
    effect: "unknown",
    subcommands: {
      ...each("build test vet fmt", goWorks(builds)),
      run: { ...goWorks("it builds and runs a program"), prefix: 0 },
      get: {
        ...beyondProject(goWorks(fetches)),
        check: (call) => newPackages(call.operands, "downloads"),
      },
      work: beyondProject(goWorks(fetches)),
      mod: {
        ...beyondProject(goWorks(fetches)),
        bare: beyondProject(goWorks(fetches)),
        subcommands: {
          ...each("edit graph init tidy vendor verify why", beyondProject(goWorks(fetches))),
          download: {
            ...beyondProject(goWorks(fetches)),
            fetches: "go",
            check: (call) => newPackages(call.operands, "downloads"),
          },
        },
      },
      // Go 1.16 to 1.25: to list modules it reads only go.mod; a module that is not required is an error.
      list: {
        effect: "unknown",
        bare: beyondProject(goWorks(fetches)),
        subcommands: {
          "-m": {
            effect: "reads",
            style: "single",
            operands: { rest: "text" },
            flags: { plain: "-json" },
            steeredBy: otherGo,
            check: goNames,
          },
        },
      },
      // go 1.25, `go help doc`: -http starts a server.
      doc: {
        effect: "reads",
        style: "single",
        operands: { rest: "text" },
        flags: { plain: "-all -c -cmd -short -src -u" },
        steeredBy: otherGo,
        check: goNames,
      },
      version: { effect: "reads", operands: {} },
      generate: runsCode("it runs programs that the sources name"),
      tool: unknown("it runs programs that the sources name"),
      install: unknown("it installs a program for the user"),
      // go 1.25, `go help env`: -w and -u change the user's configuration.
      env: {
        effect: "reads",
        style: "single",
        operands: { rest: "text" },
        flags: {
          plain: "-json -changed",
          exceptions: [writes("-w"), { flags: "-u", does: "destroys", why: "unsets a user setting" }],
        },
      },
    },
    globals: { exceptions: [elsewhere("-C")] },
  },
  gofmt,
};
