/** Compilers and linkers, which can load plugins and write to any path. */
import { responseFileFindings } from "../goals.js";
import type { Call } from "../options.js";
import { beyond, each, type CommandSpec, type Family, type Finding } from "../spec.js";
import { versioned, works } from "./work.js";

/** Compiler flags that load or run something, or that write a file whose name is joined to them. */
const COMPILER_RUNS =
  /^--?(?:o.|fplugin|wrapper|B|specs|Xclang|Xlinker|Xassembler|Xpreprocessor|W[alp],|load|plugin|processor|J|C|analyzer|linker|fprofile|ivfsoverlay|config)/u;

function compilerFindings(call: Call): readonly Finding[] {
  const flag = call.flags.find(({ name }) => COMPILER_RUNS.test(name));
  return [
    ...responseFileFindings(call),
    ...(flag === undefined ? [] : [beyond("unknown", `\`${flag.name}\` can load a program, or write to any path`)]),
  ];
}

export const compiles: CommandSpec = versioned({
  ...works("compiling can load plugins and write to any path", []),
  style: "single",
  operands: { rest: "write" },
  prefix: 0,
  check: compilerFindings,
});

export const compilerCommands: Family = each("gcc g++ cc c++ clang clang++ javac csc ld as", compiles);
