/** An argument of a skill. */
export interface SkillArgument {
  name: string;
  description?: string | undefined;
  /** Default false. */
  required?: boolean | undefined;
  /** Its value if it is not given. */
  default?: string | undefined;
}

/** Names that a text can use as `$name`. */
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** References in a text. A word is matched whole, so a longer name wins over its prefix. */
const REFERENCE = /\$(?:([A-Za-z_]\w*)|([1-9]))/g;

/**
 * Splits a line into words at whitespace. `"…"` and `'…'` keep whitespace together, and a quote of one kind is an
 * ordinary character inside the other. An unclosed quote extends to the end.
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
 * Inserts arguments into a skill's text: `$ARGUMENTS` is the line as given, `$1` to `$9` its words, `$name` the
 * argument of that name, in the order in which the skill declares them. The last declared argument takes all remaining
 * words; a missing one becomes its default, or empty. `$10` is `$1` followed by a 0; `$names` is not `$name`. Unknown
 * references stay unchanged, and inserted values are not expanded again.
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

/** Returns the names of required arguments without a default that a line omits. */
export function missingArguments(line: string, declared: readonly SkillArgument[]): string[] {
  const given = splitArguments(line).length;
  return declared.flatMap(({ name, required, default: standard }, index) =>
    required === true && standard === undefined && index >= given ? [name] : [],
  );
}

/**
 * Returns the value of each position: given words, defaults for missing declared arguments; the last declared one gets
 * all remaining words.
 */
function argumentValues(line: string, declared: readonly SkillArgument[]): string[] {
  const words = splitArguments(line);
  const last = declared.length - 1;
  const values =
    last >= 0 && words.length > declared.length ? [...words.slice(0, last), words.slice(last).join(" ")] : words;
  declared.forEach(({ default: standard = "" }, index) => (values[index] ??= standard));
  return values;
}
