import { describe, expect, it, test } from "vitest";
import { fillArguments, usedParameters, type Argument } from "../../../../src/features/custom/template.js";

function fill(args: readonly Argument[], input: Record<string, unknown>, chosen: readonly string[] = []): string[] {
  return fillArguments({ args, input, isChosen: (name) => chosen.includes(name) });
}

describe("the arguments of a command tool", () => {
  test.each<[string, readonly Argument[], Record<string, unknown>, string[]]>([
    ["a value is one argument", ["-l", "{path}"], { path: "a b" }, ["-l", "a b"]],
    ["a value may be part of one", ["--path={path}:{line}"], { path: "a", line: 3 }, ["--path=a:3"]],
    ["nothing in a value is read again", ["{a}"], { a: "{b} {{b}}", b: "no" }, ["{b} {{b}}"]],
    ["shell characters are text", ["{a}"], { a: "$(id); `id` | x > y & 'z' \"" }, ["$(id); `id` | x > y & 'z' \""]],
    ["an argument without a value vanishes", ["a", "-x{x}", "b"], {}, ["a", "b"]],
    ["with the rest of its group", [["--name", "{x}"], "b"], {}, ["b"]],
    ["a list repeats", ["-e{x}", "b"], { x: ["1", "2"] }, ["-e1", "-e2", "b"]],
    ["with the rest of its group", [["--name", "{x}"]], { x: ["1", "2"] }, ["--name", "1", "--name", "2"]],
    ["an empty list vanishes", ["-e{x}", "b"], { x: [] }, ["b"]],
    ["a switch that is on", ["{x?--all}"], { x: true }, ["--all"]],
    ["a switch that is off", ["{x?--all}"], { x: false }, []],
    [
      "other braces are text",
      ["{print $1}", "{{x}}", "{}", "{{.Name}}"],
      { x: "no" },
      ["{print $1}", "{x}", "{}", "{{.Name}}"],
    ],
    [
      "free arguments are split outside of quotes",
      ["{args}", "z"],
      { args: "-l 'a b' \"c'd\"" },
      ["-l", "a b", "c'd", "z"],
    ],
    ["no free arguments", ["{args}", "z"], {}, ["z"]],
    ["a value of the prototype is none", ["{toString}"], {}, []],
    ["a negative number", ["{x}"], { x: -3 }, ["-3"]],
    ["a value that begins with a dash, after --", ["--", "{x}"], { x: "-rf" }, ["--", "-rf"]],
    ["one inside an argument", ["--x={x}"], { x: "-rf" }, ["--x=-rf"]],
  ])("%s", (_, args, input, expected) => {
    expect(fill(args, input)).toEqual(expected);
  });

  it("refuse a value that the program would read as an option, unless it is one of the tool's own choices", () => {
    expect(() => fill(["{x}"], { x: "-rf" })).toThrow('x: "-rf" begins with a dash');
    expect(() => fill([["--name", "{x}"]], { x: ["a", "--eval"] })).toThrow("begins with a dash");
    expect(() => fill(["{x}{y}"], { x: "", y: "-rf" })).toThrow('y: "-rf" begins with a dash');
    expect(fill(["{x}"], { x: "-rf" }, ["x"])).toEqual(["-rf"]);
  });

  it("name their parameters", () => {
    expect(usedParameters(["{a}", ["-x", "{b}{a}"], "{{c}}", "{d?yes}"])).toEqual(["a", "b", "d"]);
  });
});
