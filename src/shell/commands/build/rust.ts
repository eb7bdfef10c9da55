/** Rust: cargo, the compiler, and rustup, which chooses both. */
import type { Steering } from "../../analysis.js";
import { elsewhere, runs, writes } from "../exceptions.js";
import { newPackages } from "../goals.js";
import { beyond, each, unknown, type CommandSpec, type Exception, type Family } from "../spec.js";
import { onlyVersion } from "../versions.js";
import { compiles } from "./compilers.js";
import { beyondProject, builds, fetches, version, works } from "./work.js";

/**
 * rustup 1.28 (rust-lang.github.io/rustup, "Overrides"): the `cargo` and `rustc` proxies follow these files, even into
 * a folder of the project.
 */
const otherRust: Steering = {
  files: [{ name: "rust-toolchain" }, { name: "rust-toolchain.toml" }],
  why: "may name another toolchain, which runs or is downloaded",
};

const cargoExceptions: readonly Exception[] = [
  runs("--config", "sets a configuration value, which can name a program"),
  elsewhere("-C --manifest-path --lockfile-path"),
  writes("--target-dir --artifact-dir --out-dir"),
  elsewhere("-Z", "turns on unstable features"),
];

const cargoWorks = (why: string, exceptions: readonly Exception[] = []): CommandSpec => ({
  ...works(why, [...cargoExceptions, ...exceptions]),
  flags: { value: "--target", exceptions: [...cargoExceptions, ...exceptions] },

  check: (call) =>
    call.flags.some(
      ({ name, values }) =>
        name === "--target" && !values.every((value) => /^[\w.-]+$/u.test(value) && !/\.json$/iu.test(value)),
    )
      ? [beyond("unknown", "`--target` reads a file, which names the linker to run")]
      : [],
});

const cargoAdd: CommandSpec = {
  ...beyondProject(
    cargoWorks(fetches, [elsewhere("--git --path --registry --index --base", "takes packages from elsewhere")]),
  ),
  check: (call) => newPackages(call.operands, "downloads"),
};

export const rustCommands: Family = {
  cargo: {
    effect: "unknown",
    globals: {
      plain: "-q --quiet -v --verbose --offline --locked --frozen --version -V",
      exceptions: cargoExceptions,
      value: "--color",
    },
    bare: { ...onlyVersion("-V --version"), steeredBy: otherRust },
    subcommands: {
      ...each("build test check bench doc nextest", cargoWorks(builds)),
      clippy: cargoWorks(builds, [{ flags: "--fix", does: "writes", why: "changes the sources" }]),
      fmt: cargoWorks("it formats the sources"),
      run: { ...cargoWorks("it builds and runs the project's program"), prefix: 2 },
      add: cargoAdd,
      ...each("remove update tree metadata vendor generate-lockfile", beyondProject(cargoWorks(fetches))),
      fetch: { ...beyondProject(cargoWorks(fetches)), fetches: "crates" },
      clean: { ...cargoWorks("it deletes build output"), prefix: 0 },
      fix: cargoWorks("it changes the sources"),
      ...each("publish yank login logout owner", {
        effect: "destroys",
        why: "it publishes, or changes accounts",
        prefix: 0,
        lenient: true,
        operands: { rest: "text" },
      }),
      install: unknown("it installs a program for the user"),
    },
    aliases: { b: "build", t: "test", c: "check", r: "run", d: "doc" },
  },
  rustc: { ...compiles, subcommands: { "--version": { ...version, steeredBy: otherRust } } },
  rustup: {
    effect: "unknown",
    bare: unknown("it installs or removes toolchains"),
    subcommands: { show: { effect: "reads", operands: {}, flags: { plain: "-v --verbose" }, steeredBy: otherRust } },
  },
};
