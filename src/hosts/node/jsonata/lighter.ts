/** Maximum characters of an expression that are looked at. */
const MAX_READ = 20_000;

/** What makes expressions slow, by their text without strings. The first that occurs often enough is reported. */
const COSTLY: readonly { form: RegExp; least?: number; advice: string }[] = [
  {
    form: /[+*]\)[+*]/,
    advice: "A regular expression that repeats a repetition, as (a+)+ does, may never end: repeat once.",
  },
  {
    form: /\*\*/,
    advice: "** visits every value: name the path instead, such as items.price for **.price.",
  },
  {
    form: /\$\$|\$(?:map|filter|reduce|each|single)\(/g,
    least: 2,
    advice:
      "It goes through a list for each entry of another. Group one list by its key first, ($by := items{id: $}; …), and look entries up with $lookup($by, key).",
  },
  {
    form: /\^\(|\$sort\(/,
    advice:
      "Sort fewer and smaller entries: filter first, $[amount > 100]^(>amount), or sort one field alone, $sort(amount).",
  },
  {
    form: /\$reduce\(/,
    advice: "$reduce copies what it builds at each step: use $sum, $count, $join, or a group, ${key: $count($)}.",
  },
  {
    form: /[\w$)\]]\s*\{/,
    advice: "Group fewer entries: filter first, $[amount > 100]{key: $count($)}.",
  },
];

/** Says what to change in an expression that took too much time or memory. */
export function lighterForm(expression: string): string {
  const bare = expression.slice(0, MAX_READ).replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  for (const [, name = ""] of bare.matchAll(/(\$\w+)\s*:=\s*(?:function|λ)/g)) {
    // Called more often than once, and defined once: most likely in its own body.
    if (bare.split(`${name}(`).length > 2) {
      return `${name} calls itself: make sure that every call comes nearer to its end.`;
    }
  }
  const flat = bare.replaceAll(/function\s*\([^()]*\)\s*\{/g, "(");
  return (
    COSTLY.find(({ form, least = 1 }) => flat.split(form).length > least)?.advice ??
    "Take a part of the document, such as $[[0..999]], or filter it first."
  );
}
