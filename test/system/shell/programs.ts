/** Makes random shell programs from a grammar of its own, for the test that runs them. */

/** Commands that exist as stubs: those in `t` succeed, those in `f` fail. Each prints two words. */
export const STUBS = ["t0", "t1", "t2", "t3", "f0", "f1", "f2"];

/** Numbers from a seed, the same ones everywhere (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below `bound`. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[this.below(from.length)];
    if (chosen === undefined) {
      throw new Error("nothing to pick from");
    }
    return chosen;
  }
}

/** Characters that a mutation puts into a program. */
const MUTATIONS = [
  " ",
  "\n",
  ";",
  "&",
  "|",
  "<",
  ">",
  "(",
  ")",
  "$",
  "`",
  '"',
  "'",
  "\\",
  "#",
  "{",
  "}",
  "!",
  "*",
  "=",
  "[",
  "]",
  "~",
  "\\\n",
  "&&",
  "$(",
  "<<",
  "if ",
  " t0 ",
  "2>",
  "\t",
  "$'",
  "=(",
  "\r",
];

/** One program; `seed` decides all of it. */
export function randomProgram(seed: number): string {
  const random = new Random(seed);
  const program = new ProgramWriter(random).program();
  const other = random.chance(12) ? mutated(program, random) : program;
  return other === program || staysInFolder(other) ? other : program;
}

/** Whether no word of a mutated program can name a file anywhere else: it really runs, and may write what it names. */
function staysInFolder(program: string): boolean {
  return !program.replaceAll(/(?<=[\s<>])\/dev\/null(?=[\s;&|)]|$)/g, "").includes("/");
}

function mutated(program: string, random: Random): string {
  const characters = [...program];
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(characters.length + 1);
    if (random.chance(30)) {
      characters.splice(at, 1);
    } else {
      characters.splice(at, 0, random.pick(MUTATIONS));
    }
  }
  return characters.join("");
}

