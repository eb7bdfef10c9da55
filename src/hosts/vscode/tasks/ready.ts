type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the regular expression of the line with which a background task says that it is ready: `background.endsPattern`
 * of its first problem matcher that has one. Undefined if none has, so that nobody knows.
 *
 * @param matcher `problemMatcher` of tasks.json: a name such as `$tsc-watch`, a definition, or a list of these
 * @param named returns the definition that an extension contributes under a name without its `$`
 */
export function readyPattern(matcher: unknown, named: (name: string) => unknown): string | undefined {
  for (const each of Array.isArray(matcher) ? (matcher as unknown[]) : [matcher]) {
    const own = typeof each === "string" ? fields(named(each.replace(/^\$/, ""))) : fields(each);
    const base = typeof own.base === "string" ? fields(named(own.base.replace(/^\$/, ""))) : {};
    const background = { ...fields(base.background), ...fields(own.background ?? own.watching) };
    const ends = background.endsPattern;
    const pattern = typeof ends === "string" ? ends : fields(ends).regexp;
    if (typeof pattern === "string" && pattern !== "") {
      return pattern;
    }
  }
  return undefined;
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
