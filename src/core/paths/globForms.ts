import { ToolError } from "../errors.js";

/** Maximum number of globs that one may expand to. */
const MAX_FORMS = 200;

/** A part of a glob that matches one of several texts, as offsets from its first character to after its last. */
interface Group {
  from: number;
  to: number;
  options: readonly string[];
}

/**
 * Expands a glob to globs that minimatch and ripgrep read alike: `@(a|b)` and `?(a)` of extended globs, and braces with
 * an empty part, which ripgrep drops, are written out. All other parts are unchanged.
 * @throws ToolError `invalid_input` for `*(`, `+(` and `!(`, which no list of globs can express, and for too many forms
 */
export function globForms(glob: string): string[] {
  const forms: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const form = next;
    const group = findGroup(form, glob);
    if (group === undefined) {
      forms.push(form);
    } else {
      open.push(...group.options.map((option) => form.slice(0, group.from) + option + form.slice(group.to)).reverse());
    }
    if (forms.length + open.length > MAX_FORMS) {
      throw new ToolError(
        "invalid_input",
        `Invalid glob: ${glob.slice(0, 80)} expands to more than ${MAX_FORMS} globs.`,
        "Search with a shorter one.",
      );
    }
  }
  return [...new Set(forms)];
}

function findGroup(form: string, glob: string): Group | undefined {
  for (let index = 0; index < form.length; index = behind(form, index)) {
    const character = form[index] ?? "";
    if (form[index + 1] === "(" && "@?*+!".includes(character)) {
      const group = groupAt(form, index, index + 2, "|", ")");
      if (group !== undefined && !"@?".includes(character)) {
        throw notSupported(glob, character);
      }
      if (group !== undefined) {
        return character === "?" ? { ...group, options: ["", ...group.options] } : group;
      }
    }
    const braces = character === "{" ? groupAt(form, index, index + 1, ",", "}") : undefined;
    if (braces !== undefined && braces.options.length > 1 && braces.options.includes("")) {
      return braces;
    }
  }
  return undefined;
}

/** Reads options up to the end of their group; returns undefined if the group is not closed. */
function groupAt(glob: string, from: number, start: number, separator: string, close: string): Group | undefined {
  const options: string[] = [];
  let depth = 0;
  let optionStart = start;
  for (let index = start; index < glob.length; index = behind(glob, index)) {
    const character = glob[index] ?? "";
    if (depth === 0 && (character === separator || character === close)) {
      options.push(glob.slice(optionStart, index));
      optionStart = index + 1;
      if (character === close) {
        return { from, to: index + 1, options };
      }
    } else if ("({".includes(character)) {
      depth++;
    } else if (")}".includes(character)) {
      depth--;
    }
  }
  return undefined;
}

/** Returns the index after a character, an escaped one, or a class in brackets. */
function behind(glob: string, index: number): number {
  if (glob[index] === "\\") {
    return index + 2;
  }
  const [bracket] = glob[index] === "[" ? (/^\[[!^]?\]?[^\]]*\]/.exec(glob.slice(index)) ?? []) : [];
  return index + (bracket?.length ?? 1);
}

function notSupported(glob: string, kind: string): ToolError {
  const said = kind === "!" ? "negation" : "repetition";
  const instead =
    kind === "!"
      ? "Search for all, such as *.ts, and omit files with exclude (grep) or afterwards"
      : "List the alternatives: {a,b}, or use * for any text";
  return new ToolError(
    "invalid_input",
    `Invalid glob: ${glob.slice(0, 80)} contains ${kind}(…), a ${said}; globs here support *, **, ?, [a-z], {a,b}, @(a|b) and ?(a).`,
    `${instead}. Write a literal ( after ${kind} as [(].`,
  );
}