class ProgramWriter {
  readonly #random: Random;
  /** Statements that may still be written; keeps programs short. */
  #left: number;
  /** Here-documents whose bodies come at the end of the line. */
  #bodies: string[] = [];
  #heredocs = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#left = 3 + random.below(6);
  }

  program(): string {
    return this.#lines(1 + this.#random.below(3));
  }

  #lines(count: number): string {
    const random = this.#random;
    let text = "";
    for (let line = 0; line < count; line++) {
      text += this.#list(0);
      if (this.#bodies.length > 0) {
        text += `\n${this.#bodies.join("")}`;
        this.#bodies = [];
      } else {
        text += random.pick(["\n", "\n", "; ", " & ", "\n\n", " # comment ' $(t0)\n"]);
      }
    }
    return text.replace(/[;\s]+$/, "\n");
  }

  #list(depth: number): string {
    const random = this.#random;
    let text = this.#pipeline(depth);
    while (random.chance(35) && this.#left > 0) {
      const operator =
        this.#bodies.length > 0
          ? random.pick([" && ", " || "])
          : random.pick([" && ", " || ", "; ", "&&", "||", " & ", ";", " &&\n"]);
      text += operator + this.#pipeline(depth);
    }
    return text;
  }

  #pipeline(depth: number): string {
    const random = this.#random;
    let text = random.chance(5) ? `! ${this.#statement(depth)}` : this.#statement(depth);
    while (random.chance(20) && this.#left > 0) {
      text += (this.#bodies.length > 0 ? " | " : random.pick([" | ", "|", " |& ", " |\n "])) + this.#statement(depth);
    }
    return text;
  }

  #statement(depth: number): string {
    this.#left -= 1;
    const random = this.#random;
    if (depth > 3 || this.#left <= 0 || random.chance(65) || this.#bodies.length > 0) {
      return this.#simple(depth);
    }
    const statement = random.pick([
      () => `( ${this.#block(depth)} )`,
      () => `(${this.#block(depth)})`,
      () => `{ ${this.#block(depth)}; }`,
      () => `if ${this.#block(depth)}; then ${this.#block(depth)}; fi`,
      () =>
        `if ${this.#block(depth)}\nthen ${this.#block(depth)}\nelif ${this.#block(depth)}; then ${this.#block(depth)}; else\n${this.#block(depth)}; fi`,
      () => `for v in ${this.#word(depth)} ${this.#word(depth)}; do ${this.#block(depth)}; done`,
      () => `for v in a b\ndo\n${this.#block(depth)}\ndone`,
      () => `while ${this.#failing()}; do ${this.#block(depth)}; done`,
      () => `until t0; do ${this.#block(depth)}; done`,
      () =>
        `case ${this.#word(depth)} in a|b*) ${this.#block(depth)};; (${random.pick(["*", "?", '"c"', "[a-z]*"])}) ${this.#block(depth)} ;; esac`,
      () => `case a in\n  a) ${this.#block(depth)}\n  ;;\n  *) t1\nesac`,
      () => `fn() { ${this.#block(depth)}; }; fn`,
      () => `function fn { ${this.#block(depth)}; }\nfn ${this.#word(depth)}`,
      () => `[ ${random.pick(["-n x", "a = b", '"$v" = a', "-f in"])} ] && ${this.#simple(depth)}`,
      () =>
        `[[ ${random.pick(["-n x", "a == b*", "$v =~ ^(a|b)$", "a < b", "a = b || x = x"])} ]] || ${this.#simple(depth)}`,
      () => `if [ a = a ]; then ${this.#block(depth)}; fi > out`,
    ])();
    return random.chance(15) ? `${statement} ${this.#redirection(depth)}` : statement;
  }

  /** A list that has no here-document open at its end. */
  #block(depth: number): string {
    const before = this.#bodies;
    this.#bodies = [];
    const text = this.#list(depth + 1);
    if (this.#bodies.length === 0) {
      this.#bodies = before;
      return text;
    }
    const bodies = this.#bodies.join("");
    this.#bodies = before;
    return `${text}\n${bodies}t0`;
  }

  #failing(): string {
    return this.#random.pick(["f0", "f1", "false", "! t0"]);
  }

  #simple(depth: number): string {
    const random = this.#random;
    const words: string[] = [];
    if (random.chance(8)) {
      words.push(random.pick(["CI=1", "v=a", 'TZ="a b"', "DEBUG=$(t2)", "CI=", "list=(a b)"]));
    }
    if (random.chance(6)) {
      words.push(this.#redirection(depth));
    }
    words.push(...this.#command(depth));
    if (random.chance(15)) {
      words.splice(random.chance(70) ? words.length : 1 + random.below(words.length), 0, this.#redirection(depth));
    }
    return words.join(random.chance(5) ? " \\\n " : random.chance(3) ? "\t " : " ");
  }

  #command(depth: number): string[] {
    const random = this.#random;
    if (random.chance(75) || depth > 4) {
      return [this.#name(), ...this.#words(depth)];
    }
    const inner = (): string[] => [this.#name(), ...this.#words(depth)];
    const program = (): string => this.#nested();
    return random.pick([
      () => ["env", ...random.pick([[], ["-u", "TZ"], ["CI=b"], ["--", "DEBUG=c"]]), ...inner()],
      () => ["timeout", ...random.pick([[], ["-s", "KILL"], ["--foreground"]]), "5", ...inner()],
      () => ["nohup", ...inner()],
      () => ["nice", ...random.pick([[], ["-n", "5"], ["-5"]]), ...inner()],
      () => ["sudo", ...random.pick([[], ["-u", "root"], ["-n"]]), ...inner()],
      () => [
        "command",
        ...random.pick([[], ["-p"], ["--"]]),
        ...(random.chance(80) ? inner() : ["eval", quoted(program(), random)]),
      ],
      () => [random.pick(["exec", "time", "time -p", "builtin command"]), ...inner()],
      () => ["xargs", ...random.pick([[], ["-n", "1"], ["-I", "{}"], ["-I{}"]]), ...inner()],
      () => [
        "find",
        ".",
        "-maxdepth",
        "0",
        random.pick(["-exec", "-execdir"]),
        ...inner().filter((word) => !/^[;+]$/.test(word)),
        random.pick(["\\;", "';'", "{} +"]),
      ],
      () => [
        random.pick(["bash", "sh", "/bin/bash", "bash -e"]),
        random.pick(["-c", "-ec"]),
        quoted(program(), random),
        ...random.pick([[], ["x", "y"]]),
      ],
      () => ["eval", ...(random.chance(60) ? [quoted(program(), random)] : inner())],
      () => ["trap", quoted(program(), random), "EXIT"],
      () => ["cd", random.pick([".", "sub", "sub/..", "/nowhere"])],
      () => this.#shellInput(depth),
      () => ["env", "nice", "-n", "1", "command", ...inner()],
      () => ["echo", ...this.#words(depth), "|", "xargs", this.#name()],
    ])();
  }

  /** A shell that reads its program. */
  #shellInput(depth: number): string[] {
    const random = this.#random;
    if (depth > 0 || this.#bodies.length > 0) {
      return ["bash", "<<<", quoted(this.#nested(), random)];
    }
    const mark = `S${this.#heredocs++}`;
    this.#bodies.push(`${this.#nested()}\n${mark}\n`);
    return ["bash", `<<'${mark}'`];
  }

  /** A program for a shell within this one. */
  #nested(): string {
    const writer = new ProgramWriter(this.#random);
    writer.#left = 2;
    return writer.#lines(1).trimEnd().replace(/\s*&$/, "");
  }

  #name(): string {
    const random = this.#random;
    const name = random.pick(STUBS);
    return random.chance(85)
      ? name
      : random.pick([
          `'${name}'`,
          `"${name}"`,
          `${name.charAt(0)}\\${name.charAt(1)}`,
          `$'${name}'`,
          `${name.charAt(0)}''${name.charAt(1)}`,
          `{${name},x}`,
          `$'\\x${name.charCodeAt(0).toString(16)}${name.charAt(1)}'`,
        ]);
  }

  #words(depth: number): string[] {
    return Array.from({ length: this.#random.below(4) }, () => this.#word(depth));
  }

  #word(depth: number): string {
    const random = this.#random;
    return Array.from({ length: random.chance(20) ? 2 : 1 }, () => this.#wordPart(depth)).join("");
  }

  #wordPart(depth: number): string {
    const random = this.#random;
    if (random.chance(2)) {
      return random.pick(["=", "%", "[", "]", "{", "}", "!", "^", "${v:-$(t0)}", "$((1 + $(t1 | t0)0))"]);
    }
    if (random.chance(60)) {
      return random.pick([
        "a",
        "b1",
        "-x",
        "--long=v",
        "c/d",
        "x.y",
        "'q r'",
        '"s t"',
        "\\;",
        "\\$x",
        "a\\ b",
        "'$(f0)'",
        '"\\$(f0)"',
        '"`"'.replace("`", "\\`"),
        "'`f0`'",
        "#a".replace("#", "z#"),
        "~",
        "a=b",
        "@",
        ":",
        "{}",
        "''",
        '""',
        "if",
        "done",
        "'l1\nl2'",
        '"l1\nl2"',
        "'it'\\''s'",
        "a,b",
        "-",
        "--",
        "2",
        "'é'",
        "😀",
        '"(x)"',
        '"<(f0)"',
        "\\\\",
        "'\\'",
      ]);
    }
    if (depth > 3 || this.#left <= 0) {
      return random.pick([
        "$v",
        '"$v"',
        "${v}",
        "$?",
        "*",
        "{a,b}",
        "{1..3}",
        "$((1+2))",
        "a{b,c}d",
        "$'a\\nb'",
        "$'it\\'s'",
        '"$@"',
        "$#",
        "${v%.*}",
        "${v:-x}",
      ]);
    }
    const inside = (): string => this.#block(depth + 1);
    return random.pick([
      () => `$(${inside()})`,
      () => `"$(${inside()})"`,
      () => `"a $(${inside()}) b"`,
      () => `\`${random.pick(STUBS)} a\``,
      () => `"\`${random.pick(STUBS)} 'b c'\`"`,
      () => `\`${random.pick(STUBS)} \\\`${random.pick(STUBS)} x\\\`\``,
      () => `<(${inside()})`,
      () => `$( ${inside()} )`,
      () => `$(cat <<'E'\n$(f2) ' "\nE\n)`,
      () => `"$(t1 <<E\n$(${random.pick(STUBS)} h) \\$(f0) "\nE\n)"`,
    ])();
  }

  #redirection(depth: number): string {
    const random = this.#random;
    if (random.chance(15) && depth === 0 && this.#bodies.length === 0) {
      const mark = `H${this.#heredocs++}`;
      const body = random.pick([
        `plain 'text\n`,
        `$(${random.pick(STUBS)} in) and \`${random.pick(STUBS)}\`\n`,
        `\\$(f0) "$v" $((1+2))\n`,
        `  t2\n\tt3\n`,
        "",
        `$(f1\n)\n`,
      ]);
      const [start, isQuoted] = random.pick([
        [mark, false],
        [`'${mark}'`, true],
        [`"${mark}"`, true],
        [`\\${mark}`, true],
      ] as const);
      this.#bodies.push(`${isQuoted ? random.pick([body, '$(f0) `f1` "\n']) : body}${mark}\n`);
      return `<<${start}`;
    }
    return random.pick([
      "> out",
      ">>out",
      "2>&1",
      "2> err",
      "&> both",
      "< in",
      "> /dev/null",
      ">| out",
      "2>/dev/null",
      ">& both",
      "1>&2",
      "<<< word",
      '<<< "$(t3)"',
      "> >(t1)",
      "< <(t2 x)",
      '> "a b"',
      "3>&1",
      "2>&-",
    ]);
  }
}

/** A program as one word. */
function quoted(program: string, random: Random): string {
  if (random.chance(15) && /^[\x20-\x7e\n]*$/.test(program)) {
    return `$'${program.replace(/[\\']/g, "\\$&").replace(/\n/g, "\\n")}'`;
  }
  return random.chance(70) ? `'${program.replace(/'/g, "'\\''")}'` : `"${program.replace(/[\\"$`]/g, "\\$&")}"`;
}
