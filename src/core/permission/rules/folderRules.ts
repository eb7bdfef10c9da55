import type { PlacedRule, Rule, RuleBook } from "../../../ports/rules.js";
import type { SeenFolder } from "./patterns.js";

/** Whether a path is outside the workspace. One that begins with `~` may be a file in it. */
const OUTSIDE = /^(?:\/|[A-Za-z]:[\\/])/;

/**
 * The user's rules for callers that see one folder of a workspace with several: rules begin paths with the folder's name,
 * and these callers' paths are relative to it. What they grant applies to this folder alone.
 */
export class FolderRules implements RuleBook {
  readonly #whole: RuleBook;
  readonly #folder: string;
  readonly #folders: readonly SeenFolder[];
  /** By rule of the whole workspace: the same objects until those change. */
  readonly #seen = new WeakMap<PlacedRule, PlacedRule>();

  /**
   * @param folder the folder's name in rules
   * @param inner the workspace's folders in it, with their paths: rules name these, too
   */
  constructor(whole: RuleBook, folder: string, inner: readonly SeenFolder[] = []) {
    this.#whole = whole;
    this.#folder = folder;
    this.#folders = [{ name: folder, at: "." }, ...inner];
  }

  rules(session: string): readonly PlacedRule[] {
    return this.#whole.rules(session).map((rule) => this.#rule(rule));
  }

  grantForSession(session: string, rules: readonly Rule[]): void {
    this.#whole.grantForSession(
      session,
      rules.map((rule) => this.#granted(rule)),
    );
  }

  grantAlways(rules: readonly Rule[]): Promise<void> {
    return this.#whole.grantAlways(rules.map((rule) => this.#granted(rule)));
  }

  matched(rule: PlacedRule): void {
    this.#whole.matched(rule);
  }

  #rule(placed: PlacedRule): PlacedRule {
    const seen = this.#seen.get(placed) ?? { ...placed, folders: this.#folders };
    this.#seen.set(placed, seen);
    return seen;
  }

  #granted(rule: Rule): Rule {
    const path = rule.params?.["path"];
    return path === undefined || OUTSIDE.test(path)
      ? rule
      : // A name's own stars and braces are not a pattern.
        { ...rule, params: { ...rule.params, path: `${this.#folder.replaceAll(/[*?[\]{}]/g, "\\$&")}/${path}` } };
  }
}
