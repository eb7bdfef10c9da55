import { describe, expect, test } from "vitest";
import { readLine } from "../../../../src/shell/powershell/read.js";
import type { Statement, Value } from "../../../../src/shell/powershell/tree.js";
import { loadParser } from "../../../harness/grammars.js";
import { ATTACKS } from "./attacks.js";
import { EVERYDAY } from "./everyday.js";

type Tree = NonNullable<ReturnType<Awaited<ReturnType<typeof loadParser>>["parse"]>>["rootNode"];

// tree-sitter's grammar of PowerShell is a second reader of the lines that ours understands. It rejects some that
// PowerShell takes (`git diff -- a`), and misreads others (`2>$null` is a word to it), so the product does not use it.
describe("a line has the commands that tree-sitter finds, if it understands the line", async () => {
  const parser = await loadParser("powershell");
  const found = [...EVERYDAY, ...Object.values(ATTACKS).flat(), ...combined()].flatMap((line) => {
    const root = parser.parse(line)?.rootNode;
    const ours = read(line);
    return root === undefined || root.hasError || ours === undefined ? [] : [{ line, root, ours }];
  });

  test("which it does for most", () => {
    expect(found.length).toBeGreaterThan(900);
  });

  test.each(found)("$line", ({ root, ours }) => {
    expect(ours).toEqual(namesIn(root));
  });
});

function read(line: string): readonly string[] | undefined {
  try {
    return namesOf(readLine(line));
  } catch {
    return undefined;
  }
}

/** Returns the names of commands, in source order. */
function namesOf(statements: readonly Statement[]): string[] {
  return statements.flatMap((statement) => {
    switch (statement.kind) {
      case "assignment":
        return namesOf(statement.value);
      case "if":
        return statement.parts.flatMap((part) => namesOf(part));
      case "pipe":
        return statement.elements.flatMap((element) =>
          element.kind === "command"
            ? [element.name, ...element.args.flatMap((arg) => namesOfValue(arg))]
            : element.values.flatMap((value) => namesOfValue(value)),
        );
    }
  });
}

function namesOfValue(value: Value): string[] {
  switch (value.kind) {
    case "list":
      return value.items.flatMap((item) => namesOfValue(item));
    case "table":
      return value.entries.flatMap((entry) => namesOfValue(entry.value));
    case "block":
    case "computed":
    case "quoted":
      return namesOf(value.runs);
    default:
      return [];
  }
}

function namesIn(node: Tree): string[] {
  if (node.type === "command_name") {
    return [node.text];
  }
  if (node.type === "foreach_command") {
    return [
      /^(?:%|[\w-]+)/.exec(node.text)?.[0] ?? "",
      ...node.children.flatMap((each) => (each === null ? [] : namesIn(each))),
    ];
  }
  return node.children.flatMap((child) => (child === null ? [] : namesIn(child)));
}

/** Lines made of parts of the tables: each part in each frame. */
function combined(): readonly string[] {
  const parts = [
    "gci",
    "gc a.txt -Raw",
    "rm 'a b'",
    "git log --oneline",
    "gci | select -First 3",
    'Write-Output "a $(ri x)"',
  ];
  const frames = [
    "X; Y",
    "X && Y",
    "X || Y",
    "X\nY",
    "X # c\nY",
    "(X); (Y)",
    "gci | % { X; Y }",
    "gci | ? { (X).Length -gt 1 -and (Y) }",
    "if (X) { Y } else { X }",
    "$x = X; Y",
    "Write-Output (X) (Y)",
    '"$(X)"; Y',
    "gci | select @{n='a';e={ X }}; Y",
    "X | sort { Y }",
    "(X).Count; Y > out.txt",
    "X 2>&1 | Out-Null; Y",
    "if (X) { Y } elseif (Y) { X }",
    "@(X; Y)",
    "'a' -eq (X); Y",
    "Compare-Object (X) (Y)",
    "X | % { if ($_) { Y } }",
    "X; Y; X",
    "X |\n% { Y }",
    "{ X }; Y",
    "gc a.txt | % { X } | % { Y }",
  ];
  return frames.flatMap((frame) =>
    parts.flatMap((x) => parts.map((y) => frame.replaceAll("X", () => x).replaceAll("Y", () => y))),
  );
}
