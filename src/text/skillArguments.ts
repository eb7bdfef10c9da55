/** An argument that a skill takes. */
export interface SkillArgument {
  name: string;
  description?: string | undefined;
  /** Default false. */
  required?: boolean | undefined;
  /** What stands for it when it is not given. */
  default?: string | undefined;
}

/** Names that a text can refer to with `$name`. */
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** What a text can refer to: longer names come before their beginnings, since a word is taken whole. */
const REFERENCE = /\$(?:([A-Za-z_]\w*)|([1-9]))/g;

/**
 * The words of a line: parts between blanks, where `"…"` and `'…'` keep blanks together and a quote of one kind is a
 * character inside the other. A quote that is not closed goes to the end.
 */
export function splitArguments(line: string): string[] {
  const words = line.match(/(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /"([^"]*)(?:"|$)|'([^']*)(?:'|$)/g,
      (_, double?: string, single?: string) => double ?? single ?? "",
    ),
  );
}

/**
 * A skill's text with its arguments put in: `$ARGUMENTS` is the line as given, `$1` to `$9` its words, `$name` the
 * argument of that name, by the order in which the skill declares them. The last declared argument takes all words that
 * are left; a missing one is its default, or nothing.
 * `$10` is `$1` and a 0; `$names` is no `$name`. What names nothing stays as it is, and what is put in is not looked at again.
 */
export function renderSkill(body: string, line: string, declared: readonly SkillArgument[]): string {
  const values = argumentValues(line, declared);
  const named = new Map(
    declared.flatMap(({ name }, index) => (IDENTIFIER.test(name) ? [[name, values[index] ?? ""]] : [])),
  );
  return body.replaceAll(REFERENCE, (whole, name: string | undefined, position: string | undefined) => {
    if (position !== undefined) {
      return values[Number(position) - 1] ?? "";
    }
    return name === "ARGUMENTS" ? line.trim() : (named.get(name ?? "") ?? whole);
  });
}

/** The names of required arguments that a line leaves out and that have no default. */
export function missingArguments(line: string, declared: readonly SkillArgument[]): string[] {
  const given = splitArguments(line).length;
  return declared.flatMap(({ name, required, default: standard }, index) =>
    required === true && standard === undefined && index >= given ? [name] : [],
  );
}

/**
 * The value of each position: words as given, defaults for declared ones that are not; the last declared one has all
 * words that are left.
 */
function argumentValues(line: string, declared: readonly SkillArgument[]): string[] {
  const words = splitArguments(line);
  const last = declared.length - 1;
  const values =
    last >= 0 && words.length > declared.length ? [...words.slice(0, last), words.slice(last).join(" ")] : words;
  declared.forEach(({ default: standard = "" }, index) => (values[index] ??= standard));
  return values;
}
